#include <query/batch/first_candidate.hpp>
#include <query/batch/hit_block.hpp>
#include <query/batch/query_group.hpp>

namespace sphaera {
namespace {

template <class ScenePath>
struct FirstHit : ScenePath::Walk, query::SphereFilter {
  ScenePath scene_path;
  exact::Counts counts;
  query::Earliest first;

  FirstHit(const ScenePath& p, typename ScenePath::Walk::Visit v, const query::SceneState& state,
           const QueryOptions& options, std::size_t i)
      : ScenePath::Walk(p.walk(v)), SphereFilter(state, options, i), scene_path(p) {}
  using Member = exact::Path;  ///< of a WalkGroup
  FirstHit(const exact::Path& own, index::PathWalk::Visit v, const query::SceneState& state,
           const QueryOptions& options, std::size_t i)
      : FirstHit(ScenePath(own, state.spheres.span().data()), v, state, options, i) {}

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(FirstHit& q, std::uint32_t id) {
    return q.first.template test<Arithmetic>(q, id);
  }
  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test_entered(FirstHit& q, std::uint32_t id, double low,
                                                             double high) {
    return q.first.template test_entered<Arithmetic>(q, id, low, high);
  }

  template <class Arithmetic>
  SPHAERA_INLINE query::Candidate candidate(Arithmetic arithmetic, std::uint32_t id) {
    if (!admits(id)) return {};
    return {arithmetic, scene_path.pair(arithmetic, id), id, counts};
  }
  SPHAERA_INLINE bool enters(std::uint32_t id) const { return admits(id); }
  /// Of equal spheres the one with the lowest id is hit; `accept` may refuse it.
  SPHAERA_INLINE bool settles_equals(std::uint32_t id) const { return !accept && admits(id); }
  SPHAERA_INLINE bool earlier(const query::Candidate& a, const query::Candidate& b) {
    return query::earlier(scene_path, a, b, counts);
  }
};

/// The first hit on an input's path; a miss if there is none.
template <class Arithmetic, class ScenePath>
SPHAERA_INLINE query::Candidate first_candidate(const query::SceneState& state, const ScenePath& scene_path,
                                                const query::WalkContext& context,
                                                const QueryOptions& options, std::size_t i,
                                                QueryStats& stats) {
  const exact::Path& path = scene_path.path();
  if (query::sees_nothing(state, options) || !(path.t_min <= path.t_max)) return {};
  FirstHit<ScenePath> walk(scene_path, query::visit_of<FirstHit<ScenePath>, index::PathWalk, Arithmetic>(),
                           state, options, i);
  query::walk_path<Arithmetic, ScenePath>(state, options, walk, context,
                                          query::nearest_first_walks<ScenePath>);
  query::count(walk, stats);
  return walk.first.candidate();
}

/// The same for single queries and queries at an instant, which share its code.
constexpr auto first_candidate_alone = [](auto arithmetic, const query::SceneState& state,
                                          const auto& scene_path, const QueryOptions& options, std::size_t i,
                                          QueryStats& stats) SPHAERA_INLINE_LAMBDA {
  return first_candidate<decltype(arithmetic)>(state, scene_path, {}, options, i, stats);
};

/// Answers a piece; its paths walk together where that is possible.
template <class Arithmetic, class Input, class Item>
SPHAERA_INLINE void answer_piece(const query::SceneState& state, const query::QueryPiece<Input>& piece,
                                 std::span<Item> out, QueryStats& stats) {
  using Walk = FirstHit<query::PathAtRest>;
  const QueryOptions& options = piece.options;
  query::WalkGroup<Walk> group(state, piece);
  query::HitBlock<Input, Item> hits(piece.inputs, state.spheres.span());
  const auto put = [&](std::size_t i, const query::Candidate& best) SPHAERA_INLINE_LAMBDA {
    out[i] = {};
    hits.add(i, best, out.data(), i);
  };
  const auto done = [&](std::size_t i, const Walk& walk) SPHAERA_INLINE_LAMBDA {
    put(i, walk.first.candidate());
    query::count(walk, stats);
  };
  const auto answer_path = [&](std::size_t i, const exact::Path& path,
                               const query::WalkContext& context) SPHAERA_INLINE_LAMBDA {
    if (!group.takes_queries()) {
      const query::PathAtRest scene_path(path, state.spheres.span().data());
      put(i, first_candidate<Arithmetic>(state, scene_path, context, options, i, stats));
    } else if (!(path.t_min <= path.t_max)) {
      out[i] = {};
    } else {
      group.template add<Arithmetic>(i, path, context.prepared, &index::SceneIndex::nearest_first_together,
                                     done);
    }
  };
  piece.each_path(query::index_for(state, options), out, answer_path);
  group.walk(&index::SceneIndex::nearest_first_together, done);
  hits.write(out.data());
}

template <class Input, class Item>
void answer_at_rest(const query::SceneState& state, std::span<const Input> inputs, std::span<Item> out,
                    const QueryOptions& options) {
  query::run_pieces<query::WalkOrder::coherent>(
      state, inputs, options,
      [&](auto arithmetic, const query::QueryPiece<Input>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA { answer_piece<decltype(arithmetic)>(state, piece, out, stats); });
}

template <class Input, class Item>
void answer_at_instants(const query::SceneState& state, std::span<const Input> inputs, std::span<Item> out,
                        const QueryOptions& options) {
  query::run_pieces<query::WalkOrder::coherent>(
      state, inputs, options,
      [&](auto arithmetic, const query::QueryPiece<Input>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        piece.each_into(out, [&](std::size_t i) SPHAERA_INLINE_LAMBDA {
          const exact::Path path = exact::path_of(inputs[i]);
          const auto scene_path = query::scene_path_of<query::PathAtInstant>(state, path, options, i);
          const query::Candidate best =
              exact::call_shared(arithmetic, first_candidate_alone, state, scene_path, options, i, stats);
          out[i] = {};
          if (best.contact != Contact::miss) query::put_hit(out[i], scene_path, best);
        });
      });
}

template <class Input, class Item>
void answer_batch(const query::SceneState& state, std::span<const Input> inputs, std::span<Item> out,
                  const QueryOptions& options) {
  query::answer_rows(
      state, inputs, out, options, [&] { answer_at_rest(state, inputs, out, options); },
      [&] { answer_at_instants(state, inputs, out, options); });
}

template <class Item, class Input>
Item first_of(const query::SceneState& state, const Input& input, const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  Item hit;
  query::run_single(state, input, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    const exact::Path path = exact::path_of(input);
    query::with_scene_path(state, path, options, 0, [&](const auto& scene_path) SPHAERA_INLINE_LAMBDA {
      std::size_t i = 0;  // not const: the same instance of call_shared as for batches
      const query::Candidate best =
          exact::call_shared(arithmetic, first_candidate_alone, state, scene_path, options, i, stats);
      if (best.contact != Contact::miss) query::put_hit(hit, scene_path, best);
    });
  });
  return hit;
}

}  // namespace

void Scene::first_hit(std::span<const Ray> rays, std::span<Hit> out, const QueryOptions& options) const {
  answer_batch(state(), rays, out, options);
}
void Scene::first_hit(std::span<const Segment> segments, std::span<Hit> out,
                      const QueryOptions& options) const {
  answer_batch(state(), segments, out, options);
}
std::vector<Hit> Scene::first_hit(std::span<const Ray> rays, const QueryOptions& options) const {
  return query::filled<Hit>(rays.size(), [&](auto out) { first_hit(rays, out, options); });
}
std::vector<Hit> Scene::first_hit(std::span<const Segment> segments, const QueryOptions& options) const {
  return query::filled<Hit>(segments.size(), [&](auto out) { first_hit(segments, out, options); });
}
Hit Scene::first_hit(const Ray& ray, const QueryOptions& options) const {
  return first_of<Hit>(state(), ray, options);
}
Hit Scene::first_hit(const Segment& segment, const QueryOptions& options) const {
  return first_of<Hit>(state(), segment, options);
}

void Scene::first_surface_hit(std::span<const Ray> rays, std::span<SurfaceHit> out,
                              const QueryOptions& options) const {
  answer_batch(state(), rays, out, options);
}
void Scene::first_surface_hit(std::span<const Segment> segments, std::span<SurfaceHit> out,
                              const QueryOptions& options) const {
  answer_batch(state(), segments, out, options);
}
std::vector<SurfaceHit> Scene::first_surface_hit(std::span<const Ray> rays,
                                                 const QueryOptions& options) const {
  return query::filled<SurfaceHit>(rays.size(), [&](auto out) { first_surface_hit(rays, out, options); });
}
std::vector<SurfaceHit> Scene::first_surface_hit(std::span<const Segment> segments,
                                                 const QueryOptions& options) const {
  return query::filled<SurfaceHit>(segments.size(),
                                   [&](auto out) { first_surface_hit(segments, out, options); });
}
SurfaceHit Scene::first_surface_hit(const Ray& ray, const QueryOptions& options) const {
  return first_of<SurfaceHit>(state(), ray, options);
}
SurfaceHit Scene::first_surface_hit(const Segment& segment, const QueryOptions& options) const {
  return first_of<SurfaceHit>(state(), segment, options);
}

}  // namespace sphaera
