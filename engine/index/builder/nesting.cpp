#include <algorithm>
#include <array>
#include <base/arena.hpp>
#include <bit>
#include <cmath>
#include <index/builder/nesting.hpp>
#include <iterator>
#include <utility>

namespace sphaera::index {
namespace {

/// A sphere fits a frame of half-size H if its box grows by at most a tenth of its radius.
constexpr double least_radius_share = 10 * Frame::inflation;
/// Fewer spheres get no frame: testing four leaf blocks costs about as much as entering a frame.
constexpr std::size_t least_spheres = 32;
/// False candidates allowed for a ray through a cell. Above this the cell is examined more closely.
constexpr double bearable_candidates = 0.1;
/// Largest size of a child frame relative to its parent.
constexpr double greatest_child_share = 0.75;
/// Limit on consecutive splits, enclosing frames included, that leave most spheres in one part. After that
/// the spheres are split by shells. People on a planet in a solar system take 4, bodies of a galaxy up to 25.
constexpr int max_lopsided = 32;

using Ids = std::vector<std::uint32_t>;

/// Ids by bin, up to 64 bins, and parts that are runs of bins.
class Binned {
 public:
  static constexpr std::size_t bins = 64;

  template <class BinOf>
  Binned(const Ids& ids, const BinOf& bin_of)
      : ids_(ids),
        grain_(std::max(least_grain, (ids.size() + max_pieces - 1) / max_pieces)),
        bin_(ids.size()),
        counts_((ids.size() + grain_ - 1) / grain_) {
    base::parallel_pieces(ids.size(), grain_, [&](std::size_t begin, std::size_t end) {
      std::array<std::uint32_t, bins>& counts = counts_[begin / grain_];
      for (std::size_t i = begin; i < end; ++i) ++counts[bin_[i] = static_cast<std::uint8_t>(bin_of(ids[i]))];
    });
  }

  /// One bit for each bin that is not empty.
  std::uint64_t taken() const {
    std::uint64_t set = 0;
    for (const auto& counts : counts_)
      for (std::size_t bin = 0; bin < bins; ++bin) set |= std::uint64_t{counts[bin] > 0} << bin;
    return set;
  }

  /// Part i holds the ids of the bins from starts[i] up to the next start, in their given order.
  std::vector<Ids> parts(std::span<const std::size_t> starts) {
    std::array<std::uint8_t, bins> part{};
    for (std::size_t i = 1; i < starts.size(); ++i)
      std::fill(part.begin() + static_cast<std::ptrdiff_t>(starts[i]), part.end(),
                static_cast<std::uint8_t>(i));
    std::vector<Ids> parts(starts.size());
    std::array<std::uint32_t, bins> next{};
    for (auto& counts : counts_) {
      std::array<std::uint32_t, bins> of_part{};
      for (std::size_t bin = 0; bin < bins; ++bin) of_part[part[bin]] += counts[bin];
      for (std::size_t i = 0; i < parts.size(); ++i) counts[i] = std::exchange(next[i], next[i] + of_part[i]);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].resize(next[i]);
    base::parallel_pieces(ids_.size(), grain_, [&](std::size_t begin, std::size_t end) {
      std::array<std::uint32_t, bins>& places = counts_[begin / grain_];
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t to = part[bin_[i]];
        parts[to][places[to]++] = ids_[i];
      }
    });
    return parts;
  }

 private:
  static constexpr std::size_t least_grain = 1 << 14, max_pieces = 64;

  const Ids& ids_;
  std::size_t grain_;
  std::vector<std::uint8_t> bin_;
  std::vector<std::array<std::uint32_t, bins>> counts_;  // per piece: ids per bin; later their places
};

/// Spheres that may share a frame: the numbers on which that decision depends.
struct Cell {
  SceneBounds bounds;
  double excess = 0;  // Σ (r + ε)² − r², scaled: a quarter of the area that inflation adds to one face

  static Cell of(const Ids& ids, const SphereSet& sphere_set, const Frame& frame) {
    const double scale = frame.scale(), epsilon = Frame::inflation * frame.largest_half_size() * scale;
    return base::parallel_fold(
        ids.size(), Cell{},
        [&](std::size_t begin, std::size_t end, Cell cell) {
          for (std::size_t i = begin; i < end; ++i) {
            const double r = sphere_set.spheres[ids[i]].radius * scale;
            cell = cell.with({scene_bounds_of(sphere_set, ids[i]), epsilon * (2 * r + epsilon)});
          }
          return cell;
        },
        [](const Cell& a, const Cell& b) { return a.with(b); });
  }
  Vec3 size() const { return bounds.upper - bounds.lower; }
  double half_size() const { return 0.5 * std::max({size().x, size().y, size().z}); }

