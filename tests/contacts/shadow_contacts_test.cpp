/// \file Contacts of a ball with shadows, against the distances of its center from the cones, in long double.

#include <algorithm>
#include <cmath>
#include <random>
#include <sphaera/contact_times.hpp>
#include <sphaera/error.hpp>
#include <tests/catch.hpp>
#include <tests/seed.hpp>
#include <vector>

using namespace sphaera;
using namespace sphaera::test;

namespace {

struct BallEclipse {
  Vec3 star, body, place, velocity;
  double star_radius, body_radius, ball_radius;
};

/// The distances of the ball's center at t from the cones of penumbra and umbra, positive outside.
struct ConeDistances {
  long double penumbra, umbra;
};
ConeDistances distances(const BallEclipse& e, long double t) {
  long double axis[3], from_body[3], length = 0, along = 0, squared = 0;
  for (int i = 0; i < 3; ++i) {
    axis[i] = static_cast<long double>(e.body[i]) - e.star[i];
    from_body[i] = e.place[i] + t * e.velocity[i] - e.body[i];
    length += axis[i] * axis[i];
  }
  length = std::sqrt(length);
  for (int i = 0; i < 3; ++i)
    along += from_body[i] * axis[i] / length, squared += from_body[i] * from_body[i];
  const long double off = std::sqrt(squared - along * along);
  const long double sine_out = (static_cast<long double>(e.star_radius) + e.body_radius) / length;
  const long double sine_in = (static_cast<long double>(e.star_radius) - e.body_radius) / length;
  return {off * std::sqrt(1 - sine_out * sine_out) - along * sine_out - e.body_radius,
          off * std::sqrt(1 - sine_in * sine_in) + along * sine_in - e.body_radius};
}

std::vector<ShadowChange> contacts_of(const BallEclipse& e, double begin, double end) {
  const std::vector<MovingSphere> bodies{{Motion::at_rest(e.body), e.body_radius}};
  return shadow_contacts({Star::at(e.star, e.star_radius)},
                         {Motion::linear(e.place, e.velocity), e.ball_radius}, bodies, begin, end);
}

bool is_umbral(ShadowContact contact) {
  return contact >= ShadowContact::enters_umbra && contact <= ShadowContact::outside_umbra;
}
bool touches_from_outside(ShadowContact contact) {
  return contact == ShadowContact::enters_penumbra || contact == ShadowContact::outside_penumbra ||
         contact == ShadowContact::enters_umbra || contact == ShadowContact::outside_umbra;
}

/// Sign changes of both distances less, and plus, the radius at evenly spaced times.
std::size_t crossings(const BallEclipse& e, double begin, double end) {
  constexpr int steps = 4000;
  std::size_t count = 0;
  bool before[4] = {};
  for (int i = 0; i <= steps; ++i) {
    const ConeDistances d = distances(e, begin + (static_cast<long double>(end) - begin) * i / steps);
    const bool now[4] = {d.penumbra <= e.ball_radius, d.penumbra <= -e.ball_radius, d.umbra <= e.ball_radius,
                         d.umbra <= -e.ball_radius};
    for (int k = 0; k < 4; ++k) {
      count += i > 0 && now[k] != before[k];
      before[k] = now[k];
    }
  }
  return count;
}

}  // namespace

