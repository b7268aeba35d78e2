#include <algorithm>
#include <array>
#include <cmath>
#include <index/nesting.hpp>
#include <index/parallel.hpp>

namespace sphaera::index {
namespace {

/// A sphere fits a frame of half-size H if its box grows by no more than a tenth of its radius.
constexpr double least_radius_share = 10 * Frame::inflation;
/// Fewer spheres are not worth a frame: four packets cost about what entering one does.
constexpr std::size_t least_spheres = 32;
/// False candidates that a ray through a cell may meet before the cell is looked at more closely.
constexpr double bearable_candidates = 0.1;

using Ids = std::vector<std::uint32_t>;

/// Spheres of a cell, and what is decided from.
struct Cell {
  Ids ids;
  Vec3 lower{infinity, infinity, infinity},
      upper{-infinity, -infinity, -infinity};  // of what the balls sweep
  double radius_min = infinity;
  double excess = 0;  // Σ (r + ε)² − r²: the area of boxes that is only inflation, in quarters

  Cell(Ids some, const Bodies& bodies, double epsilon) : ids(std::move(some)) {
    for (const std::uint32_t id : ids) {
      const Bounds swept = bodies.swept(id, {});
      const double r = bodies.spheres[id].radius;
      lower = Bodies::lesser(lower, swept.lower), upper = Bodies::greater(upper, swept.upper);
      radius_min = std::min(radius_min, r);
      excess += epsilon * (2 * r + epsilon);
    }
  }
  double half_size() const {
    return 0.5 * std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z});
  }
};

struct Planner {
  const Bodies& bodies;

  /// Gives a frame's spheres their places.
  void place(Ids ids, FramePlan& plan) const {
    const double least_radius = least_radius_share * plan.frame.largest_half_size();
    const auto small = std::stable_partition(
        ids.begin(), ids.end(), [&](std::uint32_t id) { return bodies.spheres[id].radius >= least_radius; });
    Ids small_ids(small, ids.end());
    ids.erase(small, ids.end());
    plan.own = std::move(ids);
    if (!small_ids.empty()) divide(std::move(small_ids), plan);
  }

  /// Small spheres: a frame for those that crowd, the others stay in `plan`.
  void divide(Ids ids, FramePlan& plan) const {
    const double size = plan.frame.largest_half_size(), epsilon = Frame::inflation * size;
    const Cell cell(std::move(ids), bodies, epsilon);
    const double h = cell.half_size();
    const bool crowded = cell.ids.size() > least_spheres && cell.excess > bearable_candidates * h * h;
    const bool fits = cell.radius_min >= least_radius_share * h || h <= least_radius_share * size;
    if (crowded && fits && h <= size / 2) return enter(cell.ids, plan);
    std::array<Ids, 2> halves = split(cell);
    if (cell.ids.size() <= least_spheres || halves[0].empty() || halves[1].empty()) {
      plan.own.insert(plan.own.end(), cell.ids.begin(), cell.ids.end());
      return;
    }
    std::array<FramePlan, 2> parts;
    parallel_pieces(halves.size(), 1, [&](std::size_t i, std::size_t) {
      parts[i].frame = plan.frame;
      divide(std::move(halves[i]), parts[i]);
    });
    for (FramePlan& part : parts) {
      plan.own.insert(plan.own.end(), part.own.begin(), part.own.end());
      std::ranges::move(part.children, std::back_inserter(plan.children));
    }
  }

  void enter(const Ids& ids, FramePlan& plan) const {
    FramePlan child;
    child.holds = FramePlan::Holds::listed;
    std::vector<Sphere> spheres;
    std::vector<Vec3> velocities;
    for (const std::uint32_t id : ids) {
      spheres.push_back(bodies.spheres[id]);
      if (bodies.move()) velocities.push_back(bodies.velocities[id]);
    }
    const Bodies members{spheres, velocities, bodies.from, bodies.to};
    child.frame = frame_of(members, extent_of(members));
    place(ids, child);
    plan.children.push_back(std::move(child));
  }

  /// In two along the longest side, in the middle of the widest gap, so that no crowd is cut.
  std::array<Ids, 2> split(const Cell& cell) const {
    const Vec3 size = cell.upper - cell.lower;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const double lower = cell.lower[axis], bin = size[axis] / gap_bins;
    const auto bin_of = [&](std::uint32_t id) {
      const double at =
          (bodies.spheres[id].center[axis] - lower) / bin;  // no number where the bin underflows
      return at > 0 ? static_cast<std::size_t>(std::min(at, gap_bins - 1.0)) : 0;
    };
    std::array<bool, gap_bins> taken{};
    for (const std::uint32_t id : cell.ids) taken[bin_of(id)] = true;
    const std::size_t middle = middle_of_widest_gap(taken);
    std::array<Ids, 2> halves;
    for (const std::uint32_t id : cell.ids) halves[bin_of(id) >= middle].push_back(id);
    return halves;
  }

  static constexpr std::size_t gap_bins = 64;

  /// The bin that the right half starts with; without a gap the middle one.
  static std::size_t middle_of_widest_gap(const std::array<bool, gap_bins>& taken) {
    std::size_t widest = 0, cut = gap_bins / 2;
    const auto first = static_cast<std::size_t>(std::ranges::find(taken, true) - taken.begin());
    for (std::size_t i = first, gap = 0; i < gap_bins; ++i) {
      if (taken[i] && gap > widest) widest = gap, cut = i - gap / 2;
      gap = taken[i] ? 0 : gap + 1;
    }
    return cut;
  }
};

}  // namespace

FramePlan plan_frames(const Bodies& bodies, const Extent& extent) {
  FramePlan plan;
  plan.frame = frame_of(bodies, extent);
  const Planner planner{bodies};
  if (extent.radius_min >= least_radius_share * plan.frame.largest_half_size()) return plan;
  Ids ids(bodies.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
  planner.place(std::move(ids), plan);
  if (plan.children.empty()) {
    plan.own = {};
  } else {
    plan.holds = FramePlan::Holds::listed;
  }
  return plan;
}

}  // namespace sphaera::index
