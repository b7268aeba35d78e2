#include <c/ask.hpp>

// Queries about rays and segments.

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_scene_blocked(const SphaeraScene* scene, const SphaeraRay* rays, size_t count,
                                    const SphaeraQueryOptions* options, uint8_t* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.blocked(rows_of(rays, count, "rays"), rows_of(out, count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_blocked_ray(const SphaeraScene* scene, const SphaeraRay* ray,
                                        const SphaeraQueryOptions* options, uint8_t* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.blocked(row_of(ray, "ray"), o);
  });
}
SphaeraStatus sphaera_scene_blocked_segments(const SphaeraScene* scene, const SphaeraSegment* segments,
                                             size_t count, const SphaeraQueryOptions* options, uint8_t* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.blocked(rows_of(segments, count, "segments"), rows_of(out, count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_blocked_segment(const SphaeraScene* scene, const SphaeraSegment* segment,
                                            const SphaeraQueryOptions* options, uint8_t* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.blocked(row_of(segment, "segment"), o);
  });
}
SphaeraStatus sphaera_scene_visibility(const SphaeraScene* scene, const SphaeraVec3* from, size_t count,
                                       const SphaeraSightTargets* targets, const SphaeraQueryOptions* options,
                                       uint8_t* out, size_t out_count) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.visibility(rows_of(from, count, "from"), sight_targets(targets), rows_of(out, out_count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_first_hit(const SphaeraScene* scene, const SphaeraRay* rays, size_t count,
                                      const SphaeraQueryOptions* options, SphaeraHit* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.first_hit(rows_of(rays, count, "rays"), rows_of(out, count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_first_hit_ray(const SphaeraScene* scene, const SphaeraRay* ray,
                                          const SphaeraQueryOptions* options, SphaeraHit* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.first_hit(row_of(ray, "ray"), o);
  });
}
SphaeraStatus sphaera_scene_first_hit_segments(const SphaeraScene* scene, const SphaeraSegment* segments,
                                               size_t count, const SphaeraQueryOptions* options,
                                               SphaeraHit* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.first_hit(rows_of(segments, count, "segments"), rows_of(out, count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_first_hit_segment(const SphaeraScene* scene, const SphaeraSegment* segment,
                                              const SphaeraQueryOptions* options, SphaeraHit* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.first_hit(row_of(segment, "segment"), o);
  });
}
SphaeraStatus sphaera_scene_first_surface_hit(const SphaeraScene* scene, const SphaeraRay* rays, size_t count,
                                              const SphaeraQueryOptions* options, SphaeraSurfaceHit* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.first_surface_hit(rows_of(rays, count, "rays"), rows_of(out, count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_first_surface_hit_ray(const SphaeraScene* scene, const SphaeraRay* ray,
                                                  const SphaeraQueryOptions* options,
                                                  SphaeraSurfaceHit* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.first_surface_hit(row_of(ray, "ray"), o);
  });
}
SphaeraStatus sphaera_scene_first_surface_hit_segments(const SphaeraScene* scene,
                                                       const SphaeraSegment* segments, size_t count,
                                                       const SphaeraQueryOptions* options,
                                                       SphaeraSurfaceHit* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.first_surface_hit(rows_of(segments, count, "segments"), rows_of(out, count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_first_surface_hit_segment(const SphaeraScene* scene,
                                                      const SphaeraSegment* segment,
                                                      const SphaeraQueryOptions* options,
                                                      SphaeraSurfaceHit* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.first_surface_hit(row_of(segment, "segment"), o);
  });
}
SphaeraStatus sphaera_scene_all_hits(const SphaeraScene* scene, const SphaeraRay* rays, size_t count,
                                     const SphaeraQueryOptions* options, SphaeraLists* lists) {
  return ask_lists<Hit>(scene, count, options, lists, [&](const Scene& s, const QueryOptions& o, auto& out) {
    s.all_hits(rows_of(rays, count, "rays"), out, o);
  });
}
SphaeraStatus sphaera_scene_all_hits_ray(const SphaeraScene* scene, const SphaeraRay* ray,
                                         const SphaeraQueryOptions* options, SphaeraHit* out, size_t capacity,
                                         size_t* found) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    place(found, "found") = s.all_hits(row_of(ray, "ray"), rows_of(out, capacity, "out"), o);
  });
}
SphaeraStatus sphaera_scene_all_hits_segments(const SphaeraScene* scene, const SphaeraSegment* segments,
                                              size_t count, const SphaeraQueryOptions* options,
                                              SphaeraLists* lists) {
  return ask_lists<Hit>(scene, count, options, lists, [&](const Scene& s, const QueryOptions& o, auto& out) {
    s.all_hits(rows_of(segments, count, "segments"), out, o);
  });
}
SphaeraStatus sphaera_scene_all_hits_segment(const SphaeraScene* scene, const SphaeraSegment* segment,
                                             const SphaeraQueryOptions* options, SphaeraHit* out,
                                             size_t capacity, size_t* found) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    place(found, "found") = s.all_hits(row_of(segment, "segment"), rows_of(out, capacity, "out"), o);
  });
}
