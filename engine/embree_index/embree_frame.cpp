#include <embree_index/embree_frame.hpp>
#include <exact/numbers/double_double.hpp>
#include <exact/predicates/filtered_predicate.hpp>
#include <limits>

namespace sphaera::embree_index {
namespace {

using exact::u;

/// The least size of a frame: keeps floats and the scale far from underflow.
constexpr double least_size = 0x1p-500;
/// The least half-size along an axis, as a share of the frame's size.
constexpr double least_half = 0x1p-20;
/// Room between the spheres and |x_i| = 1, for inflated boxes.
constexpr double room = 1 + 0x1p-17;
/// Up to this many sizes away double is enough (proofs.md, 2).
constexpr double near_limit = 0x1p20;
/// Up to this many sizes away double-double is enough (proofs.md, 2).
constexpr double far_limit = 0x1p60;
/// Along an axis on which the direction is smaller than this, the path counts as constant.
constexpr double constant_limit = 0x1p-1020;
/// Points farther away than this many sizes are not converted to float. Search radii are clamped to 4
/// times this.
constexpr double point_limit = 0x1p60;

double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// (hi + lo) + s·(d + d_low), in double-double.
double moved(const exact::TwoDouble& l, double s, double d, double d_low) {
  using Number = exact::DoubleDouble<exact::Dekker>;
  return static_cast<double>(Number(l) + Number(s) * Number(exact::TwoDouble{d, d_low}));
}

float rounded_up(double x) {
  const auto f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

Vec3 scaled(const Vec3& v, int exponent) {
  return {std::ldexp(v.x, exponent), std::ldexp(v.y, exponent), std::ldexp(v.z, exponent)};
}

}  // namespace

ScaledPath::ScaledPath(const exact::Path& p)
    : path(p), direction(p.direction), direction_low(p.direction_low), from(p.t_min), to(p.t_max) {
  if (p.floor < infinity) return;
  const double size = largest(p.direction);
  if (size == 0) {
    is_point = true, from = to = 0;
    return;
  }
  exponent = std::ilogb(size);
  direction = scaled(direction, -exponent), direction_low = scaled(direction_low, -exponent);
  from = at(from), to = at(to);
}

float LocalRay::up_to(double s) const {
  const double passed = s - base, along = passed - first;
  const double slack = 4 * u * (std::fabs(passed) + std::fabs(first));
  const double tau = (along + slack) / length * (1 + 4 * u);
  if (!(tau < 1) || length < 0x1p-900) return 1;  // also for NaN
  return tau > 0 ? rounded_up(tau) : 0;
}

Frame::Frame(const Volume& volume, double inflation_share)
    : center_(volume.center), inflation_(inflation_share) {
  const double size = std::max(largest(volume.half) * room, least_size);
  size_ = std::ldexp(1.0, std::ilogb(size) + 1);
  scale_ = 1 / size_;
  const auto padded = [&](double half) { return std::max(half, least_half * size_); };
  half_ = {padded(volume.half.x), padded(volume.half.y), padded(volume.half.z)};
}

/// Cuts a section to the slabs, moved out by 8u(|l| + half) for the five roundings of a plane's parameter.
bool Frame::cut(const ScaledPath& path, double margin, Section& section) const {
  for (int i = 0; i < 3; ++i) {
    const double l = section.start[i], d = path.direction[i], wide = half_[i] + margin;
    const double half = wide + 8 * u * (std::fabs(l) + wide);
    if (std::fabs(d) < constant_limit) {
      if (std::fabs(l) > half) return false;
      continue;
    }
    const double inverse = 1 / d, a = (-half - l) * inverse, b = (half - l) * inverse;
    section.first = std::max(section.first, std::min(a, b));
    section.last = std::min(section.last, std::max(a, b));
  }
  return section.first <= section.last;
}

bool Frame::is_touched_from_far(const ScaledPath& path, double margin) const {
  constexpr double around = 1.75;  // > √3
  exact::Counts uncounted;
  const Sphere ball{center_, around * (largest(half_) + margin)};
  return exact::FilteredPredicate<exact::Plain>(path.path, ball, uncounted).meets();
}

Meets Frame::section_of(const ScaledPath& path, double margin, Section& section) const {
  const Vec3& o = path.path.origin;
  const double reach = size_ + margin;
  section = {o - center_, 0, path.from, path.to};
  const double distance = largest(section.start);
  if (!(distance <= far_limit * reach)) return is_touched_from_far(path, margin) ? Meets::far : Meets::no;
  if (!cut(path, margin, section)) return Meets::no;
  if (distance <= near_limit * reach || path.is_point) return Meets::yes;
  const exact::TwoDouble x = exact::two_diff(o.x, center_.x), y = exact::two_diff(o.y, center_.y),
                         z = exact::two_diff(o.z, center_.z);
  const double s = section.first, length = (section.last - s) * (1 + 4 * u);
  const Vec3 &d = path.direction, &low = path.direction_low;
  section = {{moved(x, s, d.x, low.x), moved(y, s, d.y, low.y), moved(z, s, d.z, low.z)},
             section.base + s,
             0,
             length};
  return cut(path, margin, section) ? Meets::yes : Meets::no;
}

Meets Frame::clip(const ScaledPath& path, double margin, Section& section) const {
  return section_of(path, margin, section);
}

Meets Frame::clip(const ScaledPath& path, LocalRay& ray) const {
  Section section;
  const Meets meets = section_of(path, 0, section);
  if (meets != Meets::yes) return meets;
  const double length = section.last - section.first;
  for (int i = 0; i < 3; ++i) {
    const double d = path.direction[i];
    ray.origin[i] = static_cast<float>((section.start[i] + section.first * d) * scale_);
    ray.direction[i] = static_cast<float>(length * d * scale_);
  }
  ray.base = section.base, ray.first = section.first, ray.length = length;
  return Meets::yes;
}

float Frame::local_radius(const Vec3& x, double search_radius) const {
  constexpr double w = 0x1p-24;
  return rounded_up((std::max(search_radius, 0.0) * scale_ + 2 * w * largest(x) * scale_ + 0x1p-60) *
                    (1 + 8 * w));
}

bool Frame::local(const Vec3& x, double search_radius, LocalBall& ball) const {
  if (!(largest(x) < point_limit * size_)) return false;
  for (int i = 0; i < 3; ++i) ball.position[i] = static_cast<float>(x[i] * scale_);
  // All of the frame is nearer than 2^61 sizes.
  ball.radius = local_radius(x, std::min(search_radius, 4 * point_limit * size_));
  return true;
}

}  // namespace sphaera::embree_index
