#include <base/arena.hpp>
#include <index/frames/scene_bounds.hpp>

namespace sphaera::index {

Extent extent_of(const Members& members) {
  return base::parallel_fold(
      members.size(), Extent{},
      [&](std::size_t begin, std::size_t end, Extent extent) {
        for (std::size_t i = begin; i < end; ++i)
          extent = united(extent, extent_of(members.bodies, members.id(i)));
        return extent;
      },
      united);
}

Frame frame_of(const Members& members, const Extent& extent) {
  const Vec3 center = 0.5 * extent.lower + 0.5 * extent.upper;
  // Measured from the rounded centre, as the boxes will be: far from 0 the extent's own roundings are too
  // coarse.
  const Vec3 half = base::parallel_fold(
      members.size(), Vec3{},
      [&](std::size_t begin, std::size_t end, Vec3 h) {
        for (std::size_t i = begin; i < end; ++i) {
          const Bounds swept = members.bodies.swept(members.id(i), center);
          h = Bodies::greater(h, Bodies::greater(-swept.lower, swept.upper));
        }
        return h;
      },
      Bodies::greater);
  return Frame(center, half);
}

}  // namespace sphaera::index
