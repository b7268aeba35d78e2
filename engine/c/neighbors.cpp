#include <c/ask.hpp>

// Queries about points and balls.

using namespace sphaera;
using namespace sphaera::c;

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
  return call([&] {
    const Scene& s = readable<SceneObject>(scene).scene();
    const QueryCall given(options, s.spheres().size());
    const auto to = rows_of(out, out_count, "out");
    if (ids == nullptr)
      s.nearest_to_spheres(k, to, given.options());
    else
      s.nearest_to_spheres(row_of(ids, "ids"), k, to, given.options());
    given.add_stats();
  });
}
SphaeraStatus sphaera_scene_contacts(const SphaeraScene* scene, const SphaeraIdRange* ids, double distance,
                                     const SphaeraQueryOptions* options, SphaeraLists* lists) {
  return call([&] {
    const Scene& s = readable<SceneObject>(scene).scene();
    const QueryCall given(options, s.spheres().size());
    const Sole<ListsObject> out(lists);
    if (ids == nullptr)
      s.contacts(distance, out->as<Neighbor>(), given.options());
    else
      s.contacts(row_of(ids, "ids"), distance, out->as<Neighbor>(), given.options());
    given.add_stats();
  });
}
SphaeraStatus sphaera_scene_exposed_area(const SphaeraScene* scene, const SphaeraIdRange* ids, double probe,
                                         const SphaeraQueryOptions* options, SphaeraExposedArea* out,
                                         size_t out_count) {
  return call([&] {
    const Scene& s = readable<SceneObject>(scene).scene();
    const QueryCall given(options, s.spheres().size());
    const auto to = rows_of(out, out_count, "out");
    if (ids == nullptr)
      s.exposed_area(probe, to, given.options());
    else
      s.exposed_area(row_of(ids, "ids"), probe, to, given.options());
    given.add_stats();
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
