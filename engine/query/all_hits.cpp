#include <query/batch/hit_block.hpp>
#include <query/batch/list_answers.hpp>
#include <query/batch/sort_by_bounds.hpp>

namespace sphaera {
namespace {

template <class ScenePath>
struct AllHits : ScenePath::Walk, query::SphereFilter {
  ScenePath scene_path;
  exact::Counts counts;
  std::vector<query::Candidate>& found;

  AllHits(const ScenePath& p, typename ScenePath::Walk::Visit v, const query::SphereFilter& filter,
          std::vector<query::Candidate>& f)
      : ScenePath::Walk(p.walk(v)), SphereFilter(filter), scene_path(p), found(f) {}

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(AllHits& q, std::uint32_t id) {
    if (!q.admits(id)) return index::TraversalControl::go_on;
    const query::Candidate met(Arithmetic{}, q.scene_path.pair(Arithmetic{}, id), id, q.counts);
    if (met.contact != Contact::miss && q.accepts(id)) q.found.push_back(met);
    return index::TraversalControl::go_on;
  }
};

/// The candidates of an input's path, in order of entry.
template <class Arithmetic, class ScenePath>
SPHAERA_INLINE void find_candidates(const query::SceneState& state, const ScenePath& scene_path,
                                    const query::WalkContext& context, const QueryOptions& options,
                                    std::size_t i, std::vector<query::Candidate>& found, QueryStats& stats) {
  found.clear();
  const exact::Path& path = scene_path.path();
  if (query::sees_nothing(state, options) || !(path.t_min <= path.t_max)) return;
  AllHits<ScenePath> walk(scene_path, query::visit_of<AllHits<ScenePath>, index::PathWalk, Arithmetic>(),
                          {state, options, i}, found);
  query::walk_path<Arithmetic, ScenePath>(state, options, walk, context, query::any_walks<ScenePath>);
  query::sort_by_entry(found, [&](const query::Candidate& a, const query::Candidate& b) {
    return query::earlier(scene_path, a, b, walk.counts);
  });
  query::count(walk, stats);
}

/// The same for single queries and queries at an instant, which share its code.
constexpr auto find_candidates_alone =
    [](auto arithmetic, const query::SceneState& state, const auto& scene_path, const QueryOptions& options,
       std::size_t i, std::vector<query::Candidate>& found, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
      find_candidates<decltype(arithmetic)>(state, scene_path, {}, options, i, found, stats);
    };

template <class Input>
void answer_at_rest(const query::SceneState& state, std::span<const Input> inputs, HitLists& lists,
                    const QueryOptions& options) {
  query::run_lists<query::WalkOrder::coherent>(
      state, inputs, lists, options,
      [&](auto arithmetic, const query::ListPiece<Input, Hit>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            std::vector<query::Candidate>& found = piece.piece.scratch.candidates;
            query::HitBlock<Input> hits(inputs, state.spheres.span());
            const auto answer_path = [&](std::size_t i, const exact::Path& path,
                                         const query::WalkContext& context) SPHAERA_INLINE_LAMBDA {
              const query::PathAtRest scene_path(path, state.spheres.span().data());
              find_candidates<decltype(arithmetic)>(state, scene_path, context, options, i, found, stats);
              for (const query::Candidate& m : found) {
                piece.items.emplace_back();
                hits.add(i, m, piece.items.data(), piece.items.size() - 1);
              }
            };
            piece.each_path(query::index_for(state, options), answer_path);
            hits.write(piece.items.data());
          });
}

template <class Input>
void answer_at_instants(const query::SceneState& state, std::span<const Input> inputs, HitLists& lists,
                        const QueryOptions& options) {
  query::run_lists<query::WalkOrder::coherent>(
      state, inputs, lists, options,
      [&](auto arithmetic, const query::ListPiece<Input, Hit>& piece,
          QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        std::vector<query::Candidate>& found = piece.piece.scratch.candidates;
        piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
          const exact::Path path = exact::path_of(inputs[i]);
          const auto scene_path = query::scene_path_of<query::PathAtInstant>(state, path, options, i);
          exact::call_shared(arithmetic, find_candidates_alone, state, scene_path, options, i, found, stats);
          for (const query::Candidate& m : found) piece.items.push_back(query::hit_of(scene_path, m));
        });
      });
}

template <class Input>
void answer_batch(const query::SceneState& state, std::span<const Input> inputs, HitLists& lists,
                  const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  if (query::sees_instants(state, options)) return answer_at_instants(state, inputs, lists, options);
  answer_at_rest(state, inputs, lists, options);
}

template <class Input>
HitLists answer_batch(const query::SceneState& state, std::span<const Input> inputs,
                      const QueryOptions& options) {
  return query::lists_of<Hit>([&](HitLists& lists) { answer_batch(state, inputs, lists, options); });
}

/// Calls put(scene_path, candidates) for a single query.
template <class Input, class Put>
void answer_one(const query::SceneState& state, const Input& input, const QueryOptions& options,
                const Put& put) {
  const base::FloatingPointEnvironment mode;
  query::SingleScratch scratch(options);
  std::vector<query::Candidate>& found = (*scratch).candidates;
  query::run_single(state, input, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    const exact::Path path = exact::path_of(input);
    query::with_scene_path(state, path, options, 0, [&](const auto& scene_path) {
      std::size_t i = 0;  // not const: the same instance of call_shared as for batches
      exact::call_shared(arithmetic, find_candidates_alone, state, scene_path, options, i, found, stats);
      put(scene_path, found);
    });
  });
}

template <class Input>
std::vector<Hit> list_of(const query::SceneState& state, const Input& input, const QueryOptions& options) {
  std::vector<Hit> hits;
  answer_one(state, input, options, [&](const auto& scene_path, const std::vector<query::Candidate>& found) {
    hits.reserve(found.size());
    for (const query::Candidate& m : found) hits.push_back(query::hit_of(scene_path, m));
  });
  return hits;
}

template <class Input>
std::size_t list_into(const query::SceneState& state, const Input& input, std::span<Hit> out,
                      const QueryOptions& options) {
  std::size_t hits = 0;
  answer_one(state, input, options, [&](const auto& scene_path, const std::vector<query::Candidate>& found) {
    hits = found.size();
    for (std::size_t j = 0; j < std::min(hits, out.size()); ++j) out[j] = query::hit_of(scene_path, found[j]);
  });
  return hits;
}

}  // namespace

HitLists Scene::all_hits(std::span<const Ray> rays, const QueryOptions& options) const {
  return answer_batch(state(), rays, options);
}
HitLists Scene::all_hits(std::span<const Segment> segments, const QueryOptions& options) const {
  return answer_batch(state(), segments, options);
}
void Scene::all_hits(std::span<const Ray> rays, HitLists& lists, const QueryOptions& options) const {
  answer_batch(state(), rays, lists, options);
}
void Scene::all_hits(std::span<const Segment> segments, HitLists& lists, const QueryOptions& options) const {
  answer_batch(state(), segments, lists, options);
}
std::vector<Hit> Scene::all_hits(const Ray& ray, const QueryOptions& options) const {
  return list_of(state(), ray, options);
}
std::vector<Hit> Scene::all_hits(const Segment& segment, const QueryOptions& options) const {
  return list_of(state(), segment, options);
}
std::size_t Scene::all_hits(const Ray& ray, std::span<Hit> out, const QueryOptions& options) const {
  return list_into(state(), ray, out, options);
}
std::size_t Scene::all_hits(const Segment& segment, std::span<Hit> out, const QueryOptions& options) const {
  return list_into(state(), segment, out, options);
}

}  // namespace sphaera
