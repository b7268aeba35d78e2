#include <query/batch/batch.hpp>
#include <query/batch/earliest.hpp>
#include <query/batch/hit_block.hpp>

namespace sphaera {
namespace {

struct FirstHit : index::PathWalk, query::SphereFilter {
  exact::Counts counts;
  query::Earliest first;

  FirstHit(const exact::Path& p, Visit v, const query::SceneState& state, const QueryOptions& options,
           std::size_t i)
      : PathWalk(p, v), SphereFilter(state, options, i) {}

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(FirstHit& q, std::uint32_t id) {
    return q.first.test<Arithmetic>(q, id);
  }
  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test_entered(FirstHit& q, std::uint32_t id, double low, double high) {
    return q.first.test_entered<Arithmetic>(q, id, low, high);
  }

  template <class Arithmetic>
  SPHAERA_INLINE query::Candidate candidate(Arithmetic arithmetic, std::uint32_t id) {
    if (!admits(id)) return {};
    return {arithmetic, exact::AtRest{path, spheres[id]}, id, counts};
  }
  SPHAERA_INLINE bool enters(std::uint32_t id) const { return admits(id); }
  SPHAERA_INLINE bool earlier(const query::Candidate& a, const query::Candidate& b) {
    return query::earlier(path, spheres, a, b, counts);
  }
};

/// The first hit on an input's path; a miss if there is none.
template <class Arithmetic>
SPHAERA_INLINE query::Candidate first_candidate(const query::SceneState& state, const exact::Path& path,
                                                index::PreparedRay prepared, const QueryOptions& options,
                                                std::size_t i, QueryStats& stats) {
  if (query::sees_nothing(state, options) || !(path.t_min <= path.t_max)) return {};
  FirstHit walk(path, query::visit_of<FirstHit, index::PathWalk, Arithmetic>(), state, options, i);
  walk.prepared = prepared;
  query::walk_scene<Arithmetic>(state, options, walk, &index::SceneIndex::nearest_first,
                                &embree_index::EmbreeIndex::nearest_first);
  query::count(walk, stats);
  return walk.first.candidate();
}

template <class Input, class Item>
void answer_all(const query::SceneState& state, std::span<const Input> inputs, std::span<Item> out,
                const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), inputs.size());
  query::run_pieces<query::WalkOrder::coherent>(
      state, inputs, options,
      [&](auto arithmetic, const query::Piece<Input>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        using Arithmetic = decltype(arithmetic);
        query::HitBlock<Input, Item> hits(inputs, state.spheres.span());
        const auto answer_path = [&](std::size_t i, const exact::Path& path,
                                     index::PreparedRay prepared) SPHAERA_INLINE_LAMBDA {
          const query::Candidate best = first_candidate<Arithmetic>(state, path, prepared, options, i, stats);
          if (best.contact == Contact::miss) {
            out[i] = {};
          } else {
            hits.add(i, best, out.data(), i);
          }
        };
        piece.each_path(query::index_for(state, options), out, answer_path);
        hits.write(out.data());
      });
}

template <class Item, class Input>
Item first_of(const query::SceneState& state, const Input& input, const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  Item hit;
  query::run_single(state, input, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    const exact::Path path = exact::path_of(input);
    const query::Candidate best = first_candidate<decltype(arithmetic)>(state, path, {}, options, 0, stats);
    if (best.contact == Contact::miss) return;
    const Sphere* spheres = state.spheres.span().data();
    query::put_hit(hit, path, spheres[best.sphere], query::hit_of(path, spheres, best));
  });
  return hit;
}

}  // namespace

void Scene::first_hit(std::span<const Ray> rays, std::span<Hit> out, const QueryOptions& options) const {
  answer_all(state(), rays, out, options);
}
void Scene::first_hit(std::span<const Segment> segments, std::span<Hit> out,
                      const QueryOptions& options) const {
  answer_all(state(), segments, out, options);
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
  answer_all(state(), rays, out, options);
}
void Scene::first_surface_hit(std::span<const Segment> segments, std::span<SurfaceHit> out,
                              const QueryOptions& options) const {
  answer_all(state(), segments, out, options);
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
