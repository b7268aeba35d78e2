#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <tests/oracle/caps/open_azimuths.hpp>
#include <tests/oracle/caps/open_part.hpp>

namespace sphaera::oracle {
namespace {

/// A place on a circle, in order about its axis: `turn` grows from 0 to 4 as an angle does.
struct CirclePoint {
  Long turn;
  Direction at;
};

/// The circle of a cap, counter-clockwise about the axis.
class Circle {
 public:
  explicit Circle(const Cap& cap)
      : cap_(cap), right_(across(cap.axis)), up_(cross(cap.axis, right_)), sine_(sin_of(cap)) {}

  CirclePoint place(const Direction& at) const {
    const Long x = dot(at, right_), y = dot(at, up_), share = x / (abs(x) + abs(y));
    return {y >= 0 ? 1 - share : 3 + share, at};
  }
  Direction at(Long turn) const {
    if (turn >= 4) turn -= 4;
    const Long x = turn < 2 ? 1 - turn : turn - 3, y = (turn < 2 ? 1 : -1) * (1 - abs(x)),
               size = sine_ / sqrt(x * x + y * y);
    return scaled(cap_.cosine, cap_.axis) + scaled(size * x, right_) + scaled(size * y, up_);
  }

 private:
  static Long sin_of(const Cap& c) { return sqrt((1 - c.cosine) * (1 + c.cosine)); }

  const Cap& cap_;
  Direction right_, up_;
  Long sine_;
};

/// Sums over the arcs that bound the open part.
class Boundary {
 public:
  explicit Boundary(const Direction& hub) : hub_(hub) {}

  /// An arc of less than half a turn, counter-clockwise about the cap's axis.
  void add(const Cap& cap, const Direction& start, const Direction& end) {
    const Direction chord = cross(start, end);
    const Long sine2 = (1 - cap.cosine) * (1 + cap.cosine), bend = dot(cap.axis, chord),
               turned = atan2(bend, dot(start, end) - cap.cosine * cap.cosine);
    sectors_ += turned * sine2 / (1 + cap.cosine);
    add_triangle(cap.axis, start, end, chord, 1), add_triangle(hub_, start, end, chord, -1);
    moment_ = moment_ + scaled(Long(-0.5), chord + scaled(sine2 * turned - bend, cap.axis));
    some_ = true;
  }

  /// Of an open part with an edge; the area is known up to whole spheres.
  OpenPart result() const {
    const Long sphere = 4 * boost::math::constants::pi<Long>(), least = 1e-30;
    if (!some_) return {0, {}};
    Long area = 2 * atan2(imaginary_, real_) - sectors_;
    area -= sphere * floor(area / sphere);
    return {area > sphere - least ? Long(0) : area, moment_};
  }

 private:
  /// Half the signed area of a triangle is the argument of a complex number: the numbers are multiplied.
  void add_triangle(const Direction& a, const Direction& b, const Direction& c, const Direction& b_cross_c,
                    int sign) {
    const Long x = 1 + dot(a, b) + dot(b, c) + dot(c, a), y = sign * dot(a, b_cross_c), before = real_;
    real_ = before * x - imaginary_ * y, imaginary_ = before * y + imaginary_ * x;
  }

  Direction hub_, moment_{};
  Long sectors_ = 0, real_ = 1, imaginary_ = 0;
  bool some_ = false;
};

class Arrangement {
 public:
  explicit Arrangement(std::vector<Cap> caps) : caps_(std::move(caps)) {}

  OpenPart open_part(const Direction& hub) {
    Boundary boundary(hub);
    for (std::size_t i = 0; i < caps_.size(); ++i) add_arcs(i, boundary);
    return boundary.result();
  }

 private:
  void add_arcs(std::size_t i, Boundary& boundary) {
    const Circle circle(caps_[i]);
    std::vector<CirclePoint> points;
    for (const double turn : {0.11, 1.47, 2.83}) points.push_back({turn, circle.at(turn)});
    for (std::size_t j = 0; j < caps_.size(); ++j) {
      if (j == i) continue;
      for (const Direction& p : common_points(caps_[i], caps_[j])) points.push_back(circle.place(p));
    }
    std::ranges::sort(points, {}, &CirclePoint::turn);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const CirclePoint &start = points[k], &end = points[(k + 1) % points.size()];
      const Long turn = k + 1 < points.size() ? end.turn - start.turn : end.turn + 4 - start.turn;
      if (turn > 0 && is_open(i, circle, start.turn, turn)) boundary.add(caps_[i], start.at, end.at);
    }
  }

  /// No circle crosses the arc, but one may touch it: of several places the one farthest from it decides.
  bool is_open(std::size_t i, const Circle& circle, const Long& start, const Long& turn) const {
    const Direction middle = circle.at(start + turn * 0.53);
    for (std::size_t j = 0; j < caps_.size(); ++j) {
      if (j == i) continue;
      const Long near = 1e-25;
      Long depth = depth_in(j, middle);
      for (const double share : {0.19, 0.83}) {
        if (abs(depth) > near) break;
        const Long other = depth_in(j, circle.at(start + turn * share));
        if (abs(other) > abs(depth)) depth = other;
      }
      if (depth >= 0) return false;
    }
    return true;
  }
  Long depth_in(std::size_t j, const Direction& w) const { return dot(w, caps_[j].axis) - caps_[j].cosine; }

  std::vector<Cap> caps_;
};

/// Are the circles of two caps one, with the caps on the same side (sign 1) or on opposite ones (−1)?
bool share_circle(const Cap& a, const Cap& b, int sign) {
  const Long near = 1e-22;
  const Direction apart = a.axis + scaled(Long(-sign), b.axis);
  return abs(a.cosine - sign * b.cosine) < near && dot(apart, apart) < near * near;
}

/// Each cap once. False if two of them cover all.
bool distinct(const std::vector<Cap>& caps, std::vector<Cap>& kept) {
  for (const Cap& cap : caps) {
    bool again = false;
    for (const Cap& other : kept) {
      if (share_circle(cap, other, -1)) return false;
      again = again || share_circle(cap, other, 1);
    }
    if (!again) kept.push_back(cap);
  }
  return true;
}

OpenPart whole() { return {4 * boost::math::constants::pi<Long>(), {}}; }

}  // namespace

OpenPart open_part(const Caps& caps, const Direction& hub) {
  std::vector<Cap> kept;
  if (caps.all || !distinct(caps.list, kept)) return {0, {}};
  if (kept.empty()) return whole();
  return Arrangement(std::move(kept)).open_part(hub);
}

OpenPart open_part_by_integral(const Caps& caps) {
  if (caps.all) return {0, {}};
  OpenAzimuths sky(unit({-0.2, 0.7, 0.6}), std::numbers::pi_v<long double>);
  for (const Cap& cap : caps.list) sky.add(cap);
  long double area = 0, along = 0, right = 0, up = 0;
  sky.integrate([&](long double rho, long double weight) {
    const long double sine = std::sin(rho);
    for (const auto& [start, end] : sky.open(rho)) {
      area += weight * (end - start), along += weight * std::cos(rho) * (end - start);
      right += weight * sine * (std::sin(end) - std::sin(start));
      up -= weight * sine * (std::cos(end) - std::cos(start));
    }
  });
  return {area, scaled(along, sky.axis()) + scaled(right, sky.right()) + scaled(up, sky.up())};
}

}  // namespace sphaera::oracle
