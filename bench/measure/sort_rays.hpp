#pragma once
/// \file Sorts rays along a space-filling curve, for measurements in which every engine gets coherent rays.

#include <cstdint>
#include <span>
#include <sphaera/ray.hpp>

namespace sphaera::bench {

enum class SortBy : std::uint8_t { origin, direction };

/// Morton order of the rays' origins or unit directions, with 2^20 steps of the batch's bounds on each axis.
void sort_rays(std::span<Ray> rays, SortBy by);

}  // namespace sphaera::bench
