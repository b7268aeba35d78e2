#include <exact/predicates/filtered_predicate.hpp>
#include <query/batch/query_group.hpp>

namespace sphaera {
namespace {

template <class ScenePath>
struct Blocked : ScenePath::Walk, query::SphereFilter {
  ScenePath scene_path;
  exact::Counts counts;
  std::uint32_t blocker = index::no_sphere;

  Blocked(const ScenePath& p, typename ScenePath::Walk::Visit v, const query::SceneState& state,
          const QueryOptions& options, std::size_t i)
      : ScenePath::Walk(p.walk(v)), SphereFilter(state, options, i), scene_path(p) {}
  using Member = exact::Path;  ///< of a WalkGroup
  Blocked(const exact::Path& own, index::PathWalk::Visit v, const query::SceneState& state,
          const QueryOptions& options, std::size_t i)
      : Blocked(ScenePath(own, state.spheres.span().data()), v, state, options, i) {}

  template <class Arithmetic>
  SPHAERA_INLINE bool meets(std::uint32_t id) {
    const auto pair = scene_path.pair(Arithmetic{}, id);
    return exact::FilteredPredicate<Arithmetic, const decltype(pair)&>(pair, counts).meets();
  }
  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(Blocked& q, std::uint32_t id) {
    if (!q.admits(id) || !q.meets<Arithmetic>(id) || !q.accepts(id)) return index::TraversalControl::go_on;
    q.blocker = id;
    return index::TraversalControl::stop;
  }
  /// Equal spheres are hit or missed together; `accept` may tell them apart.
  SPHAERA_INLINE bool settles_equals(std::uint32_t id) const { return !accept && admits(id); }
  /// Accepts a sphere that is hit for certain.
  SPHAERA_INLINE bool accept_hit(std::uint32_t id) {
    if (!admits(id) || !accepts(id)) return false;
    blocker = id;
    return true;
  }
};

/// The sphere that blocked the previous ray. In a coherent order it often blocks the next ray, too, so it is
/// tested before the index; belts gain most (../index/decisions.md). Where it does not help, it is given up
/// after a few rays of a piece.
class LastBlocker {
 public:
  /// Tests the last blocker against the ray. If there is none to test, this counts as a miss.
  template <class Arithmetic, class Walk>
  SPHAERA_INLINE bool blocks(Walk& walk) {
    if (is_given_up()) return false;
    const bool tested = sphere_ != index::no_sphere && walk.admits(sphere_);
    const bool blocked = tested && walk.template meets<Arithmetic>(sphere_) && walk.accepts(sphere_);
    misses_ = blocked ? 0 : misses_ + 1;
    walk.candidates += tested;
    return blocked;
  }
  SPHAERA_INLINE void set(std::uint32_t sphere) { sphere_ = sphere; }
  bool is_given_up() const { return misses_ > patience; }

 private:
  static constexpr int patience = 8;  ///< misses in a row before it is given up

