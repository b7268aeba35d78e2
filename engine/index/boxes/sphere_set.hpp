#pragma once
/// \file The spheres of an index: at rest, or each at its own constant velocity during a time interval.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sphaera/sphere.hpp>
#include <vector>

namespace sphaera::index {

/// Two corners, lower ≤ upper on each axis.
struct Bounds {
  Vec3 lower, upper;
};

/// Are two spheres equal, and do they move alike? Then every path, ball or bullet meets both at one time and
/// at one distance. `velocities`: null if they rest.
inline bool are_equal(const Sphere* spheres, const Vec3* velocities, std::uint32_t a, std::uint32_t b) {
  return spheres[a] == spheres[b] && (!velocities || velocities[a] == velocities[b]);
}

struct SphereSet {
  std::span<const Sphere> spheres;     ///< at time 0
  std::span<const Vec3> velocities{};  ///< empty: all at rest
  double from = 0, to = 0;             ///< from ≤ 0 ≤ to

  std::size_t size() const { return spheres.size(); }
  bool move() const { return !velocities.empty(); }
  /// Does the interval begin so shortly before 0 that boxes may begin at 0? Spheres are then, at `from`,
  /// within 2^-39 of the frame's half-size of their places at time 0. ../proofs.md, section 1, has room for
  /// that among the double roundings.
  bool begins_now() const { return -from <= 0x1p-40 * to; }

  /// The start of the interval; 0 if begins_now().
  double start() const { return begins_now() ? 0 : from; }

  /// Bounds, relative to a point, of the volume that a sphere sweeps. Off by 4u of the largest coordinate of
  /// the sphere and the point: the difference, the products, two sums.
  Bounds swept(std::size_t i, const Vec3& point) const {
    const Sphere& s = spheres[i];
    const Vec3 c = s.center - point, r{s.radius, s.radius, s.radius};
    if (!move()) return {c - r, c + r};
    const Vec3 first = from * velocities[i], last = to * velocities[i];
    return {c + lesser(first, last) - r, c + greater(first, last) + r};
  }

  static Vec3 lesser(const Vec3& a, const Vec3& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
  }
  static Vec3 greater(const Vec3& a, const Vec3& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
  }
};

/// A subset of a sphere set: the listed ids, or all.
struct SphereSubset {
  SphereSet sphere_set;
  const std::vector<std::uint32_t>* ids = nullptr;  ///< null: all

  std::size_t size() const { return ids ? ids->size() : sphere_set.size(); }
  std::uint32_t id(std::size_t i) const { return ids ? (*ids)[i] : static_cast<std::uint32_t>(i); }
};

}  // namespace sphaera::index
