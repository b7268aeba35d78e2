#include <exact/numbers/dispatch.hpp>
#include <index/tree/prepared_rays.hpp>

namespace sphaera::index {

/// Four frames, one per lane.
struct PreparedRays::FrameLanes {
  Lanes center[3], half[3], scale;

  SPHAERA_INLINE FrameLanes(const Frame& a, const Frame& b, const Frame& c, const Frame& d)
      : scale{a.scale(), b.scale(), c.scale(), d.scale()} {
    const auto set_along = [&](std::size_t i, double Vec3::* axis) SPHAERA_INLINE_LAMBDA {
      center[i] = Lanes{a.center().*axis, b.center().*axis, c.center().*axis, d.center().*axis};
      half[i] = Lanes{a.half_size().*axis, b.half_size().*axis, c.half_size().*axis, d.half_size().*axis};
    };
    set_along(0, &Vec3::x), set_along(1, &Vec3::y), set_along(2, &Vec3::z);
  }

  /// Moves the slabs outward by the margins from `first` on.
  SPHAERA_INLINE void grow(const Margins& margins, std::size_t first) {
    Lanes by;
    std::memcpy(&by, &margins[first], sizeof by);
    half[0] += by, half[1] += by, half[2] += by;
  }
};

/// Frame::clip_near for four paths, one per lane.
SPHAERA_INLINE void PreparedRays::clip_four(const FrameLanes& frames, const Paths& paths, std::size_t first) {
  constexpr double huge = std::numeric_limits<double>::max();
  const exact::Path &a = paths[first], &b = paths[first + 1], &c = paths[first + 2], &d = paths[first + 3];
  auto known = Lanes{a.floor, b.floor, c.floor, d.floor} < infinity;
  Lanes s0{a.t_min, b.t_min, c.t_min, d.t_min}, s1{a.t_max, b.t_max, c.t_max, d.t_max}, l[3], step[3];
  const auto cut_along = [&](std::size_t i, double Vec3::* axis) SPHAERA_INLINE_LAMBDA {
    const Lanes limit = Frame::near_limit * frames.half[i], wide = Frame::slab_widening * frames.half[i];
    l[i] = Lanes{a.origin.*axis, b.origin.*axis, c.origin.*axis, d.origin.*axis} - frames.center[i];
    const Lanes direction{a.direction.*axis, b.direction.*axis, c.direction.*axis, d.direction.*axis};
    step[i] = direction;
    known &= (l[i] <= limit) & (l[i] >= -limit);
    Lanes inverse = 1 / direction;
    inverse = inverse > huge ? Lanes{} + huge : inverse < -huge ? Lanes{} - huge : inverse;
    const Lanes one = (-wide - l[i]) * inverse, other = (wide - l[i]) * inverse;
    const Lanes near = one < other ? one : other, far = one < other ? other : one;
    s0 = near > s0 ? near : s0;
    s1 = far < s1 ? far : s1;
  };
  cut_along(0, &Vec3::x), cut_along(1, &Vec3::y), cut_along(2, &Vec3::z);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto origin = __builtin_convertvector((l[i] + s0 * step[i]) * frames.scale, FloatLanes),
               direction = __builtin_convertvector((s1 - s0) * step[i] * frames.scale, FloatLanes);
    std::memcpy(&axes_[i].origin[first], &origin, sizeof origin);
    std::memcpy(&axes_[i].direction[first], &direction, sizeof direction);
  }
  std::memcpy(&s0_[first], &s0, sizeof s0);
  std::memcpy(&s1_[first], &s1, sizeof s1);
  std::memcpy(&known_[first], &known, sizeof known);
}

/// Computes NodeRay's numbers of one axis, and adds that axis' term to `square` (d·d).
SPHAERA_INLINE void PreparedRays::make_axis(Axis& axis, std::size_t number, LeafLanes& square) {
  using Bits = std::uint32_t __attribute__((vector_size(sizeof(LeafLanes)), may_alias));
  constexpr std::uint32_t sign = 0x80000000;
  const LeafLanes &origin = lanes(axis.origin), &direction = lanes(axis.direction);
  Bits bits;
  std::memcpy(&bits, &direction, sizeof bits);
  const Bits size_bits = bits & ~sign;
  LeafLanes away;  // the direction, kept away from 0
  std::memcpy(&away, &size_bits, sizeof away);
  away = away > NodeRay::least_direction ? away : LeafLanes{} + NodeRay::least_direction;
  Bits away_bits;
  std::memcpy(&away_bits, &away, sizeof away);
  away_bits |= bits & sign;
  std::memcpy(&away, &away_bits, sizeof away);
  const LeafLanes inverse = 1 / away, start = -origin * inverse;
  const Bits near = (bits >> 31) * static_cast<std::uint32_t>(sizeof(BvhNode::Plane)) +
                    static_cast<std::uint32_t>(2 * sizeof(BvhNode::Plane) * number);
  std::memcpy(&axis.inverse, &inverse, sizeof inverse);
  std::memcpy(&axis.start, &start, sizeof start);
  std::memcpy(&axis.near, &near, sizeof near);
  square += direction * direction;
}

SPHAERA_INLINE void PreparedRays::make(FrameLanes first, FrameLanes last, const Paths& paths,
                                       const Margins* margins) {
  if (margins) first.grow(*margins, 0), last.grow(*margins, 4);
  clip_four(first, paths, 0);
  clip_four(last, paths, 4);
  LeafLanes square{};
  for (std::size_t axis = 0; axis < 3; ++axis) make_axis(axes_[axis], axis, square);
  const LeafLanes inverse = square > LeafRay::least_square ? 1 / square : LeafLanes{};
  std::memcpy(&leaf_inverse_, &inverse, sizeof inverse);
}

void PreparedRays::make(const Frame& frame, const Paths& paths, const Margins* margins) {
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
    const FrameLanes frames(frame, frame, frame, frame);
    make(frames, frames, paths, margins);
  });
}

void PreparedRays::make(const std::array<const Frame*, size>& f, const Starts& starts, const Paths& paths,
                        const Margins* margins) {
  starts_ = starts;
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
    make({*f[0], *f[1], *f[2], *f[3]}, {*f[4], *f[5], *f[6], *f[7]}, paths, margins);
  });
}

}  // namespace sphaera::index