  std::uint32_t sphere_ = index::no_sphere;
  int misses_ = 0;
};

template <class Arithmetic, class ScenePath>
SPHAERA_INLINE bool answer(const query::SceneState& state, const ScenePath& scene_path,
                           const query::WalkContext& context, const QueryOptions& options, std::size_t i,
                           LastBlocker& last, QueryStats& stats) {
  const exact::Path& path = scene_path.path();
  if (query::sees_nothing(state, options) || !(path.t_min <= path.t_max)) return false;
  Blocked<ScenePath> walk(scene_path, query::visit_of<Blocked<ScenePath>, index::PathWalk, Arithmetic>(),
                          state, options, i);
  bool blocked = last.blocks<Arithmetic>(walk);
  if (!blocked) {
    query::walk_path<Arithmetic, ScenePath>(state, options, walk, context, query::any_walks<ScenePath>);
    blocked = walk.blocker != index::no_sphere;
    if (blocked) last.set(walk.blocker);
  }
  query::count(walk, stats);
  return blocked;
}

/// The same for single queries and queries at an instant, which share its code.
constexpr auto answer_alone = [](auto arithmetic, const query::SceneState& state, const auto& scene_path,
                                 const QueryOptions& options, std::size_t i, LastBlocker& last,
                                 QueryStats& stats) SPHAERA_INLINE_LAMBDA {
  return answer<decltype(arithmetic)>(state, scene_path, {}, options, i, last, stats);
};

/// Answers a piece one path after another while the last blocker helps, and then together.
template <class Arithmetic, class Input>
SPHAERA_INLINE void answer_piece(const query::SceneState& state, const query::QueryPiece<Input>& piece,
                                 std::span<std::uint8_t> out, QueryStats& stats) {
  using Walk = Blocked<query::PathAtRest>;
  const QueryOptions& options = piece.options;
  query::WalkGroup<Walk> group(state, piece);
  LastBlocker last;
  const auto done = [&](std::size_t i, const Walk& walk) SPHAERA_INLINE_LAMBDA {
    out[i] = walk.blocker != index::no_sphere;
    query::count(walk, stats);
  };
  const auto answer_path = [&](std::size_t i, const exact::Path& path,
                               const query::WalkContext& context) SPHAERA_INLINE_LAMBDA {
    if (!group.takes_queries() || !last.is_given_up()) {
      const query::PathAtRest scene_path(path, state.spheres.span().data());
      out[i] = answer<Arithmetic>(state, scene_path, context, options, i, last, stats);
    } else if (!(path.t_min <= path.t_max)) {
      out[i] = false;
    } else {
      group.template add<Arithmetic>(i, path, context.prepared, &index::SceneIndex::any_together, done);
    }
  };
  piece.each_path(query::index_for(state, options), std::span<std::uint8_t>(), answer_path);
  group.walk(&index::SceneIndex::any_together, done);
}

template <class Input>
void answer_at_rest(const query::SceneState& state, std::span<const Input> inputs,
                    std::span<std::uint8_t> out, const QueryOptions& options) {
  query::run_pieces<query::WalkOrder::coherent_any_hit>(
      state, inputs, options,
      [&](auto arithmetic, const query::QueryPiece<Input>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA { answer_piece<decltype(arithmetic)>(state, piece, out, stats); });
}

template <class Input>
void answer_at_instants(const query::SceneState& state, std::span<const Input> inputs,
                        std::span<std::uint8_t> out, const QueryOptions& options) {
  query::run_pieces<query::WalkOrder::coherent_any_hit>(
      state, inputs, options,
      [&](auto arithmetic, const query::QueryPiece<Input>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        LastBlocker last;
        piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
          const exact::Path path = exact::path_of(inputs[i]);
          const auto scene_path = query::scene_path_of<query::PathAtInstant>(state, path, options, i);
          out[i] = exact::call_shared(arithmetic, answer_alone, state, scene_path, options, i, last, stats);
        });
      });
}

template <class Input>
void answer_batch(const query::SceneState& state, std::span<const Input> inputs, std::span<std::uint8_t> out,
                  const QueryOptions& options) {
  query::answer_rows(
      state, inputs, out, options, [&] { answer_at_rest(state, inputs, out, options); },
      [&] { answer_at_instants(state, inputs, out, options); });
}

template <class Input>
bool is_blocked(const query::SceneState& state, const Input& input, const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  bool found = false;
  query::run_single(state, input, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    LastBlocker none;
    const exact::Path path = exact::path_of(input);
    query::with_scene_path(state, path, options, 0, [&](const auto& scene_path) SPHAERA_INLINE_LAMBDA {
      std::size_t i = 0;  // not const: the same instance of call_shared as for batches
      found = exact::call_shared(arithmetic, answer_alone, state, scene_path, options, i, none, stats);
    });
  });
  return found;
}

}  // namespace

void Scene::blocked(std::span<const Ray> rays, std::span<std::uint8_t> out,
                    const QueryOptions& options) const {
  answer_batch(state(), rays, out, options);
}
void Scene::blocked(std::span<const Segment> segments, std::span<std::uint8_t> out,
                    const QueryOptions& options) const {
  answer_batch(state(), segments, out, options);
}
std::vector<std::uint8_t> Scene::blocked(std::span<const Ray> rays, const QueryOptions& options) const {
  return query::filled<std::uint8_t>(rays.size(), [&](auto out) { blocked(rays, out, options); });
}
std::vector<std::uint8_t> Scene::blocked(std::span<const Segment> segments,
                                         const QueryOptions& options) const {
  return query::filled<std::uint8_t>(segments.size(), [&](auto out) { blocked(segments, out, options); });
}
bool Scene::blocked(const Ray& ray, const QueryOptions& options) const {
  return is_blocked(state(), ray, options);
}
bool Scene::blocked(const Segment& segment, const QueryOptions& options) const {
  return is_blocked(state(), segment, options);
}

}  // namespace sphaera
