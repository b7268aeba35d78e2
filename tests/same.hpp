#pragma once
/// \file Answers that are the same to the last bit.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <sphaera/sphaera.hpp>

namespace sphaera::test {

/// The same bits; so a NaN equals itself, and 0 differs from −0.
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same(const Vec3& a, const Vec3& b) { return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z); }
inline bool same(std::int64_t a, std::int64_t b) { return a == b; }
inline bool same(std::uint8_t a, std::uint8_t b) { return a == b; }
inline bool same(const Hit& a, const Hit& b) {
  return same(a.t_enter, b.t_enter) && same(a.t_exit, b.t_exit) && a.sphere == b.sphere &&
         a.contact == b.contact;
}
inline bool same(const SurfaceHit& a, const SurfaceHit& b) {
  return same(static_cast<const Hit&>(a), b) && same(a.point, b.point) && same(a.normal, b.normal);
}
inline bool same(const Neighbor& a, const Neighbor& b) {
  return same(a.distance, b.distance) && a.sphere == b.sphere;
}
inline bool same(const ExposedArea& a, const ExposedArea& b) {
  return same(a.area, b.area) && same(a.share, b.share) && same(a.outward, b.outward) && a.hider == b.hider &&
         a.exposure == b.exposure;
}
inline bool same(const Impact& a, const Impact& b) {
  return same(a.time, b.time) && same(a.exit_time, b.exit_time) && same(a.distance, b.distance) &&
         same(a.angle, b.angle) && same(a.point, b.point) && same(a.center, b.center) &&
         same(a.normal, b.normal) && same(a.velocity, b.velocity) && same(a.exit_point, b.exit_point) &&
         a.sphere == b.sphere && a.bounce == b.bounce && a.contact == b.contact && a.outcome == b.outcome;
}
inline bool same(const FlightEnd& a, const FlightEnd& b) {
  return same(a.time, b.time) && same(a.center, b.center) && same(a.velocity, b.velocity) &&
         a.outcome == b.outcome;
}
inline bool same(const NearMiss& a, const NearMiss& b) {
  return same(a.distance, b.distance) && same(a.time, b.time) && same(a.point, b.point) &&
         a.sphere == b.sphere;
}
inline bool same(const Visibility& a, const Visibility& b) {
  return same(a.fraction, b.fraction) && same(a.flux, b.flux) && same(a.magnitude, b.magnitude) &&
         a.dominant == b.dominant && a.occluders == b.occluders && a.phase == b.phase &&
         a.blocked == b.blocked && a.status == b.status;
}
inline bool same(const SkyShare& a, const SkyShare& b) {
  return same(a.open, b.open) && same(a.open_by_cosine, b.open_by_cosine) && same(a.error, b.error) &&
         a.discs == b.discs && a.rays == b.rays;
}

template <class Items, class OtherItems>
bool all_same(const Items& a, const OtherItems& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return same(x, y); });
}

}  // namespace sphaera::test
