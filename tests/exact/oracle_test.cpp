/// \file The judge is judged first: the oracle against identities and against answers known by hand.

#include <tests/cases/cases.hpp>
#include <tests/catch.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/radicals.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using oracle::Dyadic;
using oracle::Integer;

namespace {

constexpr int rounds = 2'000;

Dyadic random_dyadic(Random& random, int least, int most) { return random.pattern(least, most); }

int by_real(const Dyadic& a, const Dyadic& x, const Dyadic& y) {
  const oracle::Real value = to_real(a) + sqrt(to_real(x)) - sqrt(to_real(y));
  return value.sign();
}

}  // namespace

TEST_CASE("integer square roots are the floor", "[exact]") {
  Random random(seed());
  for (int i = 0; i < rounds; ++i) {
    Integer n = random.below(100);
    for (int words = random.below(20); words > 0; --words) n = (n << 64) + random.bits();
    const Integer root = oracle::floor_sqrt(n);
    REQUIRE(root * root <= n);
    REQUIRE((root + 1) * (root + 1) > n);
    REQUIRE(oracle::floor_sqrt(n * n) == n);
    if (n > 0) REQUIRE(oracle::floor_sqrt(n * n - 1) == n - 1);
  }
}

TEST_CASE("integer square roots at the borders of words", "[exact]") {
  const Integer word = Integer(1) << 64, half = Integer(1) << 32;
  CHECK(oracle::floor_sqrt(word - 1) == half - 1);
  CHECK(oracle::floor_sqrt(word) == half);
  CHECK(oracle::floor_sqrt((half - 1) * (half - 1)) == half - 1);
  CHECK(oracle::floor_sqrt((half - 1) * (half - 1) - 1) == half - 2);
  CHECK(oracle::floor_sqrt(word * word - 1) == word - 1);
}

TEST_CASE("floors of scaled integers go down on both sides of zero", "[exact]") {
  CHECK(oracle::floor_scaled(7, -1) == 3);
  CHECK(oracle::floor_scaled(-7, -1) == -4);
  CHECK(oracle::floor_scaled(-8, -1) == -4);
  CHECK(oracle::floor_scaled(-1, -100) == -1);
  CHECK(oracle::floor_scaled(-3, 2) == -12);
}

TEST_CASE("exact numbers hold every double and every sum of them", "[exact]") {
  Random random(seed());
  for (int i = 0; i < rounds; ++i) {
    const double x = random.pattern(-1074, 1023), y = random.pattern(-1074, 1023);
    REQUIRE(oracle::compare(x, y) == (x > y) - (x < y));
    REQUIRE(oracle::compare(Dyadic(x) + y - x, y) == 0);
    REQUIRE(oracle::compare((Dyadic(x) + y) * (Dyadic(x) - y), Dyadic(x) * x - Dyadic(y) * y) == 0);
    REQUIRE(static_cast<double>(oracle::to_real(x)) == x);
    REQUIRE(static_cast<double>(oracle::approximate(x)) == x);
  }
}

TEST_CASE("signs of radicals agree with 100 digits where these tell, and know every tie", "[exact]") {
  Random random(seed());
  for (int i = 0; i < rounds; ++i) {
    const Dyadic a = random_dyadic(random, -40, 40);
    const Dyadic x = std::abs(random.pattern(-80, 80)), y = std::abs(random.pattern(-80, 80));
    REQUIRE(oracle::sign_of_radicals(a, x, y) == by_real(a, x, y));

    const Dyadic h = std::abs(random.pattern(-40, 40)), k = random_dyadic(random, -40, 40);
    const Dyadic tiny = random.pattern(-500, -300);
    // k + √h² = √(k + h)² if k + h ≥ 0
    if ((k + h).sign() < 0) continue;
    const Dyadic square = (k + h) * (k + h);
    REQUIRE(oracle::sign_of_radicals(k, h * h, square) == 0);
    REQUIRE(oracle::sign_of_radicals(k + tiny, h * h, square) == tiny.sign());
    REQUIRE(oracle::sign_of_radicals(k, h * h, square + tiny * tiny) == -1);
    // Equal radicands cancel; the least difference decides the sign.
    REQUIRE(oracle::sign_of_radicals(0, x, x) == 0);
    REQUIRE(oracle::sign_of_radicals(0, x, x + tiny * tiny) == -1);
    REQUIRE(oracle::sign_of_radicals(tiny, x, x) == tiny.sign());
  }
}

/*  before  on  inside  on  after          the ball [4, 6] on the x axis
 *  --0-----4-----5-----6-----9--          */