TEST_CASE("shadow_contacts are where a ball touches the cones", "[contacts]") {
  std::mt19937_64 random(seed());
  const auto between = [&](double a, double b) { return std::uniform_real_distribution(a, b)(random); };
  std::size_t whole = 0;
  for (int i = 0; i < 500; ++i) {
    const double unit = std::exp2(std::round(between(-30, 60)));
    BallEclipse e{};
    e.star_radius = unit * between(50, 150), e.body_radius = unit * between(0.5, 2);
    e.ball_radius = i % 10 == 0 ? e.body_radius : unit * std::exp2(between(-6, 2));
    e.star = {0, 0, 0};
    const double distance = unit * between(1e4, 3e4);
    const Vec3 along{between(-1, 1), between(-1, 1), 1}, side = cross(along, Vec3{1, between(-1, 1), 0.3});
    const double n = std::hypot(along.x, along.y, along.z), m = std::hypot(side.x, side.y, side.z);
    e.body = (distance / n) * along;
    // It crosses the axis, more or less, before a third of the umbra's length.
    const double behind = e.body_radius * distance / e.star_radius * between(0.05, 0.33) + 4 * e.ball_radius;
    const Vec3 middle = ((distance + behind) / n) * along + (unit * between(-1, 1) / n) * cross(along, side);
    e.velocity = (unit / m) * side;
    const double half = 30 + 4 * e.ball_radius / unit;
    e.place = middle - half * e.velocity;
    const std::vector<ShadowChange> found = contacts_of(e, 0, 2 * half);
    CAPTURE(i, e.ball_radius / e.body_radius, behind / unit, found.size());
    CHECK(found.size() == crossings(e, 0, 2 * half));
    CHECK(std::ranges::is_sorted(found, {}, &ShadowChange::time));
    for (const ShadowChange& change : found) {
      const ConeDistances d = distances(e, change.time);
      const long double distance_there = is_umbral(change.contact) ? d.umbra : d.penumbra;
      const long double expected = touches_from_outside(change.contact) ? e.ball_radius : -e.ball_radius;
      // Positions and radii are rounded at the distance of the star.
      CHECK(std::fabs(distance_there - expected) <= 64 * 0x1p-53L * (distance + behind + 200 * unit));
    }
    whole += std::ranges::count(found, ShadowContact::inside_umbra, &ShadowChange::contact) > 0;
  }
  CHECK(whole > 50);  // total eclipses were among them
}

TEST_CASE("shadow_contacts of a total lunar eclipse come in their order", "[contacts]") {
  const BallEclipse moon{{-1.496e11, 0, 0}, {0, 0, 0}, {3.8e8, -1.5e7, 1e6}, {0, 1023, 0}, 6.957e8,
                         6.371e6,           1.7374e6};
  const std::vector<ShadowChange> found = contacts_of(moon, 0, 3e4);
  std::vector<ShadowContact> contacts;
  for (const ShadowChange& change : found) contacts.push_back(change.contact);
  using enum ShadowContact;
  CHECK(contacts == std::vector<ShadowContact>{enters_penumbra, inside_penumbra, enters_umbra, inside_umbra,
                                               leaves_umbra, outside_umbra, leaves_penumbra,
                                               outside_penumbra});
  // U1 to U4: the chord of the circle in which the ball's center is at its radius from the umbra.
  const long double sine = (6.957e8L - 6.371e6L) / 1.496e11L, cosine = std::sqrt(1 - sine * sine);
  const long double radius = (6.371e6L + 1.7374e6L - 3.8e8L * sine) / cosine;
  CHECK(std::fabs(static_cast<double>(found[5].time - found[2].time -
                                      2 * std::sqrt(radius * radius - 1e12L) / 1023)) <= 1e-6);
}

TEST_CASE("shadow_contacts refuses what has no shadow contacts", "[contacts]") {
  const std::vector<MovingSphere> bodies{{Motion::at_rest({100, 0, 0}), 1},
                                         {Motion::at_rest({200, 0, 0}), 1}};
  const MovingStar star{Star::at({0, 0, 0}, 10)};
  const auto contacts = [&](double radius, const Vec3& place) {
    return shadow_contacts(star, {Motion::at_rest(place), radius}, bodies, 0, 1);
  };
  CHECK_THROWS_WITH(contacts(0, {300, 0, 0}), ContainsSubstring("ball"));
  CHECK_THROWS_WITH(contacts(10, {300, 0, 0}), ContainsSubstring("smaller than the star"));
  CHECK_THROWS_AS(contacts(3, {12, 0, 0}), Error);  // it cuts the star
  for (const double radius : {-5.0, 0.0, std::nan("")}) {
    const std::vector<MovingSphere> no_body{bodies[0], {bodies[1].motion, radius}};
    CHECK_THROWS_WITH(shadow_contacts(star, {Motion::at_rest({300, 0, 0}), 3}, no_body, 0, 1),
                      ContainsSubstring("body 1: radius"));
  }
  CHECK(contacts(3, {300, 0, 0}).empty());
  CHECK_THROWS_AS(shadow_contacts(star, {Motion::at_rest({300, 0, 0}), 1}, bodies, 1, 0), Error);
}
