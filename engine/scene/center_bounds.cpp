#include <algorithm>
#include <base/arena.hpp>
#include <scene/center_bounds.hpp>
#include <scene/state.hpp>

namespace sphaera::query {
namespace {

CenterBounds united(const CenterBounds& a, const CenterBounds& b) {
  using index::SphereSet;
  return {SphereSet::lesser(a.lower, b.lower), SphereSet::greater(a.upper, b.upper),
          std::max(a.largest_radius, b.largest_radius),
          std::max({std::min(a.largest_radius, b.largest_radius), a.second_radius, b.second_radius})};
}

}  // namespace

CenterBounds center_bounds_of(const SceneState& state) {
  const std::span<const Sphere> spheres = state.spheres.span();
  return base::parallel_fold(
      spheres.size(), CenterBounds{},
      [&](std::size_t begin, std::size_t end, CenterBounds bounds) {
        for (std::size_t i = begin; i < end; ++i)
          if (state.is_enabled(static_cast<std::uint32_t>(i)))
            bounds = united(bounds, {spheres[i].center, spheres[i].center, spheres[i].radius, 0});
        return bounds;
      },
      united);
}

}  // namespace sphaera::query
