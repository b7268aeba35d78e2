#include <algorithm>
#include <cmath>
#include <numbers>
#include <tests/inputs/skies.hpp>

namespace sphaera::test {
namespace {

constexpr double pi = std::numbers::pi;

Vec3 unit(const Vec3& v) { return (1 / std::sqrt(dot(v, v))) * v; }

double angular_radius(const Star& star) {
  if (star.distance == Star::Distance::infinite) return star.angular_radius;
  return std::asin(star.radius / std::sqrt(dot(star.center, star.center)));
}

struct Spot {
  double angle, separation, azimuth;
};

/// A tiny number of either sign, to be used as a relative offset.
double hairline(Random& random) { return random.signed_log_uniform(1e-16, 1e-3); }

Spot random_spot(Random& random, double a, const std::vector<Spot>& earlier) {
  const double limit = 1.5;
  const double b = std::min(a * random.log_uniform(0.05, 20), limit), azimuth = random.between(-pi, pi);
  const double within = std::min(a, b), sum = std::min(a + b, 3.0);
  switch (random.below(earlier.empty() ? 8 : 10)) {
    case 0:
      return {b, std::fabs(a - b) + random.unit() * (sum - std::fabs(a - b)), azimuth};
    case 1:
      return {b, sum * (1 - std::fabs(hairline(random))), azimuth};  // a hairline outside
    case 2:
      return {b, std::fabs(a - b) + within * hairline(random), azimuth};  // inside, or a crescent
    case 3:
      return {a * random.between(0.05, 0.5), a * random.between(0, 0.5), azimuth};
    case 4:
      return {a * random.between(0.5, 0.9), 0, azimuth};
    case 5:
      return {a * (1 + hairline(random)), a * std::fabs(hairline(random)), azimuth};  // nearly the star
    case 6: {
      const double big = std::min(limit, a * random.log_uniform(10, 1e9));
      return {big, big + a * random.between(-1, 1), azimuth};
    }
    case 7: {  // through a common point, on the disc to the right of its center
      const double x = std::min(a * random.between(0.1, 1), limit / 2);
      const Spot s{b, 0, 0};
      const double d = std::fabs(b - x) + random.unit() * (std::min(b + x, 3.0) - std::fabs(b - x));
      const double cosine = (std::cos(b) - std::cos(d) * std::cos(x)) / (std::sin(d) * std::sin(x));
      return {s.angle, d, std::acos(std::clamp(cosine, -1.0, 1.0)) * (random.one_in(2) ? 1 : -1)};
    }
    case 8:
      return earlier[random.below(static_cast<int>(earlier.size()))];  // the same disc
    default: {
      const Spot s = earlier[random.below(static_cast<int>(earlier.size()))];  // nearly the same, or in it
      const double shrink = random.one_in(2) ? 1 - std::fabs(hairline(random)) : random.between(0.2, 1);
      return {s.angle * shrink, s.separation + s.angle * hairline(random), s.azimuth + hairline(random)};
    }
  }
}

}  // namespace

Sphere body_at(const StarSky& sky, double angle, double separation, double azimuth, double distance) {
  const Vec3 to_star = sky.star.distance == Star::Distance::finite ? sky.star.center - sky.observer.position
                                                                   : sky.star.direction;
  const Vec3 axis = unit(to_star);
  const Vec3 right = unit(cross(std::fabs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, axis));
  const Vec3 up = cross(axis, right);
  const Vec3 toward = std::cos(azimuth) * right + std::sin(azimuth) * up;
  const Vec3 direction = std::cos(separation) * axis + std::sin(separation) * toward;
  return {sky.observer.position + distance * direction, distance * std::sin(angle)};
}

StarSky random_sky(Random& random, int bodies) {
  StarSky sky;
  const double a = random.log_uniform(1e-9, 1);
  // At the origin, or where offsets from the observer need sums of two doubles.
  if (random.one_in(2)) sky.observer.position = random.in_cube(random.log_uniform(1e-3, 1e3));
  const double distance = random.log_uniform(1e5, 1e12);
  const Vec3 direction = random.direction();
  sky.star = random.one_in(4)
                 ? Star::at_infinity(distance * direction, a)
                 : Star::at(sky.observer.position + distance * direction, distance * std::sin(a));
  std::vector<Spot> spots;
  for (int i = 0; i < bodies; ++i) {
    spots.push_back(random_spot(random, angular_radius(sky.star), spots));
    const Spot& s = spots.back();
    sky.bodies.push_back(body_at(sky, s.angle, s.separation, s.azimuth, random.log_uniform(1, 1e3)));
  }
  return sky;
}

LimbDarkening random_law(Random& random) {
  switch (random.below(6)) {
    case 0:
      return {};
    case 1:
      return LimbDarkening::linear(random.unit());
    case 2:
      return LimbDarkening::quadratic(random.between(0, 0.5), random.between(0, 0.5));
    case 3:
      return LimbDarkening::sqrt(random.between(0, 0.5), random.between(0, 0.5));
    case 4:
      return LimbDarkening::power2(random.unit(), random.below(2) == 0
                                                      ? random.between(0.05, 8)
                                                      : static_cast<double>(1 + random.below(8)));
    default:
      return LimbDarkening::claret4(random.between(0, 0.25), random.between(0, 0.25), random.between(0, 0.25),
                                    random.between(0, 0.25));
  }
}

}  // namespace sphaera::test
