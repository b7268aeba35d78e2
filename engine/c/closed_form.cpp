#include <algorithm>
#include <c/handles.hpp>
#include <c/rows.hpp>
#include <optional>
#include <string>

// One path and one sphere, two spheres.

namespace sphaera::c {
namespace {

/// Writes an answer that there may be.
template <class Row>
void put(const std::optional<CppRow<Row>>& answer, Row* out, std::int32_t* found) {
  place(found, "found");
  CppRow<Row>& to = row_of(out, "out");
  *found = answer ? 1 : 0;
  if (answer) to = *answer;
}

template <class Path>
SphaeraStatus meets_path(const Path* path, const SphaeraSphere* sphere, const SphaeraConvention* rule,
                         std::int32_t* out) noexcept {
  return call([&] {
    Convention convention;
    if (rule != nullptr) {
      const SphaeraConvention& given = span_of<const SphaeraConvention>(rule, 1, "convention")[0];
      convention = {static_cast<Convention::Tangent>(given.tangent), static_cast<Convention::End>(given.end),
                    static_cast<Convention::Start>(given.start)};
    }
    row_of(out, "meets") = meets(row_of(path, "path"), row_of(sphere, "sphere"), convention) ? 1 : 0;
  });
}

/// Of ray i of a batch, which an error names.
ChordSums sums_of(const Ray& ray, std::span<const Hit> hits, std::size_t i) {
  try {
    return chord_sums(ray, hits);
  } catch (const Error& error) {
    throw Error(error.code(), "ray " + std::to_string(i), error.reason(), static_cast<std::int64_t>(i));
  }
}

}  // namespace
}  // namespace sphaera::c

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_meets_ray(const SphaeraRay* ray, const SphaeraSphere* sphere,
                                const SphaeraConvention* convention, int32_t* meets) {
  return meets_path(ray, sphere, convention, meets);
}
SphaeraStatus sphaera_intersect_ray(const SphaeraRay* ray, const SphaeraSphere* sphere,
                                    SphaeraIntersection* out) {
  return call([&] { row_of(out, "out") = intersect(row_of(ray, "ray"), row_of(sphere, "sphere")); });
}
SphaeraStatus sphaera_contact_ray(const SphaeraRay* ray, const SphaeraSphere* sphere, uint8_t* out) {
  return call([&] {
    row_of(out, "contact") = static_cast<std::uint8_t>(contact(row_of(ray, "ray"), row_of(sphere, "sphere")));
  });
}
SphaeraStatus sphaera_root_count_ray(const SphaeraRay* ray, const SphaeraSphere* sphere, int32_t* roots) {
  return call([&] { row_of(roots, "roots") = root_count(row_of(ray, "ray"), row_of(sphere, "sphere")); });
}
SphaeraStatus sphaera_closest_approach_ray(const SphaeraRay* ray, const SphaeraVec3* center, double* t) {
  return call([&] { row_of(t, "t") = closest_approach(row_of(ray, "ray"), row_of(center, "center")); });
}
SphaeraStatus sphaera_point_at_ray(const SphaeraRay* ray, double t, SphaeraVec3* point) {
  return call([&] { row_of(point, "point") = point_at(row_of(ray, "ray"), t); });
}
SphaeraStatus sphaera_pierce_ray(const SphaeraRay* ray, const SphaeraSphere* sphere, SphaeraPierce* out,
                                 int32_t* found) {
  return call([&] { put(pierce(row_of(ray, "ray"), row_of(sphere, "sphere")), out, found); });
}
SphaeraStatus sphaera_hit_point_ray(const SphaeraRay* ray, const SphaeraSphere* sphere,
                                    SphaeraSurfacePoint* out, int32_t* found) {
  return call([&] { put(hit_point(row_of(ray, "ray"), row_of(sphere, "sphere")), out, found); });
}

SphaeraStatus sphaera_meets_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                    const SphaeraConvention* convention, int32_t* meets) {
  return meets_path(segment, sphere, convention, meets);
}
SphaeraStatus sphaera_intersect_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                        SphaeraIntersection* out) {
  return call([&] { row_of(out, "out") = intersect(row_of(segment, "segment"), row_of(sphere, "sphere")); });
}
SphaeraStatus sphaera_contact_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                      uint8_t* out) {
  return call([&] {
    row_of(out, "contact") =
        static_cast<std::uint8_t>(contact(row_of(segment, "segment"), row_of(sphere, "sphere")));
  });
}
SphaeraStatus sphaera_root_count_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                         int32_t* roots) {
  return call(
      [&] { row_of(roots, "roots") = root_count(row_of(segment, "segment"), row_of(sphere, "sphere")); });
}
SphaeraStatus sphaera_closest_approach_segment(const SphaeraSegment* segment, const SphaeraVec3* center,
                                               double* t) {
  return call(
      [&] { row_of(t, "t") = closest_approach(row_of(segment, "segment"), row_of(center, "center")); });
}
SphaeraStatus sphaera_point_at_segment(const SphaeraSegment* segment, double t, SphaeraVec3* point) {
  return call([&] { row_of(point, "point") = point_at(row_of(segment, "segment"), t); });
}
SphaeraStatus sphaera_pierce_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                     SphaeraPierce* out, int32_t* found) {
  return call([&] { put(pierce(row_of(segment, "segment"), row_of(sphere, "sphere")), out, found); });
}
SphaeraStatus sphaera_hit_point_segment(const SphaeraSegment* segment, const SphaeraSphere* sphere,
                                        SphaeraSurfacePoint* out, int32_t* found) {
  return call([&] { put(hit_point(row_of(segment, "segment"), row_of(sphere, "sphere")), out, found); });
}

SphaeraStatus sphaera_ricochet(const SphaeraShot* shot, const SphaeraSphere* sphere, SphaeraRicochet* out,
                               int32_t* found) {
  return call([&] { put(ricochet(row_of(shot, "shot"), row_of(sphere, "sphere")), out, found); });
}
SphaeraStatus sphaera_closest_point(const SphaeraSegment* segment, const SphaeraVec3* position,
                                    SphaeraClosestPoint* out) {
  return call(
      [&] { row_of(out, "out") = closest_point(row_of(segment, "segment"), row_of(position, "position")); });
}
SphaeraStatus sphaera_intersection_circle(const SphaeraSphere* first, const SphaeraSphere* second,
                                          SphaeraIntersectionCircle* out) {
  return call(
      [&] { row_of(out, "out") = intersection_circle(row_of(first, "first"), row_of(second, "second")); });
}
SphaeraStatus sphaera_chord_sums(const SphaeraRay* rays, size_t count, const SphaeraHit* hits,
                                 const uint64_t* offsets, SphaeraChordSums* out) {
  return call([&] {
    const auto asked = rows_of(rays, count, "rays");
    const auto sums = rows_of(out, count, "out");
    const auto ends = span_of<const std::uint64_t>(offsets, count + 1, "offsets");
    if (!std::ranges::is_sorted(ends)) refuse("offsets", "descend");
    const auto found = rows_of(hits, ends.back(), "hits");
    for (std::size_t i = 0; i < count; ++i) sums_of(asked[i], {}, i);  // checks it
    for (std::size_t i = 0; i < count; ++i)
      sums[i] = sums_of(asked[i], found.subspan(ends[i], ends[i + 1] - ends[i]), i);
  });
}
