#include <algorithm>
#include <cmath>
#include <numbers>
#include <tests/oracle/caps/open_azimuths.hpp>
#include <tests/oracle/radicals.hpp>
#include <tests/oracle/starlight.hpp>
#include <vector>

namespace sphaera::oracle {
namespace {

Cap half_sky(const Direction& to_center) { return {unit(to_center), 0}; }

Cap star_cap(const Star& star, const Vec3& observer) {
  if (star.distance == Star::Distance::finite) return disc(from(observer, star.center), star.radius);
  return {unit(from({}, star.direction)), cos(Long(star.angular_radius))};
}

long double intensity(const LimbDarkening& law, long double mu) {
  using Law = LimbDarkening::Law;
  const auto& c = law.coefficients;
  switch (law.law) {
    case Law::uniform:
      return 1;
    case Law::linear:
      return 1 - c[0] * (1 - mu);
    case Law::quadratic:
      return 1 - c[0] * (1 - mu) - c[1] * (1 - mu) * (1 - mu);
    case Law::sqrt:
      return 1 - c[0] * (1 - mu) - c[1] * (1 - std::sqrt(mu));
    case Law::power2:
      return 1 - c[0] * (1 - std::pow(mu, static_cast<long double>(c[1])));
    case Law::claret4: {
      long double sum = 1;
      for (int n = 1; n <= 4; ++n) sum -= c[n - 1] * (1 - std::pow(mu, n / 2.0L));
      return sum;
    }
  }
  return 1;
}

Vector exact_from(const Vec3& x, const Vec3& y) {
  return {Dyadic(y.x) - Dyadic(x.x), Dyadic(y.y) - Dyadic(x.y), Dyadic(y.z) - Dyadic(x.z)};
}

Dyadic inner(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Dyadic power(const Vector& to_center, double radius) {
  return inner(to_center, to_center) - Dyadic(radius) * Dyadic(radius);
}

}  // namespace

Seen starlight(const Star& star, const Vec3& observer, std::span<const Sphere> bodies, int ground) {
  const Cap seen_disc = star_cap(star, observer);
  const auto limb = static_cast<long double>(radius(seen_disc));
  OpenAzimuths sky(seen_disc.axis, limb);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Direction to_center = from(observer, bodies[i].center);
    sky.add(static_cast<int>(i) == ground ? half_sky(to_center) : disc(to_center, bodies[i].radius));
  }
  constexpr long double turn = 2 * std::numbers::pi_v<long double>;
  long double seen = 0, seen_light = 0, area = 0, light = 0;
  sky.integrate([&](long double rho, long double weight) {
    const long double edge = limb - rho;
    const long double mu = std::sqrt(std::max(std::sin(edge) * std::sin(limb + rho), 0.0L)) / std::sin(limb);
    const long double glow = intensity(star.limb_darkening, mu);
    long double width = 0;
    for (const auto& [start, end] : sky.open(rho)) width += end - start;
    seen += weight * width, seen_light += weight * width * glow;
    area += weight * turn, light += weight * turn * glow;
  });
  return {seen / area, seen_light / light};
}

bool has_open_corner(const Star& star, const Vec3& observer, std::span<const Sphere> bodies) {
  const Long sharp = 1e-50;
  std::vector<Cap> caps{star_cap(star, observer)};
  for (const Sphere& s : bodies) caps.push_back(disc(from(observer, s.center), s.radius));
  for (std::size_t i = 0; i < caps.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (const Direction& p : common_points(caps[i], caps[j])) {
        bool open = true;
        for (std::size_t k = 0; k < caps.size() && open; ++k) {
          const Long inside = dot(p, caps[k].axis) - caps[k].cosine;
          open = k == i || k == j || (k == 0 ? inside > sharp : inside < -sharp);
        }
        if (open) return true;
      }
    }
  }
  return false;
}

Discs discs(const Star& star, const Vec3& observer, const Sphere& body) {
  const Vector a = exact_from(observer, star.center), b = exact_from(observer, body.center);
  const Dyadic power_star = power(a, star.radius), power_body = power(b, body.radius);
  const Dyadic radii = Dyadic(star.radius) * Dyadic(body.radius), cosine = inner(a, b);
  const Dyadic roots = power_star * power_body;
  if (sign_of_radicals(cosine + radii, 0, roots) <= 0) return Discs::apart;
  if (sign_of_radicals(cosine - radii, 0, roots) < 0) return Discs::crossing;
  const Dyadic star_size = power_body * Dyadic(star.radius) * Dyadic(star.radius);
  const Dyadic body_size = power_star * Dyadic(body.radius) * Dyadic(body.radius);
  return compare(star_size, body_size) <= 0 ? Discs::star_in_body : Discs::body_in_star;
}

bool in_front(const Star& star, const Vec3& observer, const Sphere& body) {
  return compare(power(exact_from(observer, body.center), body.radius),
                 power(exact_from(observer, star.center), star.radius)) < 0;
}

}  // namespace sphaera::oracle