TEST_CASE("contacts on, before, inside and after a ball", "[exact]") {
  const Sphere ball{{5, 0, 0}, 1};
  const auto contact = [&](double x, double from, double to) {
    return oracle::contact(oracle::sight(Ray{{x, 0, 0}, {1, 0, 0}, from, to}, ball));
  };
  CHECK(contact(0, 0, infinity) == Contact::enters);
  CHECK(contact(0, 0, 4) == Contact::enters);
  CHECK(contact(0, 0, 3.999) == Contact::miss);
  CHECK(contact(0, 4, 4) == Contact::enters);
  CHECK(contact(0, 4.5, 4.5) == Contact::starts_inside);
  CHECK(contact(0, 6, 6) == Contact::starts_inside);
  CHECK(contact(6, 0, infinity) == Contact::starts_inside);
  CHECK(contact(9, 0, infinity) == Contact::miss);
  CHECK(contact(9, -infinity, infinity) == Contact::enters);
  CHECK(contact(9, -3, infinity) == Contact::starts_inside);
  CHECK(contact(9, -infinity, -5) == Contact::enters);
  CHECK(contact(0, 5, 4) == Contact::miss);
  CHECK(contact(0, infinity, infinity) == Contact::miss);
  CHECK(contact(0, -infinity, -infinity) == Contact::miss);
}

TEST_CASE("touching counts, one ulp beside it does not", "[exact]") {
  const auto contact = [](double height) {
    return oracle::contact(oracle::sight(Ray{{-7, height, 0}, {3, 0, 0}, 0, infinity}, {{0, 0, 0}, 1}));
  };
  CHECK(contact(1) == Contact::enters);
  CHECK(contact(step(1, 1)) == Contact::miss);
  CHECK(contact(step(1, -1)) == Contact::enters);
  CHECK(oracle::sign_gap({{0, 0, 0}, 1}, {{3, 4, 0}, 4}) == 0);
  CHECK(oracle::sign_gap({{0, 0, 0}, 1}, {{3, 4, 0}, step(4, 1)}) == -1);
  CHECK(oracle::sign_gap({{0, 0, 0}, 1}, {{3, 4, 0}, step(4, -1)}) == 1);
  CHECK(oracle::sign_nesting({{0, 0, 0}, 6}, {{3, 4, 0}, 1}) == 0);
  CHECK(oracle::sign_nesting({{0, 0, 0}, step(6, 1)}, {{3, 4, 0}, 1}) == -1);
  CHECK(oracle::sign_nesting({{0, 0, 0}, step(6, -1)}, {{3, 4, 0}, 1}) == 1);
}

TEST_CASE("the roots of a sight are where its power changes sign", "[exact]") {
  Random random(seed());
  for (int f = 0; f < family_count; ++f) {
    const Case c = make_case(static_cast<Family>(f), random);
    const Ray* ray = std::get_if<Ray>(&c.path);
    if (!ray) continue;
    const oracle::Sight sight = oracle::sight(*ray, c.a);
    const auto roots = oracle::roots(sight);
    if (!roots || oracle::sign_discriminant(sight) == 0) continue;
    const double below = step(static_cast<double>(roots->t1), -2),
                 above = step(static_cast<double>(roots->t2), 2);
    INFO(describe(c));
    if (std::isfinite(below)) CHECK(oracle::sign_power(sight, below) > 0);
    if (std::isfinite(above)) CHECK(oracle::sign_power(sight, above) > 0);
    CHECK(roots->t1 <= roots->t2);
  }
}

TEST_CASE("a small scene has the answers that can be read off", "[exact]") {
  const Sphere spheres[] = {
      {{9, 0, 0}, 1}, {{5, 0, 0}, 1}, {{5, 0, 0}, 1}, {{4.5, 0, 0}, 0.5}, {{5, 9, 0}, 1}};
  const oracle::View view{spheres};
  const Ray ray{{0, 0, 0}, {1, 0, 0}, 0, infinity};
  const std::vector<oracle::SphereHit> all = {
      {1, Contact::enters}, {2, Contact::enters}, {3, Contact::enters}, {0, Contact::enters}};
  CHECK(oracle::all_hits(view, ray) == all);
  CHECK(oracle::first_hit(view, ray) == all[0]);
  CHECK(oracle::blocked(view, ray));
  CHECK(oracle::nearest(view, {4, 0, 0}, 2) == std::vector<std::int64_t>{1, 2});
  CHECK(oracle::within(view, {{7, 0, 0}, 1}) == std::vector<std::int64_t>{0, 1, 2});

  const std::uint8_t layers[] = {0, 1, 2, 1, 0};
  CHECK(oracle::first_hit(oracle::View{spheres, layers, 0b101, 2}, ray).sphere == 0);
  CHECK(oracle::first_hit(oracle::View{spheres, layers, 0b10, 1}, ray).sphere == 3);
}
