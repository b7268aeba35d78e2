#include <query/path/path_answers.hpp>

namespace sphaera {
namespace {

/// The sphere that blocked the previous ray. In a coherent order it often blocks the next ray, too, so it is
/// tested before the index; belts gain most (../index/decisions.md). Where it does not help, it is given up
/// after a few rays of a piece, and it is not tried among rays that only start near each other.
class LastBlocker {
 public:
  explicit LastBlocker(bool is_tried) : misses_(is_tried ? 0 : patience + 1) {}
  /// Tests the last blocker against the ray. If there is none to test, this counts as a miss.
  template <class Walk>
  bool blocks(Walk& walk) {
    if (is_given_up()) return false;
    const bool open = walk.path.t_min <= walk.path.t_max;
    if (open && sphere_ != index::no_sphere && walk.admits(sphere_))
      walk.visit(walk, index::block_of_one(sphere_), index::first_lane_only);
    const bool blocked = walk.found != index::no_sphere;
    misses_ = blocked ? 0 : misses_ + 1;
    return blocked;
  }
  void set(std::uint32_t sphere) { sphere_ = sphere; }
  bool is_given_up() const { return misses_ > patience; }

 private:
  static constexpr int patience = 8;  ///< misses in a row before it is given up

  std::uint32_t sphere_ = index::no_sphere;
  int misses_;
};

/// The answers of a batch. Paths walk one after the other while the last blocker helps.
template <class Input>
class BlockedPaths : public query::PathAnswers {
 public:
  template <class ScenePath>
  using Walk = query::AnyAlong<ScenePath>;
  static constexpr auto walk_order = query::WalkOrder::coherent_any_hit;

  BlockedPaths(const query::SceneState&, const query::QueryPiece<Input>& piece, std::span<std::uint8_t> out)
      : out_(out), last_(!piece.block.by_start) {}

  static std::span<std::uint8_t> rows() { return {}; }  // too small to be prefetched
  bool walks_together() const { return last_.is_given_up(); }
  template <class Walk>
  bool begin(Walk& walk) {
    return !last_.blocks(walk);
  }
  template <class Walk>
  void put(std::size_t i, const Walk& walk) {
    out_[i] = walk.found != index::no_sphere;
    if (out_[i]) last_.set(walk.found);
  }

 private:
  std::span<std::uint8_t> out_;
  LastBlocker last_;
};

struct BlockedPath : query::PathAnswers {
  template <class ScenePath>
  using Walk = query::AnyAlong<ScenePath>;
  bool blocked = false;

  template <class Walk>
  void put(std::size_t, const Walk& walk) {
    blocked = walk.found != index::no_sphere;
  }
};

}  // namespace

void Scene::blocked(std::span<const Ray> rays, std::span<std::uint8_t> out,
                    const QueryOptions& options) const {
  query::answer_batch<BlockedPaths<Ray>>(state(), rays, out, options);
}
void Scene::blocked(std::span<const Segment> segments, std::span<std::uint8_t> out,
                    const QueryOptions& options) const {
  query::answer_batch<BlockedPaths<Segment>>(state(), segments, out, options);
}
std::vector<std::uint8_t> Scene::blocked(std::span<const Ray> rays, const QueryOptions& options) const {
  return query::filled<std::uint8_t>(rays.size(), [&](auto out) { blocked(rays, out, options); });
}
std::vector<std::uint8_t> Scene::blocked(std::span<const Segment> segments,
                                         const QueryOptions& options) const {
  return query::filled<std::uint8_t>(segments.size(), [&](auto out) { blocked(segments, out, options); });
}
bool Scene::blocked(const Ray& ray, const QueryOptions& options) const {
  return query::answer_single<BlockedPath>(state(), ray, options).blocked;
}
bool Scene::blocked(const Segment& segment, const QueryOptions& options) const {
  return query::answer_single<BlockedPath>(state(), segment, options).blocked;
}

}  // namespace sphaera