 private:
  Cell with(const Cell& other) const { return {united(bounds, other.bounds), excess + other.excess}; }
};

struct Planner {
  const SphereSet& sphere_set;

  /// Assigns a frame's spheres to the frame or to child frames. `lopsided`: number of splits so far that
  /// count for `max_lopsided`.
  void place(const Ids& ids, FramePlan& plan, int lopsided) const {
    const double least_radius = least_radius_share * plan.frame.largest_half_size();
    const auto is_small = [&](std::uint32_t id) { return sphere_set.spheres[id].radius < least_radius; };
    std::vector<Ids> parts = Binned(ids, is_small).parts(std::array<std::size_t, 2>{0, 1});
    plan.own = std::move(parts[0]);
    if (!parts[1].empty()) divide(std::move(parts[1]), plan, lopsided);
  }

  /// Gives crowded small spheres a child frame; the others stay in `plan`. Where most are in one part, the
  /// loop goes on with that part, so calls nest only as often as parts can get smaller by a quarter.
  void divide(Ids ids, FramePlan& plan, int lopsided) const {
    for (;; ++lopsided) {
      std::vector<Ids> parts = parts_of(ids, plan, lopsided);
      if (parts.empty()) return;
      const auto largest = std::ranges::max_element(parts, {}, &Ids::size);
      const bool alone = is_most(largest->size(), ids.size());
      ids = alone ? std::move(*largest) : Ids{};
      if (alone) parts.erase(largest);
      divide_all(std::move(parts), plan);
      if (!alone) return;
    }
  }
  static bool is_most(std::size_t part, std::size_t whole) { return part > whole - whole / 4; }

  void divide_all(std::vector<Ids> parts, FramePlan& plan) const {
    std::vector<FramePlan> plans(parts.size());
    base::parallel_pieces(parts.size(), 1, [&](std::size_t i, std::size_t) {
      plans[i].frame = plan.frame;
      divide(std::move(parts[i]), plans[i], 0);
    });
    for (FramePlan& part : plans) {
      plan.own.insert(plan.own.end(), part.own.begin(), part.own.end());
      std::ranges::move(part.children, std::back_inserter(plan.children));
    }
  }

  /// The parts still to be divided; empty where the spheres got a frame or stay in `plan`. Separate from
  /// `divide`, whose calls nest, to keep these locals off its stack frame.
  [[gnu::noinline]] std::vector<Ids> parts_of(const Ids& ids, FramePlan& plan, int lopsided) const {
    const Frame& frame = plan.frame;
    const double size = frame.largest_half_size();
    const Cell cell = Cell::of(ids, sphere_set, frame);
    const double h = cell.half_size(), scaled = h * frame.scale();
    const bool crowded = ids.size() > least_spheres && cell.excess > bearable_candidates * scaled * scaled;
    const bool fits = cell.bounds.radius_min >= least_radius_share * h || h <= least_radius_share * size;
    if (crowded && fits && h <= size / 2) {
      if (!enter(ids, cell.bounds, plan, lopsided)) stay(ids, plan);
      return {};
    }
    if (ids.size() > least_spheres) {
      std::vector<Ids> parts;
      if (lopsided >= max_lopsided) parts = shells(ids, frame);
      if (parts.size() <= 1) parts = split(ids, cell);
      if (parts.size() > 1) return parts;
    }
    stay(ids, plan);
    return {};
  }

  static void stay(const Ids& ids, FramePlan& plan) {
    plan.own.insert(plan.own.end(), ids.begin(), ids.end());
  }

  /// Gives the spheres a child frame. Returns false, and adds nothing, if it would be larger than
  /// `greatest_child_share` of its parent. No frame is smaller than 2^-520 (frame.cpp), so a frame of that
  /// size has no children. Thus the depth is at most the number of times that 2^201 can be multiplied by
  /// `greatest_child_share` before it is below 2^-520. In practice it is far less: n spheres smaller than
  /// `least_radius_share` of the frame crowd in at most 1.45·√n·least_radius_share of its size, 1/57 for 1e6
  /// spheres. Spheres of all sizes about one place nest 45 deep.
  bool enter(const Ids& ids, const SceneBounds& bounds, FramePlan& plan, int lopsided) const {
    FramePlan child;
    child.holds = FramePlan::Holds::listed;
    child.frame = frame_of({sphere_set, &ids}, bounds);
    if (child.frame.largest_half_size() > greatest_child_share * plan.frame.largest_half_size()) return false;
    place(ids, child, lopsided);
    plan.children.push_back(std::move(child));
    return true;
  }

