#include <caps/corner.hpp>
#include <cmath>
#include <exact/numbers/double_double.hpp>

namespace sphaera::caps {
namespace {

using exact::TwoDouble, exact::two_diff, exact::two_sum;
using Long = exact::DoubleDouble<exact::Dekker>;

struct LongVec3 {
  Long x, y, z;
};
LongVec3 operator+(const LongVec3& a, const LongVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
LongVec3 operator-(const LongVec3& a, const LongVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
LongVec3 operator*(const Long& s, const LongVec3& a) { return {s * a.x, s * a.y, s * a.z}; }
Long dot(const LongVec3& a, const LongVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LongVec3 cross(const LongVec3& a, const LongVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LongVec3 long_of(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 rounded(const LongVec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// a + b + c + d, relative error 2^-104 under any cancellation: the sums of a, b and c, d are exact.
Long sum_of(const TwoDouble& ab, const TwoDouble& cd) {
  const TwoDouble high = two_sum(ab.hi, cd.hi), low = two_sum(ab.lo, cd.lo);
  const TwoDouble middle = two_sum(high.lo, low.hi), top = two_sum(high.hi, middle.hi);
  return exact::fast_two_sum(top.hi, top.lo + (middle.lo + low.lo));
}
Long difference(const Long& a, const Long& b) { return sum_of(two_diff(a.hi, b.hi), two_diff(a.lo, b.lo)); }
/// a b − c d
Long difference_of_products(double a, double b, double c, double d) {
  const TwoDouble p = exact::Dekker::two_product(a, b), q = exact::Dekker::two_product(c, d);
  return sum_of(two_diff(p.hi, q.hi), two_diff(p.lo, q.lo));
}
LongVec3 exact_cross(const Vec3& a, const Vec3& b) {
  return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
          difference_of_products(a.x, b.y, a.y, b.x)};
}

/// The cap is the directions v with axis·v ≥ height: its cosine times the length of the axis.
Long height_of(const Cap& cap) {
  const LongVec3 axis = long_of(cap.axis);
  return cap.cosine * sqrt(dot(axis, axis));
}

}  // namespace

Crossing cross_precisely(const Cap& a, const Cap& b) {
  const LongVec3 first = long_of(a.axis), second = long_of(b.axis);
  const LongVec3 step{two_diff(b.axis.x, a.axis.x), two_diff(b.axis.y, a.axis.y),
                      two_diff(b.axis.z, a.axis.z)};
  const LongVec3 normal = exact_cross(a.axis, b.axis);
  const Long height = height_of(a), rise = difference(height_of(b), height);
  const LongVec3 moment = height * step - rise * first;  // height_a axis_b − height_b axis_a
  const Long square = dot(normal, normal), rest = square - dot(moment, moment);
  if (!(rest.hi > 0)) {
    const Long outside = height * (height + rise) - dot(first, second);
    return {outside.hi < 0 ? Crossing::Kind::nested : Crossing::Kind::apart, {}, {}};
  }
  const LongVec3 middle = cross(moment, normal), half = sqrt(rest) * normal;
  const Long inverse = Long(1.0) / square;
  return {Crossing::Kind::cross, rounded(inverse * (middle + half)), rounded(inverse * (middle - half))};
}

Crossing cross_circles(const CapArrays& caps, std::size_t a, std::size_t b) {
  const Vec3 axis = caps.axis(a), step = caps.axis(b) - axis;
  const CircleRelation<double> r(dot(step, step), caps.cosine[a], caps.sine[a], caps.cosine[b], caps.sine[b]);
  if (!(std::fabs(r.past_inner) > r.inner_bound && std::fabs(r.before_outer) > r.outer_bound))
    return cross_precisely(caps[a], caps[b]);
  if (r.past_inner < 0) return {Crossing::Kind::nested, {}, {}};
  if (r.before_outer < 0) return {Crossing::Kind::apart, {}, {}};
  // Proof 2, in the frame of axis_a, the direction of axis_b across it and the normal of both.
  const Vec3 normal = cross(axis, step), toward = cross(normal, axis);
  const double along = r.along(caps.cosine[a]), across = r.across();
  const double square = dot(normal, normal);
  const double scale = caps.sine[a] / std::sqrt((along * along + across * across) * square);
  const Vec3 middle = caps.cosine[a] * axis + scale * along * toward, half = scale * across * normal;
  return {Crossing::Kind::cross, middle + half, middle - half};
}

}  // namespace sphaera::caps
