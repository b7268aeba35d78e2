#pragma once
/// \file A ball around a nested frame that meets only the frame's own spheres and at most four others, such
/// as the ground on which a crowd stands. A path inside the ball asks these alone, with no walk down from the
/// outermost frame (what that gains: decisions.md).

#include <array>
#include <bit>
#include <exact/predicates/filter.hpp>
#include <index/layout/frame_bvh.hpp>
#include <span>

namespace sphaera::index {

class Neighborhood {
 public:
  static constexpr std::size_t max_others = 4;

  Neighborhood() = default;
  /// `others`: ids of the spheres that reach into the ball, max_others at most.
  Neighborhood(const FrameBvh& bvh, std::span<const std::uint32_t> others);

  const FrameBvh& bvh() const { return *bvh_; }

  /// The BVH's walks, and then the others.
  template <class Walk>
  void any(Walk& walk) const {
    if (bvh_->any(walk)) visit_others(walk);
  }
  template <class Walk>
  void nearest_first(Walk& walk) const {
    bvh_->nearest_first(walk);
    visit_others(walk);
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
  std::size_t size_ = 0;  // of the others
  LeafIds others_{};
  std::array<Sphere, max_others> spheres_{};
  std::array<bool, max_others> at_rest_{};
};

/// Of the frames within a tree's outermost one: of those with the most spheres, where they have one.
class Neighborhoods {
 public:
  static constexpr std::size_t max_size = 32;

  /// In the calling arena. Takes no memory.
  explicit Neighborhoods(const FrameBvh& top);

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// 0 … size() − 1, for one of these.
  std::uint32_t number(const Neighborhood& one) const {
    return static_cast<std::uint32_t>(&one - neighborhoods_.data());
  }
  /// The smallest that all within `margin` of a path lies in; null: none is known.
  SPHAERA_INLINE const Neighborhood* of(const exact::Path& path, double margin = 0) const {
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
        return &neighborhoods_[i + static_cast<unsigned>(std::countr_zero(held))];
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t lanes = 4;

  struct Balls {
    Lanes x{}, y{}, z{}, radius{};
  };
  /// A path whose origin, perhaps long before t_min, lies this many radii away is not looked at: o − c and
  /// t·d would cancel. Of a path that is, an axis of a point in the ball is off by u of |o − c| ≤ 2^8 radii,
  /// twice u of |t·d| ≤ 2^8 + 1 (d is rounded, too) and u of their sum: < 2^10·u radii, all three by
  /// √3·2^-43; squares, their sums, the limit and the least gap's own subtraction add 8u. Balls are smaller
  /// by 2^-40.
  static constexpr double farthest_origin = 0x1p8, ball_share = 1 - 0x1p-40;

  std::size_t size_ = 0;
  std::array<Neighborhood, max_size> neighborhoods_;
  std::array<Balls, max_size / lanes> balls_;
};

}  // namespace sphaera::index
