#pragma once
/// \file Cases for the decisions of engine/exact: random ones, and ones at the edge of an answer.

#include <array>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <string>
#include <tests/inputs/random_numbers.hpp>
#include <variant>

namespace sphaera::test {

enum class Family : std::uint8_t {
  // random
  crowd,          ///< coordinates up to 1e3, radii 0.1 … 10
  planetary,      ///< distance up to 1e6 radii, lengths 1 … 1e13
  all_scales,     ///< every length log-uniform in 1e-3 … 1e13
  segments,       ///< given by two ends
  infinite_ends,  ///< t_min or t_max ±∞, in the wrong order, or equal
  // adversarial
  near_tangent,    ///< radius within ulps of the distance of the line
  exact_tangent,   ///< touches in one point, by integer rotations
  axis,            ///< along an axis, grazing or through the center
  surface_origin,  ///< starts within ulps of the surface, or at the center
  end_at_root,     ///< t_min or t_max within ulps of t1 or t2
  exact_roots,     ///< t_min or t_max is t1 or t2
  order_tie,       ///< two spheres entered at the same t, or a mirror pair, or the same sphere twice
  order_near_tie,  ///< the same within ulps
  distance_tie,    ///< a point equally far from two surfaces, exactly or within ulps
  touching,        ///< spheres that touch from outside or inside, exactly or within ulps
  segment_edge,    ///< segments within ulps of tangency or with an end within ulps of the surface
  degenerate,      ///< segments of no length, spheres of next to no radius
  patterns,        ///< random bits over the whole range of exponents
};

inline constexpr int family_count = static_cast<int>(Family::patterns) + 1;

const char* name(Family family);
constexpr bool adversarial(Family family) { return family >= Family::near_tangent; }

struct Case {
  Family family{};
  std::variant<Ray, Segment> path;
  Sphere a, b;
  Vec3 x;        ///< a point
  double t = 0;  ///< a parameter of the path
};

Case make_case(Family family, Random& random);

/// All inputs as hex floats, ready to become a regression.
std::string describe(const Case& c);
std::string describe(const Ray& ray);
std::string describe(const Segment& segment);
std::string describe(const Sphere& sphere);
std::string describe(const Vec3& v);

}  // namespace sphaera::test
