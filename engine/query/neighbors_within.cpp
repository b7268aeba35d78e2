#include <limits>
#include <query/batch/list_answers.hpp>
#include <query/batch/sort_by_bounds.hpp>
#include <query/neighbors/ball_answers.hpp>
#include <query/neighbors/nearest_images.hpp>
#include <query/neighbors/neighbor_block.hpp>
#include <query/neighbors/sort_by_distance.hpp>

namespace sphaera {
namespace {

/// Appends the spheres with their distances from a point to a list, nearest first.
class FoundNeighbors {
 public:
  FoundNeighbors(const Vec3& point, const query::PeriodicBox& box, std::vector<Neighbor>& list)
      : point_(point), box_(box), list_(list), first_(list.size()) {}

  SPHAERA_INLINE void add(std::uint32_t id) { list_.push_back({0, id}); }
  void add_image(std::uint32_t id) { add(id), has_images_ = true; }
  SPHAERA_INLINE void add_block(const index::LeafIds& ids) {
    std::array<Neighbor, index::leaf_block_size> added;
    for (std::size_t lane = 0; lane < ids.size(); ++lane) added[lane] = {0, ids[lane]};
    list_.insert(list_.end(), added.begin(), added.end());
  }
  SPHAERA_INLINE void add_in_order(std::span<const std::uint32_t> ids) {
    for (const std::uint32_t id : ids) add(id);
  }

  SPHAERA_INLINE void finish(const query::SpheresAtTime& at_time, exact::Counts& counts) {
    const std::span<Neighbor> found = std::span(list_).subspan(first_);
    if (found.empty()) return;
    if (has_images_) [[unlikely]] {
      const query::SpheresInBox in_box{at_time.spheres, box_};
      measure_each(found, in_box);
      return put_in_order(in_box, counts);
    }
    measure(found, at_time);
    put_in_order(at_time, counts);
  }

 private:
  /// `seen` says where the spheres are.
  template <class Seen>
  SPHAERA_INLINE void put_in_order(const Seen& seen, exact::Counts& counts) {
    if (list_.size() - first_ == 1) return;
    query::sort_by_distance(list_, first_);
    settle(std::span(list_).subspan(first_), seen, counts);
  }
  template <class Seen>
  void measure_each(std::span<Neighbor> found, const Seen& seen) const {
    for (Neighbor& neighbor : found)
      neighbor.distance = seen.signed_distance(point_, static_cast<std::uint32_t>(neighbor.sphere));
  }

  SPHAERA_INLINE void measure(std::span<Neighbor> found, const query::SpheresAtTime& at_time) const {
    if (at_time.velocities) [[unlikely]]
      return measure_each(found, at_time);
    query::NeighborBlock<Vec3> block(at_time.spheres);
    for (std::size_t j = 0; j < found.size(); ++j)
      block.add(point_, static_cast<std::uint32_t>(found[j].sphere), found.data(), j);
    block.write(found.data());
  }

  /// A margin around the double that contains the exact distance: at least 4 ulp; the double errs by 1 ulp.
  static double margin_of(double distance) {
    return 0x1p-50 * std::fabs(distance) + 4 * std::numeric_limits<double>::denorm_min();
  }

  /// Puts those whose distances are too close for doubles in their exact order.
  template <class Seen>
  void settle(std::span<Neighbor> found, const Seen& seen, exact::Counts& counts) const {
    const auto low = [](const Neighbor& n) { return n.distance - margin_of(n.distance); };
    const auto high = [](const Neighbor& n) { return n.distance + margin_of(n.distance); };
    const auto distance = [](const Neighbor& n) { return n.distance; };
    query::sort_by_bounds(found, distance, low, high, [&](const Neighbor& a, const Neighbor& b) {
      const int order = seen.compare_distances(point_, static_cast<std::uint32_t>(a.sphere),
                                               static_cast<std::uint32_t>(b.sphere), counts);
      return order != 0 ? order < 0 : a.sphere < b.sphere;
    });
  }

  const Vec3& point_;
  const query::PeriodicBox& box_;
  std::vector<Neighbor>& list_;
  std::size_t first_;
  bool has_images_ = false;
};

/// Appends the neighbors of a single query.
void answer_ball(const query::SceneState& state, const Ball& ball, const QueryOptions& options,
                 std::vector<Neighbor>& neighbors) {
  const base::FloatingPointEnvironment mode;
  query::run_single(state, ball, options, [&](auto, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    const query::PeriodicBox box(state, options);
    FoundNeighbors found(ball.center, box, neighbors);
    query::find_in_ball(state, box, ball, options, 0, found, stats);
  });
}

}  // namespace

void Scene::neighbors_within(std::span<const Ball> balls, NeighborLists& lists,
                             const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::run_lists<query::WalkOrder::coherent_points>(
      state(), balls, lists, options,
      [&](auto arithmetic, const query::ListPiece<Ball, Neighbor>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            query::BallAnswers<decltype(arithmetic)> answers(state(), options, piece.piece.scratch, stats,
                                                             query::NearbySpheres::Order::any);
            const query::PeriodicBox box(state(), options);
            piece.each_numbered([&](std::size_t i, std::size_t j) SPHAERA_INLINE_LAMBDA {
              FoundNeighbors found(balls[i].center, box, piece.items);
              answers.answer(piece.piece, i, j, found);
            });
          });
}

NeighborLists Scene::neighbors_within(std::span<const Ball> balls, const QueryOptions& options) const {
  return query::lists_of<Neighbor>([&](NeighborLists& lists) { neighbors_within(balls, lists, options); });
}

std::vector<Neighbor> Scene::neighbors_within(const Ball& ball, const QueryOptions& options) const {
  std::vector<Neighbor> neighbors;
  answer_ball(state(), ball, options, neighbors);
  return neighbors;
}

std::size_t Scene::neighbors_within(const Ball& ball, std::span<Neighbor> out,
                                    const QueryOptions& options) const {
  query::SingleScratch scratch(options);
  std::vector<Neighbor>& neighbors = (*scratch).listed;
  neighbors.clear();
  answer_ball(state(), ball, options, neighbors);
  std::copy_n(neighbors.begin(), std::min(neighbors.size(), out.size()), out.begin());
  return neighbors.size();
}

}  // namespace sphaera
