#pragma once
/// \file Shared code of the ray verbs.

#include <array>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <tools/files/results/table_columns.hpp>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

struct RayVerb {
  using Query = Ray;
  static constexpr const char* option = "--rays";
  static constexpr const char* query_help = R"(
Rays are the points o + t·d, tmin ≤ t ≤ tmax: the direction has any length but 0 and t counts multiples of it.
tmin defaults to 0 and may be negative, tmax to inf; either may be ±inf; tmin > tmax is a miss. Lengths are in the
scene's unit. Ids of spheres count from 0 in the order of the scene file.
)";

  void declare(CLI::App&) const {}
};

/// Words in the order of Contact. NPY stores their positions.
inline constexpr std::array<std::string_view, 3> contact_words{"miss", "enters", "starts_inside"};

/// The meaning of the column `ray`.
inline constexpr const char* ray_number = "number of the ray, from 0 in the order of the file";

}  // namespace sphaera::tool
