#include <algorithm>
#include <cmath>
#include <exact/numbers/double_double.hpp>
#include <exact/numbers/scaled.hpp>
#include <index/boxes/frame.hpp>

namespace sphaera::index {
namespace {

using exact::u;

/// Smaller frames get the scale of this size, and no half-size is below 2^-520: so nothing comes near
/// underflow. Smaller details are one point to the index.
constexpr double smallest_half_size = 0x1p-500;
/// Smallest half-size of an axis, relative to the largest: keeps an axis' inflation of 2^-20·20w far above
/// the 1e-18 that replaces a zero direction.
constexpr double smallest_share = 0x1p-20;
/// Room for the inflation (20w), outward rounding (2w) and double roundings: 64w.
constexpr double room = 1 + 0x1p-18;
/// Up to this many half-sizes H from the center, the slabs are widened by 8u·2^40 H = 2^-10 H. A path from
/// farther away is moved closer first.
constexpr double far_limit = 0x1p40;
/// Points with larger coordinates, in local units, are not converted to float.
constexpr double point_limit = 0x1p60;

double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// max and min that ignore a NaN in `other`: an axis that overflows does not clip.
double later(double s, double other) { return other > s ? other : s; }
double earlier(double s, double other) { return other < s ? other : s; }

double advanced(double l, double l_low, double s, double d, double d_low) {
  using Number = exact::DoubleDouble<exact::Dekker>;
  const Number direction = exact::TwoDouble{d, d_low};
  return static_cast<double>(Number(exact::TwoDouble{l, l_low}) + Number(s) * direction);
}

}  // namespace

float round_down(double x) {
  const auto f = static_cast<float>(x);
  return f > x ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}

float round_up(double x) { return -round_down(-x); }

float LocalPoint::local_radius(double distance) const {
  const double w = 0x1p-24;
  // 8w are needed, and 2w more cover the rounding to nearest (w): nextafter would take longer than the rest
  // of a short walk.
  return static_cast<float>((std::max(distance, 0.0) * scale + margin) * (1 + 10 * w));
}

Frame::Frame(const Vec3& center, const Vec3& half_size, double inflation_share)
    : center_(center), inflation_(inflation_share) {
  const double size = std::max(largest(half_size), smallest_half_size);
  const auto padded = [&](double half) { return std::max(half, size * smallest_share) * room; };
  half_ = {padded(half_size.x), padded(half_size.y), padded(half_size.z)};
  scale_ = std::ldexp(1.0, -(std::ilogb(size * room) + 1));
}

/// Walks end in a frame whose half-sizes are in the range of the constructor, with room for sums of spheres.
std::optional<Frame> Frame::opened(const Vec3& center, const Vec3& half_size, double scale) {
  constexpr double least = smallest_half_size * smallest_share, most = 0x1p210;
  Frame frame;
  frame.center_ = center, frame.half_ = half_size, frame.scale_ = scale;
  int exponent = 0;
  bool good = std::frexp(scale, &exponent) == 0.5 && largest(center) <= most &&
              frame.largest_half_size() * scale <= 1 && frame.largest_half_size() <= most;
  for (int i = 0; i < 3; ++i) good = good && half_size[i] >= least && std::fabs(center[i]) <= most;
  return good ? std::optional(frame) : std::nullopt;
}

LocalBox Frame::box(const Frame& within) const {
  const Vec3 c = within.center_ - center_, lower = scale_ * (c - within.half_),
             upper = scale_ * (c + within.half_);
  LocalBox b;
  for (int i = 0; i < 3; ++i) {
    const double margin = inflation_ * half_[i] * scale_;
    b.lower[i] = round_down(lower[i] - margin);
    b.upper[i] = round_up(upper[i] + margin);
  }
  return b;
}

bool Frame::clip_slabs(const Vec3& l, const Vec3& d, Interval& s) const {
  for (int i = 0; i < 3; ++i) {
    // The exact path's exact crossings lie between those of planes moved out by 8u(|l| + H): l, the sums, the
    // reciprocal, the product and a segment's rounded direction carry one u each.
    const double half = half_[i] + 8 * u * (std::fabs(l[i]) + half_[i]), inverse = 1 / d[i];
    const double a = (-half - l[i]) * inverse, b = (half - l[i]) * inverse;
    const bool forward = !std::signbit(inverse);
    s.s0 = later(s.s0, forward ? a : b);
    s.s1 = earlier(s.s1, forward ? b : a);
  }
  return s.s0 <= s.s1;
}

void Frame::set(const Vec3& p0, const Vec3& d, const Interval& s, LocalRay& ray) const {
  const double length = s.s1 - s.s0;
  for (int i = 0; i < 3; ++i) {
    ray.origin[i] = static_cast<float>(p0[i] * scale_);
    ray.direction[i] = static_cast<float>(length * d[i] * scale_);
  }
  ray.origin[3] = ray.direction[3] = 0;
  ray.set_span(s.s0, s.s1);
}

bool Frame::clip_elsewhere(const exact::Path& path, LocalRay& ray) const {
  const Vec3 &o = path.origin, &d = path.direction, l = o - center_;
  Interval s{path.t_min, path.t_max};
  const bool moderate = path.floor < infinity || d == Vec3{};
  if (!moderate || farther_than(far_limit, l)) return clip_by_steps(path, s, ray);
  if (!clip_slabs(l, d, s)) return false;
  const exact::TwoDouble x = exact::two_diff(o.x, center_.x), y = exact::two_diff(o.y, center_.y),
                         z = exact::two_diff(o.z, center_.z);
  const Vec3& d_low = path.direction_low;
  const Vec3 p0{advanced(x.hi, x.lo, s.s0, d.x, d_low.x), advanced(y.hi, y.lo, s.s0, d.y, d_low.y),
                advanced(z.hi, z.lo, s.s0, d.z, d_low.z)};
  set(p0, d, s, ray);
  return true;
}

/// Moves the origin along the path by exact steps until it is near. Each step brings it 2^49 times closer, or
/// the path misses the frame. The direction is scaled by a power of two so that it does not overflow. After
/// the first step t no longer bounds the path, which is conservative, and s is not comparable with t.
bool Frame::clip_by_steps(const exact::Path& path, Interval s, LocalRay& ray) const {
  using exact::Integer, exact::Scaled;
  const Vec3& direction = path.direction;
  const double size = largest(direction);
  const int exponent = size > 0 ? std::ilogb(size) : 0;
  const Vec3 d{std::ldexp(direction.x, -exponent), std::ldexp(direction.y, -exponent),
               std::ldexp(direction.z, -exponent)};
  s = {std::ldexp(s.s0, exponent), std::ldexp(s.s1, exponent)};

  Integer position[3], step[3];
  for (int i = 0; i < 3; ++i) {
    position[i] = Integer(path.origin[i]) - Integer(center_[i]);
    step[i] = (Integer(path.direction[i]) + Integer(path.direction_low[i])) *
              Integer(std::ldexp(1.0, -exponent / 2)) * Integer(std::ldexp(1.0, -exponent - (-exponent / 2)));
  }
  for (;;) {
    const auto rounded = [&](int i) { return static_cast<double>(Scaled(position[i])); };
    const Vec3 l{rounded(0), rounded(1), rounded(2)};
    if (!clip_slabs(l, d, s)) return false;
    if (!farther_than(near_limit, l)) {
      set(l + s.s0 * d, d, s, ray);
      ray.s0 = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    for (int i = 0; i < 3; ++i) position[i] = position[i] + Integer(s.s0) * step[i];
    s = {-infinity, infinity};
  }
}

std::optional<LocalPoint> Frame::local(const Vec3& point) const {
  const Vec3 x = (point - center_) * scale_;
  const double size = largest(x);
  if (!(size < point_limit)) return std::nullopt;
  const double w = 0x1p-24;
  return LocalPoint{{static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)},
                    scale_,
                    2 * w * size + 0x1p-60};
}

}  // namespace sphaera::index
