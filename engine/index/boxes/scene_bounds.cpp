#include <base/arena.hpp>
#include <index/boxes/scene_bounds.hpp>

namespace sphaera::index {

SceneBounds scene_bounds_of(const SphereSubset& members) {
  return base::parallel_fold(
      members.size(), SceneBounds{},
      [&](std::size_t begin, std::size_t end, SceneBounds bounds) {
        for (std::size_t i = begin; i < end; ++i)
          bounds = united(bounds, scene_bounds_of(members.sphere_set, members.id(i)));
        return bounds;
      },
      [](const auto& a, const auto& b) { return united(a, b); });
}

Frame frame_of(const SphereSubset& members, const SceneBounds& bounds) {
  const Vec3 center = 0.5 * bounds.lower + 0.5 * bounds.upper;
  // Measured from the rounded center, as the boxes will be: far from 0 the roundings of the bounds are too
  // coarse.
  const Vec3 half = base::parallel_fold(
      members.size(), Vec3{},
      [&](std::size_t begin, std::size_t end, Vec3 h) {
        for (std::size_t i = begin; i < end; ++i) {
          const Bounds swept = members.sphere_set.swept(members.id(i), center);
          h = SphereSet::greater(h, SphereSet::greater(-swept.lower, swept.upper));
        }
        return h;
      },
      SphereSet::greater);
  return Frame(center, half);
}

}  // namespace sphaera::index
