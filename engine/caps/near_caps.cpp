#include <algorithm>
#include <bit>
#include <caps/near_caps.hpp>
#include <cmath>
#include <numeric>

namespace sphaera::caps {
namespace {

constexpr std::uint32_t leaf_size = 8;

/// More than the relative errors of squares of chords.
constexpr double chord_slack = 0x1p-40;

double sine_of(double cosine) { return std::sqrt((1 - cosine) * (1 + cosine)); }

double square_beyond(double x, double lower, double upper) {
  const double beyond = std::max({lower - x, x - upper, 0.0});
  return beyond * beyond;
}

}  // namespace

void NearCaps::build(const CapArrays& caps) {
  caps_ = &caps;
  order_.resize(caps.size());
  std::iota(order_.begin(), order_.end(), 0U);
  nodes_.resize(2 * std::bit_ceil(caps.size() / leaf_size + 1));
  build_node(0, 0, static_cast<std::uint32_t>(caps.size()));
}

void NearCaps::build_node(std::size_t k, std::uint32_t first, std::uint32_t last) {
  const auto caps = std::span(order_).subspan(first, last - first);
  Node node{{2, 2, 2}, {-2, -2, -2}, 1, first, last};
  for (const std::uint32_t i : caps) {
    const Vec3 v = caps_->axis(i);
    node.lower = {std::min(node.lower.x, v.x), std::min(node.lower.y, v.y), std::min(node.lower.z, v.z)};
    node.upper = {std::max(node.upper.x, v.x), std::max(node.upper.y, v.y), std::max(node.upper.z, v.z)};
    node.cosine = std::min(node.cosine, caps_->cosine[i]);
  }
  nodes_[k] = node;
  if (last - first <= leaf_size || 2 * k + 2 >= nodes_.size()) return;
  const Vec3 size = node.upper - node.lower;
  const std::vector<double>& along = size.x >= std::max(size.y, size.z) ? caps_->x
                                     : size.y >= size.z                 ? caps_->y
                                                                        : caps_->z;
  const std::uint32_t middle = (last - first) / 2;
  std::ranges::nth_element(caps, caps.begin() + middle, {}, [&](std::uint32_t i) { return along[i]; });
  build_node(2 * k + 1, first, first + middle);
  build_node(2 * k + 2, first + middle, last);
}

/// The square of the chord of α_i + α, α of the node's largest cap, is (cos α_i − cos α)² + (sin α_i + sin
/// α)².
bool NearCaps::may_meet(const Node& node, std::size_t i) const {
  const double cosine = caps_->cosine[i], sine = caps_->sine[i], other = sine_of(node.cosine);
  if (sine * node.cosine + cosine * other <= chord_slack) return true;  // α_i + α ≥ π, about
  const Vec3 v = caps_->axis(i);
  const double apart = square_beyond(v.x, node.lower.x, node.upper.x) +
                       square_beyond(v.y, node.lower.y, node.upper.y) +
                       square_beyond(v.z, node.lower.z, node.upper.z);
  const double rise = cosine - node.cosine, sum = sine + other;
  return apart <= (1 + chord_slack) * (rise * rise + sum * sum) + chord_slack * chord_slack;
}

std::size_t NearCaps::gather(std::size_t i) {
  found_.clear();
  std::array<std::size_t, 64> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::size_t k = stack[--size];
    const Node& node = nodes_[k];
    if (!may_meet(node, i)) continue;
    if (node.last - node.first > leaf_size && 2 * k + 2 < nodes_.size())
      stack[size++] = 2 * k + 1, stack[size++] = 2 * k + 2;
    else
      found_.insert(found_.end(), order_.begin() + node.first, order_.begin() + node.last);
  }
  std::ranges::sort(found_);
  near_.resize(found_.size());
  for (std::size_t k = 0; k < found_.size(); ++k) near_.set(k, (*caps_)[found_[k]], caps_->sine[found_[k]]);
  return static_cast<std::size_t>(std::ranges::lower_bound(found_, i) - found_.begin());
}

}  // namespace sphaera::caps