  /// Splits along the longest side: in the middle of gaps, so that no crowd is cut, or in the middle if there
  /// are none. Empty where there is no cut.
  std::vector<Ids> split(const Ids& ids, const Cell& cell) const {
    const Vec3 size = cell.size();
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const double lower = cell.bounds.lower[axis], bin = size[axis] / Binned::bins;
    Binned binned(ids, [&](std::uint32_t id) {
      const double at =
          (sphere_set.spheres[id].center[axis] - lower) / bin;  // NaN if the bin's size underflows
      return at > 0 ? static_cast<std::size_t>(std::min(at, Binned::bins - 1.0)) : 0;
    });
    const std::vector<std::size_t> starts = cuts(binned.taken());
    return starts.size() > 1 ? binned.parts(starts) : std::vector<Ids>{};
  }

  /// Splits spheres of all scales about one place by their distance from their median; planes would cut off
  /// only one octave at a time. The innermost part is small enough for a frame, around it lie shells of an
  /// octave each. Empty where one shell holds most spheres: since at most half of them lie on either side of
  /// the median, a few planes then separate them.
  std::vector<Ids> shells(const Ids& ids, const Frame& frame) const {
    const Vec3 middle = median(ids);
    const int innermost = std::ilogb(least_radius_share * frame.largest_half_size()) - 1;
    Binned binned(ids, [&](std::uint32_t id) {
      const Bounds reach = sphere_set.swept(id, middle);
      const Vec3 far = SphereSet::greater(-reach.lower, reach.upper);
      const int octave = std::ilogb(std::max({far.x, far.y, far.z})) - innermost;
      return static_cast<std::size_t>(std::clamp(octave, 0, static_cast<int>(Binned::bins) - 1));
    });
    std::vector<std::size_t> starts{0};
    const std::uint64_t taken = binned.taken();
    for (std::size_t bin = 1; bin < Binned::bins; ++bin)
      if (taken >> bin & 1 && taken << (Binned::bins - bin) != 0) starts.push_back(bin);
    if (starts.size() == 1) return {};
    std::vector<Ids> parts = binned.parts(starts);
    const bool helps =
        std::ranges::none_of(parts.begin() + static_cast<std::ptrdiff_t>(taken & 1), parts.end(),
                             [&](const Ids& part) { return is_most(part.size(), ids.size()); });
    return helps ? std::move(parts) : std::vector<Ids>{};
  }

  /// The median of the centers along each axis.
  Vec3 median(const Ids& ids) const {
    std::array<double, 3> middle{};
    base::parallel_pieces(3, 1, [&](std::size_t axis, std::size_t) {
      std::vector<double> at;
      at.reserve(ids.size());
      for (const std::uint32_t id : ids) at.push_back(sphere_set.spheres[id].center[static_cast<int>(axis)]);
      const auto half = at.begin() + static_cast<std::ptrdiff_t>(at.size() / 2);
      std::ranges::nth_element(at, half);
      middle[axis] = *half;
    });
    return {middle[0], middle[1], middle[2]};
  }

  /// Bins in a gap that separates two parts.
  static constexpr std::size_t wide_gap = Binned::bins / 8;

  /// The first bin of each part. Each wide gap is cut in its middle. If no gap is wide, only the widest gap
  /// is cut; without gaps, the cut is at the middle bin. If a side would be empty, there is no cut and only
  /// one part.
  static std::vector<std::size_t> cuts(std::uint64_t taken) {
    std::vector<std::size_t> starts{0};
    const auto first = static_cast<std::size_t>(std::countr_zero(taken)),
               last = Binned::bins - 1 - static_cast<std::size_t>(std::countl_zero(taken));
    std::size_t widest = 0, cut = Binned::bins / 2;
    for (std::size_t i = first, gap = 0; i <= last; ++i) {
      const bool is_taken = taken >> i & 1;
      if (is_taken && gap >= wide_gap) starts.push_back(i - gap / 2);
      if (is_taken && gap > widest) widest = gap, cut = i - gap / 2;
      gap = is_taken ? 0 : gap + 1;
    }
    if (starts.size() == 1 && first < cut && cut <= last) starts.push_back(cut);
    return starts;
  }
};

}  // namespace

FramePlan plan_frames(const SphereSubset& members, const SceneBounds& bounds) {
  FramePlan plan;
  plan.frame = frame_of(members, bounds);
  if (bounds.radius_min < least_radius_share * plan.frame.largest_half_size()) {
    const Planner planner{members.sphere_set};
    Ids ids(members.size());
    for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = members.id(i);
    planner.place(ids, plan, 0);
  }
  if (plan.children.empty()) plan.own = members.ids ? *members.ids : Ids{};
  if (members.ids || !plan.children.empty()) plan.holds = FramePlan::Holds::listed;
  return plan;
}

}  // namespace sphaera::index
