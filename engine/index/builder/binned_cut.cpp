#include <algorithm>
#include <index/builder/binned_cut.hpp>
#include <limits>

namespace sphaera::index {
namespace {

/// Boxes counted by their centers in bins along each axis.
class Bins {
 public:
  /// Bins a sample, one of every `stride` boxes.
  Bins(std::span<const SphereBox> boxes, std::size_t stride)
      : bins_(std::min(max_bins, 4 + boxes.size() / 20)) {
    Aabb centers = Aabb::empty();
    each_sample(boxes.size(), stride, [&](std::size_t i) {
      const SphereBox& box = boxes[i];
      const Lanes center = center_of(box);
      Aabb at;
      at.lower = center, at.negated_upper = -center;
      centers.add(at);
    });
    lower_ = centers.lower, size_ = centers.size();
    const float just_below = 0.99f * static_cast<float>(bins_);
    per_unit_ = size_ > Lanes{} ? just_below / size_ : Lanes{};
    for (auto& axis : aabbs_) std::fill_n(axis.begin(), bins_, Aabb::empty());
    each_sample(boxes.size(), stride, [&](std::size_t i) {
      const SphereBox& box = boxes[i];
      const Aabb aabb(box);
      const Numbers bin = bins_of(box);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto b = static_cast<std::size_t>(bin[axis]);
        aabbs_[axis][b].add(aabb);
        ++counts_[axis][b];
      }
    });
  }

  /// The cut between bins with the least sum of area × boxes; empty if all centers are equal.
  std::optional<BeforeCut> best_cut() {
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (size_[axis] > 0) find_cut(axis, least);
    if (cut_ == 0) return std::nullopt;
    return BeforeCut{axis_, lower_[axis_], per_unit_[axis_], static_cast<float>(cut_)};
  }

 private:
  static constexpr std::size_t max_bins = 32;
  using Lanes = Aabb::Lanes;
  using Numbers = std::int32_t __attribute__((vector_size(16)));

  /// Twice the center.
  SPHAERA_INLINE static Lanes center_of(const SphereBox& box) {
    const Aabb aabb(box);
    return aabb.lower - aabb.negated_upper;
  }
  SPHAERA_INLINE Numbers bins_of(const SphereBox& box) const {
    Lanes at = (center_of(box) - lower_) * per_unit_;
    const auto last = static_cast<float>(bins_ - 1);  // a box outside the sample may lie outside the bins
    at = at > Lanes{} ? at : Lanes{};
    at = at < Lanes{} + last ? at : Lanes{} + last;
    return __builtin_convertvector(at, Numbers);
  }

  void find_cut(std::size_t axis, float& least) {
    std::array<float, max_bins> behind;
    Aabb aabb = Aabb::empty();
    std::uint32_t count = 0;
    for (std::size_t b = bins_ - 1; b > 0; --b) {
      aabb.add(aabbs_[axis][b]), count += counts_[axis][b];
      behind[b] = count > 0 ? aabb.half_area() * static_cast<float>(count) : 0;
    }
    const std::uint32_t all = count + counts_[axis][0];
    aabb = Aabb::empty(), count = 0;
    for (std::size_t b = 1; b < bins_; ++b) {
      aabb.add(aabbs_[axis][b - 1]), count += counts_[axis][b - 1];
      if (count == 0 || count == all) continue;
      const float cost = aabb.half_area() * static_cast<float>(count) + behind[b];
      if (cost < least) least = cost, axis_ = axis, cut_ = static_cast<std::int32_t>(b);
    }
  }

  std::size_t bins_;
  Lanes lower_, size_, per_unit_;  // of twice the centers
  std::array<std::array<Aabb, max_bins>, 3> aabbs_;
  std::array<std::array<std::uint32_t, max_bins>, 3> counts_{};
  std::size_t axis_ = 0;
  std::int32_t cut_ = 0;
};

}  // namespace

std::optional<BeforeCut> best_cut(std::span<const SphereBox> boxes, std::size_t stride) {
  return Bins(boxes, stride).best_cut();
}

}  // namespace sphaera::index
