#include <query/batch/hit_block.hpp>
#include <query/batch/lists.hpp>

namespace sphaera {
namespace {

struct AllHits : index::PathWalk, query::SphereFilter {
  exact::Counts counts;
  std::vector<query::Candidate>& found;

  AllHits(const exact::Path& p, Visit v, const query::SphereFilter& e, std::vector<query::Candidate>& f)
      : PathWalk(p, v), SphereFilter(e), found(f) {}

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(AllHits& q, std::uint32_t id) {
    if (!q.admits(id)) return index::Next::go_on;
    const query::Candidate met(Arithmetic{}, exact::AtRest{q.path, q.spheres[id]}, id, q.counts);
    if (met.contact == Contact::miss) return index::Next::go_on;
    q.found.push_back(met);
    return index::Next::go_on;
  }
};

/// The candidates of an input's path, in order of entry.
template <class Arithmetic>
SPHAERA_INLINE void find_candidates(const query::SceneState& state, const exact::Path& path,
                                    index::PreparedRay prepared, const QueryOptions& options, std::size_t i,
                                    std::vector<query::Candidate>& found, QueryStats& stats) {
  found.clear();
  if (query::sees_nothing(state, options) || !(path.t_min <= path.t_max)) return;
  AllHits walk(path, query::visit_of<AllHits, index::PathWalk, Arithmetic>(), {state, options, i}, found);
  walk.prepared = prepared;
  query::walk_scene<Arithmetic>(state, options, walk, &index::SceneIndex::any,
                                &embree_index::EmbreeIndex::any);
  std::sort(found.begin(), found.end(), [&](const query::Candidate& a, const query::Candidate& b) {
    return query::earlier(path, walk.spheres, a, b, walk.counts);
  });
  query::count(walk, stats);
}

template <class Input>
HitLists answer_all(const query::SceneState& state, std::span<const Input> inputs,
                    const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  return query::run_lists<query::WalkOrder::coherent, Hit>(
      state, inputs, options,
      [&](auto arithmetic, const query::ListPiece<Input, Hit>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            using Arithmetic = decltype(arithmetic);
            std::vector<query::Candidate> found;
            query::HitBlock<Input> hits(inputs, state.spheres.span());
            const auto answer_path = [&](std::size_t i, const exact::Path& path,
                                         index::PreparedRay prepared) SPHAERA_INLINE_LAMBDA {
              find_candidates<Arithmetic>(state, path, prepared, options, i, found, stats);
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
std::vector<Hit> answer_one(const query::SceneState& state, const Input& input, const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  std::vector<Hit> hits;
  query::run_single(state, input, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    const exact::Path path = exact::path_of(input);
    std::vector<query::Candidate> found;
    find_candidates<decltype(arithmetic)>(state, path, {}, options, 0, found, stats);
    for (const query::Candidate& m : found)
      hits.push_back(query::hit_of(path, state.spheres.span().data(), m));
  });
  return hits;
}

}  // namespace

HitLists Scene::all_hits(std::span<const Ray> rays, const QueryOptions& options) const {
  return answer_all(state(), rays, options);
}
HitLists Scene::all_hits(std::span<const Segment> segments, const QueryOptions& options) const {
  return answer_all(state(), segments, options);
}
std::vector<Hit> Scene::all_hits(const Ray& ray, const QueryOptions& options) const {
  return answer_one(state(), ray, options);
}
std::vector<Hit> Scene::all_hits(const Segment& segment, const QueryOptions& options) const {
  return answer_one(state(), segment, options);
}

}  // namespace sphaera
