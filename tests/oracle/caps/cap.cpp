#include <tests/oracle/caps/cap.hpp>

namespace sphaera::oracle {

Cap disc(const Direction& to_center, double radius) {
  const Long square = dot(to_center, to_center);
  return {unit(to_center), sqrt((square - Long(radius) * radius) / square)};
}

/// a·A + b·B ± c·A×B.
std::vector<Direction> common_points(const Cap& first, const Cap& second) {
  const Direction normal = cross(first.axis, second.axis);
  const Long d = dot(first.axis, second.axis), sine2 = dot(normal, normal);
  if (sine2 == 0) return {};
  const Long a = (first.cosine - d * second.cosine) / sine2, b = (second.cosine - d * first.cosine) / sine2;
  const Long rest = (1 - a * a - b * b - 2 * a * b * d) / sine2;
  if (rest < 0) return {};
  const Long c = sqrt(rest);
  const Direction middle = scaled(a, first.axis) + scaled(b, second.axis);
  return {middle + scaled(c, normal), middle + scaled(-c, normal)};
}

void Caps::add(const Direction& axis, const Long& cosine) {
  const Long tiny = 1e-31;
  if (1 - cosine < tiny) return;
  if (1 + cosine < tiny)
    all = true;
  else
    list.push_back({unit(axis), cosine});
}

namespace {

/// The part of the sphere of radius r + probe about 0 that lies in a ball of radius s + probe: d² =
/// |to_center|². The difference of radii does not pass through the sums, of which a probe of more than 1e70
/// times the radii leaves only itself.
void add_intersection(Caps& caps, const Direction& to_center, const Long& r, const Long& s,
                      const Long& probe) {
  const Long square = dot(to_center, to_center), larger = s - r, sum = (r + probe) + (s + probe);
  if (larger >= 0 && square <= larger * larger)
    caps.all = true;
  else if (square < sum * sum && (larger >= 0 || square > larger * larger))
    caps.add(to_center, (square - larger * sum) / (2 * sqrt(square) * (r + probe)));
}

}  // namespace

Caps caps_of_sky(const Vec3& point, std::span<const Sphere> balls, const Vec3* normal, double within) {
  Caps caps;
  if (normal) caps.add(from(*normal, {}), 0);
  for (const Sphere& ball : balls) {
    const Direction to_center = from(point, ball.center);
    const Long r = ball.radius, power = dot(to_center, to_center) - r * r;
    if (power <= 0)
      caps.all = true;
    else if (std::isinf(within) || power <= Long(within) * within)
      caps.add(to_center, disc(to_center, ball.radius).cosine);
    else
      add_intersection(caps, to_center, within, r, 0);
  }
  return caps;
}

Caps caps_on(const Sphere& sphere, double probe, std::span<const Sphere> others) {
  Caps caps;
  for (const Sphere& other : others)
    add_intersection(caps, from(sphere.center, other.center), sphere.radius, other.radius, probe);
  return caps;
}

}  // namespace sphaera::oracle
