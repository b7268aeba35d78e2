#pragma once
/// \file A ball around a nested frame that meets only the frame's own spheres and at most four others, such
/// as the ground under a crowd. A path inside the ball tests only these and skips the walk down from the
/// outermost frame (gain: ../decisions.md).

#include <array>
#include <bit>
#include <exact/predicates/filter.hpp>
#include <index/tree/frame_bvh.hpp>
#include <span>

namespace sphaera::index {

class FrameBall {
 public:
  static constexpr std::size_t max_others = 4;

  FrameBall() = default;
  /// `others`: ids of the spheres that overlap the ball, at most max_others.
  FrameBall(const FrameBvh& bvh, std::span<const std::uint32_t> others);

  const FrameBvh& bvh() const { return *bvh_; }

  /// Walks the BVH, then visits the others.
  template <class Walk>
  void any(Walk& walk) const {
    if (bvh_->any(walk)) visit_others(walk);
  }
  template <class Walk>
  void nearest_first(Walk& walk) const {
    bvh_->nearest_first(walk);
    visit_others(walk);
  }
  /// Visits the others for the walks of a group that have walked the BVH and not stopped.
  template <class Group>
  void visit_others_together(const Group& group) const {
    for (std::uint32_t i = 0; i < group.size(); ++i)
      if (!group.has_stopped(i)) visit_others(group[i]);
  }

 private:
  template <class Walk>
  void visit_others(Walk& walk) const {
    LaneSet lanes = 0;
    for (std::size_t i = 0; i < size_; ++i)
      if (!surely_misses(walk, i)) lanes |= LaneSet{1} << i;
    if (lanes != 0) walk.visit(walk, others_, {lanes, 0, 0});
  }
  bool surely_misses(const PathWalk& walk, std::size_t other) const {
    const auto& [center, radius] = spheres_[other];
    return exact::filter::stays_outside<exact::Plain>(walk.path.origin - center, walk.path, radius);
  }
  bool surely_misses(const FlightWalk& walk, std::size_t other) const {
    const auto& [center, radius] = spheres_[other];
    return at_rest_[other] && exact::filter::stays_outside<exact::Plain>(walk.path.origin - center, walk.path,
                                                                         radius + walk.margin);
  }

  const FrameBvh* bvh_ = nullptr;
  std::size_t size_ = 0;  // number of others
  LeafIds others_{};
  std::array<Sphere, max_others> spheres_{};
  std::array<bool, max_others> at_rest_{};
};

/// Bounds, from above, of the distance that a sphere goes from its place at time 0, and the greatest of them,
/// found in the calling arena.
double drift(const SphereSet& sphere_set, std::size_t i);
double greatest_drift(const SphereSet& sphere_set);

/// Frame balls of the frames nested in the outermost frame. Only the `max_size` nested frames with the most
/// spheres are considered; some of these have no frame ball.
class FrameBalls {
 public:
  static constexpr std::size_t max_size = 32;

  FrameBalls() = default;
  /// No sphere goes farther than `drift` from its place at time 0. Allocates no memory.
  FrameBalls(const FrameBvh& top, double drift);

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// The number, 0 … size() − 1, of one of these frame balls.
  std::uint32_t number(const FrameBall& one) const {
    return static_cast<std::uint32_t>(&one - frame_balls_.data());
  }
  /// The smallest frame ball that contains all points within `margin` of a path; null if none is known.
  SPHAERA_INLINE const FrameBall* of(const exact::Path& path, double margin = 0) const {
    const Vec3 &o = path.origin, &d = path.direction;
    for (std::size_t i = 0; i < size_; i += lanes) {
      const Balls& balls = balls_[i / lanes];
      const Lanes x = o.x - balls.x, y = o.y - balls.y, z = o.z - balls.z, limit = balls.radius - margin,
                  far = farthest_origin * balls.radius;
      const auto holds = [&](double t) SPHAERA_INLINE_LAMBDA {
        const Lanes ax = x + t * d.x, ay = y + t * d.y, az = z + t * d.z;
        const auto inside = (ax * ax + ay * ay + az * az <= limit * limit) & (limit > 0);
        return (inside[0] & 1) | (inside[1] & 2) | (inside[2] & 4) | (inside[3] & 8);
      };
      const auto near = x * x + y * y + z * z <= far * far;
      const auto known = (near[0] & 1) | (near[1] & 2) | (near[2] & 4) | (near[3] & 8);
      if (const auto held = static_cast<unsigned>(known & holds(path.t_min) & holds(path.t_max)); held != 0)
        return &frame_balls_[i + static_cast<unsigned>(std::countr_zero(held))];
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t lanes = 4;

  struct Balls {
    Lanes x{}, y{}, z{}, radius{};
  };
  /// Paths whose origin lies more than `farthest_origin` radii away are not looked up: o − c and t·d would
  /// cancel. Balls are smaller by 2^-40 to cover roundings (../proofs.md, section 9).
  static constexpr double farthest_origin = 0x1p8, ball_share = 1 - 0x1p-40;

  std::size_t size_ = 0;
  std::array<FrameBall, max_size> frame_balls_;
  std::array<Balls, max_size / lanes> balls_;
};

}  // namespace sphaera::index
