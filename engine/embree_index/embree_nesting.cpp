#include <algorithm>
#include <array>
#include <base/arena.hpp>
#include <embree_index/embree_nesting.hpp>

namespace sphaera::embree_index {
namespace {

using exact::u;

/// Spheres that a frame's inflation makes larger by more than a tenth are small for it.
constexpr double small_share = 10 * Frame::inflation;
/// A ray that passes a cell may test this many spheres in vain; entering a frame costs about as much.
constexpr double max_wasted_tests = 4;
/// Cells along the longest side of the box around the small spheres.
constexpr std::uint32_t cells = 32;
/// Frames nest no deeper, so that walks within walks fit a thread's stack. Each is 30 times smaller than its
/// parent: 1e47 from the first to the last.
constexpr int deepest = 32;

using Ids = std::vector<std::uint32_t>;

Vec3 lesser(const Vec3& a, const Vec3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 greater(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

/// Corners of a box around balls, relative to a point, and the least radius of the balls.
struct Bounds {
  Vec3 lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};
  double least_radius = infinity;

  Bounds with(const Bounds& other) const {
    return {lesser(lower, other.lower), greater(upper, other.upper),
            std::min(least_radius, other.least_radius)};
  }
};

struct Planner {
  std::span<const Sphere> spheres;
  double inflation;

  /// The bounds of the spheres id_of(i), 0 ≤ i < n, relative to `about`.
  template <class IdOf>
  Bounds bounds(std::size_t n, const IdOf& id_of, const Vec3& about) const {
    return base::parallel_fold(
        n, Bounds{},
        [&](std::size_t begin, std::size_t end, Bounds all) {
          for (std::size_t i = begin; i < end; ++i) {
            const auto& [center, radius] = spheres[id_of(i)];
            const Vec3 c = center - about, r{radius, radius, radius};
            all = all.with({c - r, c + r, radius});
          }
          return all;
        },
        [](const Bounds& a, const Bounds& b) { return a.with(b); });
  }

  /// A frame around spheres, still without contents. Its half-sizes are taken about its rounded center; three
  /// roundings, 4u. `least_radius` receives the least radius.
  template <class IdOf>
  NestedFrame frame_of(std::size_t n, const IdOf& id_of, double& least_radius) const {
    const Bounds world = bounds(n, id_of, {});
    const Vec3 center = 0.5 * world.lower + 0.5 * world.upper;
    const Bounds local = bounds(n, id_of, center);
    least_radius = world.least_radius;
    NestedFrame frame;
    frame.frame = Frame({center, (1 + 4 * u) * greater(-local.lower, local.upper)}, inflation);
    return frame;
  }

  double least_radius_for(const Frame& frame) const { return small_share * frame.size(); }

  /// Gives frames of their own to the small spheres of cells that are crowded. `small`: the small spheres of
  /// `frame`.
  void nest(NestedFrame& frame, const Ids& small, int depth) const {
    if (small.empty()) return;
    for (const Ids& cell : cells_of(small)) {
      if (depth < deepest && crowds(cell, frame.frame)) {
        frame.children.push_back(nested(cell, depth + 1));
      } else {
        frame.spheres.insert(frame.spheres.end(), cell.begin(), cell.end());
      }
    }
  }

  /// A frame of the listed spheres.
  NestedFrame nested(const Ids& ids, int depth) const {
    double least_radius = 0;
    NestedFrame frame = frame_of(ids.size(), [&](std::size_t i) { return ids[i]; }, least_radius);
    if (least_radius >= least_radius_for(frame.frame)) {
      frame.spheres = ids;
      return frame;
    }
    const auto is_small = [&](std::uint32_t id) {
      return spheres[id].radius < least_radius_for(frame.frame);
    };
    Ids small;
    for (const std::uint32_t id : ids) (is_small(id) ? small : frame.spheres).push_back(id);
    nest(frame, small, depth);
    return frame;
  }

  /// Groups spheres by the cells of a grid about their volume.
  std::vector<Ids> cells_of(const Ids& ids) const {
    const auto id_of = [&](std::size_t i) { return ids[i]; };
    const Bounds all = bounds(ids.size(), id_of, {});
    const Vec3 size = all.upper - all.lower;
    const double cell = std::max({size.x, size.y, size.z}) / cells;
    struct Place {
      std::uint32_t cell, id;
    };
    std::vector<Place> places(ids.size());
    base::parallel_pieces(ids.size(), base::cheap_items_per_piece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        std::uint32_t number = 0;
        for (int axis = 0; axis < 3; ++axis) {
          const double at = (spheres[ids[i]].center[axis] - all.lower[axis]) / cell;  // NaN: cell underflows
          number = number * cells + static_cast<std::uint32_t>(at > 0 ? std::min(at, cells - 1.0) : 0);
        }
        places[i] = {number, ids[i]};
      }
    });
    std::ranges::stable_sort(places, {}, &Place::cell);
    std::vector<Ids> groups;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i == 0 || places[i].cell != places[i - 1].cell) groups.emplace_back();
      groups.back().push_back(places[i].id);
    }
    return groups;
  }

  /// Does inflation cost a ray through these spheres more than a frame would? A frame that is not much
  /// smaller than `frame` would not help.
  bool crowds(const Ids& ids, const Frame& frame) const {
    if (static_cast<double>(ids.size()) <= max_wasted_tests) return false;
    const Bounds world = bounds(ids.size(), [&](std::size_t i) { return ids[i]; }, {});
    const Vec3 size = world.upper - world.lower;
    const double margin = Frame::inflation * frame.size(),
                 half = 0.5 * std::max({size.x, size.y, size.z}) + margin;
    if (half > frame.size() / 4) return false;
    double in_vain = 0;  // sum over the spheres: share of the cell's area that only the inflation covers
    for (const std::uint32_t id : ids) {
      const double r = spheres[id].radius / half, e = margin / half;
      in_vain += e * (2 * r + e);
    }
    return in_vain > max_wasted_tests;
  }
};

}  // namespace

NestedFrame nested_frames(std::span<const Sphere> spheres, double inflation) {
  const Planner planner{spheres, inflation};
  const auto all = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  double least_radius = 0;
  NestedFrame top = planner.frame_of(spheres.size(), all, least_radius);
  top.holds_all = least_radius >= planner.least_radius_for(top.frame);
  if (top.holds_all) return top;
  Ids ids(spheres.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
  NestedFrame frame = planner.nested(ids, 0);
  if (frame.children.empty()) frame.spheres = {}, frame.holds_all = true;
  return frame;
}

}  // namespace sphaera::embree_index
