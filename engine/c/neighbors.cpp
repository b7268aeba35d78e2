#include <c/ask.hpp>

// Queries about points and balls.

using namespace sphaera;
using namespace sphaera::c;

namespace {

/// Calls work(scene, options, range of ids), without the range for all spheres.
template <class Work>
SphaeraStatus ask_about_spheres(const SphaeraScene* scene, const SphaeraIdRange* ids,
                                const SphaeraQueryOptions* options, Work work) noexcept {
  return call([&] {
    const Scene& asked = readable<SceneObject>(scene).scene();
    const QueryCall given(options, asked.spheres().size());
    if (ids == nullptr)
      work(asked, given.options());
    else
      work(asked, given.options(), row_of(ids, "ids"));
    given.add_stats();
  });
}

}  // namespace

SphaeraStatus sphaera_scene_nearest(const SphaeraScene* scene, const SphaeraVec3* points, size_t count,
                                    size_t k, const SphaeraQueryOptions* options, SphaeraNeighbor* out,
                                    size_t out_count) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.nearest(rows_of(points, count, "points"), k, rows_of(out, out_count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_nearest_point(const SphaeraScene* scene, const SphaeraVec3* point, size_t k,
                                          const SphaeraQueryOptions* options, SphaeraNeighbor* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    s.nearest(row_of(point, "point"), rows_of(out, k, "out"), o);
  });
}
SphaeraStatus sphaera_scene_nearest_to_spheres(const SphaeraScene* scene, const SphaeraIdRange* ids, size_t k,
                                               const SphaeraQueryOptions* options, SphaeraNeighbor* out,
                                               size_t out_count) {
  return ask_about_spheres(scene, ids, options, [&](const Scene& s, const QueryOptions& o, auto... some) {
    s.nearest_to_spheres(some..., k, rows_of(out, out_count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_contacts(const SphaeraScene* scene, const SphaeraIdRange* ids, double distance,
                                     const SphaeraQueryOptions* options, SphaeraLists* lists) {
  return ask_about_spheres(scene, ids, options, [&](const Scene& s, const QueryOptions& o, auto... some) {
    const Sole<ListsObject> out(lists);
    s.contacts(some..., distance, out->as<Neighbor>(), o);
  });
}
SphaeraStatus sphaera_scene_count_contacts(const SphaeraScene* scene, const SphaeraIdRange* ids,
                                           double distance, const SphaeraQueryOptions* options, uint64_t* out,
                                           size_t out_count) {
  return ask_about_spheres(scene, ids, options, [&](const Scene& s, const QueryOptions& o, auto... some) {
    s.count_contacts(some..., distance, rows_of(out, out_count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_exposed_area(const SphaeraScene* scene, const SphaeraIdRange* ids, double probe,
                                         const SphaeraQueryOptions* options, SphaeraExposedArea* out,
                                         size_t out_count) {
  return ask_about_spheres(scene, ids, options, [&](const Scene& s, const QueryOptions& o, auto... some) {
    s.exposed_area(some..., probe, rows_of(out, out_count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_count_within(const SphaeraScene* scene, const SphaeraBall* balls, size_t count,
                                         const SphaeraQueryOptions* options, uint64_t* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.count_within(rows_of(balls, count, "balls"), rows_of(out, count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_count_within_ball(const SphaeraScene* scene, const SphaeraBall* ball,
                                              const SphaeraQueryOptions* options, uint64_t* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.count_within(row_of(ball, "ball"), o);
  });
}
SphaeraStatus sphaera_scene_within(const SphaeraScene* scene, const SphaeraBall* balls, size_t count,
                                   const SphaeraQueryOptions* options, SphaeraLists* lists) {
  return ask_lists<std::int64_t>(scene, count, options, lists,
                                 [&](const Scene& s, const QueryOptions& o, auto& out) {
                                   s.within(rows_of(balls, count, "balls"), out, o);
                                 });
}
SphaeraStatus sphaera_scene_within_ball(const SphaeraScene* scene, const SphaeraBall* ball,
                                        const SphaeraQueryOptions* options, int64_t* out, size_t capacity,
                                        size_t* found) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    place(found, "found") = s.within(row_of(ball, "ball"), rows_of(out, capacity, "out"), o);
  });
}
SphaeraStatus sphaera_scene_neighbors_within(const SphaeraScene* scene, const SphaeraBall* balls,
                                             size_t count, const SphaeraQueryOptions* options,
                                             SphaeraLists* lists) {
  return ask_lists<Neighbor>(scene, count, options, lists,
                             [&](const Scene& s, const QueryOptions& o, auto& out) {
                               s.neighbors_within(rows_of(balls, count, "balls"), out, o);
                             });
}
SphaeraStatus sphaera_scene_neighbors_within_ball(const SphaeraScene* scene, const SphaeraBall* ball,
                                                  const SphaeraQueryOptions* options, SphaeraNeighbor* out,
                                                  size_t capacity, size_t* found) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    place(found, "found") = s.neighbors_within(row_of(ball, "ball"), rows_of(out, capacity, "out"), o);
  });
}
