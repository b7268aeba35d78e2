#pragma once
/// \file Sorts rays along a space-filling curve, for measurements in which every engine gets coherent rays.

#include <cstdint>
#include <span>
#include <sphaera/ray.hpp>

namespace sphaera::bench {

enum class SortBy : std::uint8_t { origin, direction };

/// Sorts by the Morton codes of the rays' origins or unit directions, whose coordinates are rounded to 2^20
/// steps over the bounds of the batch.
void sort_rays(std::span<Ray> rays, SortBy by);

}  // namespace sphaera::bench
