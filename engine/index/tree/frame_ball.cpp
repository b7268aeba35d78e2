#include <algorithm>
#include <array>
#include <base/arena.hpp>
#include <cmath>
#include <exact/numbers/length.hpp>
#include <index/tree/frame_ball.hpp>
#include <span>

namespace sphaera::index {
namespace {

/// A frame ball must be at least this many times as large as its frame: bullets fly out of a crowd.
constexpr double least_share = 4;
/// Beyond this a path is clipped to the frame more slowly.
constexpr double greatest_share = Frame::near_limit;

/// The nested BVHs with the most spheres, including those in their child BVHs.
class Largest {
 public:
  explicit Largest(const FrameBvh& top) {
    for (const auto& child : top.children()) add(*child);
  }
  std::span<const FrameBvh* const> bvhs() const { return {bvhs_.data(), size_}; }

 private:
  std::size_t add(const FrameBvh& bvh) {
    std::size_t spheres = bvh.spheres();
    for (const auto& child : bvh.children()) spheres += add(*child);
    std::size_t at = size_;
    while (at > 0 && spheres_[at - 1] < spheres) --at;
    if (at == bvhs_.size()) return spheres;
    size_ = std::min(size_ + 1, bvhs_.size());
    for (std::size_t i = size_ - 1; i > at; --i) bvhs_[i] = bvhs_[i - 1], spheres_[i] = spheres_[i - 1];
    bvhs_[at] = &bvh, spheres_[at] = spheres;
    return spheres;
  }

  std::array<const FrameBvh*, FrameBalls::max_size> bvhs_;
  std::array<std::size_t, FrameBalls::max_size> spheres_;
  std::size_t size_ = 0;
};

/// Factor of a drift that covers its roundings: 3u of a product and two sums, and u of its subtraction from a
/// gap.
constexpr double drift_slack = 1 + 8 * exact::u;

/// The spheres outside a BVH that come nearest to the center of its frame.
struct Outside : PointWalk {
  static constexpr std::size_t wanted = FrameBall::max_others + 1;

  std::array<std::uint32_t, wanted> ids;
  /// Lower bounds, at all times, of the distances from that center to the surfaces of the spheres.
  std::array<double, wanted> gaps;

  Outside(const FrameBvh& top, const FrameBvh& bvh, double greatest)
      : PointWalk(bvh.frame().center(), {.visit = test_leaf_block}), sphere_set_(top.sphere_set()) {
    ids.fill(no_sphere), gaps.fill(infinity);
    skipped_child = &bvh, drift = greatest;
    top.around(*this);
  }

 private:
  static TraversalControl test_leaf_block(PointWalk& walk, const LeafIds& ids, LaneHits hits) {
    auto& outside = static_cast<Outside&>(walk);
    for (LaneSet lanes = hits.maybe; lanes != 0; lanes &= lanes - 1)
      if (const std::uint32_t id = ids[static_cast<unsigned>(std::countr_zero(lanes))]; id != no_sphere)
        outside.test(id);
    outside.search_radius = outside.gaps.back();
    return TraversalControl::limit_reduced;
  }
  void test(std::uint32_t id) {
    const Sphere& s = sphere_set_.spheres[id];
    const exact::filter::Estimate d = exact::filter::distance<exact::Plain>(point - s.center, s.radius);
    const double gap = (d.value - d.error) - index::drift(sphere_set_, id);
    std::size_t at = wanted;
    while (at > 0 && gap < gaps[at - 1]) --at;
    if (at == wanted) return;
    for (std::size_t i = wanted - 1; i > at; --i) ids[i] = ids[i - 1], gaps[i] = gaps[i - 1];
    ids[at] = id, gaps[at] = gap;
  }

  const SphereSet& sphere_set_;
};

/// A frame ball and the radius of its ball.
struct Found {
  FrameBall frame_ball;
  double radius;
};

}  // namespace

double drift(const SphereSet& sphere_set, std::size_t i) {
  if (!sphere_set.move()) return 0;
  const Vec3& v = sphere_set.velocities[i];
  return drift_slack * std::max(-sphere_set.from, sphere_set.to) * exact::one_norm(v);
}

double greatest_drift(const SphereSet& sphere_set) {
  if (!sphere_set.move()) return 0;
  return base::parallel_fold(
      sphere_set.size(), 0.0,
      [&](std::size_t begin, std::size_t end, double greatest) {
        for (std::size_t i = begin; i < end; ++i) greatest = std::max(greatest, drift(sphere_set, i));
        return greatest;
      },
      [](double a, double b) { return std::max(a, b); });
}

FrameBall::FrameBall(const FrameBvh& bvh, std::span<const std::uint32_t> others)
    : bvh_(&bvh), size_(others.size()) {
  const SphereSet& sphere_set = bvh.sphere_set();
  others_.fill(no_sphere);
  for (std::size_t i = 0; i < size_; ++i) {
    others_[i] = others[i], spheres_[i] = sphere_set.spheres[others[i]];
    at_rest_[i] = !sphere_set.move() || sphere_set.velocities[others[i]] == Vec3{};
  }
}

FrameBalls::FrameBalls(const FrameBvh& top, double drift) {
  const Largest largest(top);
  std::array<Found, max_size> found{};
  for (const FrameBvh* bvh : largest.bvhs()) {
    const Vec3& half = bvh->frame().half_size();
    const double size = std::sqrt(dot(half, half));
    const Outside outside(top, *bvh, drift);
    // The number of outside spheres that may overlap the smallest allowed ball.
    const auto others = static_cast<std::size_t>(std::ranges::lower_bound(outside.gaps, least_share * size) -
                                                 outside.gaps.begin());
    if (others == Outside::wanted) continue;
    found[size_++] = {FrameBall(*bvh, std::span(outside.ids).first(others)),
                      std::min(outside.gaps[others], greatest_share * size)};
  }
  std::sort(found.data(), found.data() + size_,
            [](const Found& a, const Found& b) { return a.radius < b.radius; });
  for (std::size_t i = 0; i < size_; ++i) {
    frame_balls_[i] = found[i].frame_ball;
    Balls& balls = balls_[i / lanes];
    const Vec3& center = frame_balls_[i].bvh().frame().center();
    balls.x[i % lanes] = center.x, balls.y[i % lanes] = center.y, balls.z[i % lanes] = center.z;
    balls.radius[i % lanes] = ball_share * found[i].radius;
  }
}

}  // namespace sphaera::index
