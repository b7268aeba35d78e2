/// \file Elementary functions against 50 digits: random arguments of all sizes, and special values.

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdio>
#include <exact/numbers/elementary.hpp>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera::exact {
namespace {

using Real50 = boost::multiprecision::cpp_bin_float_50;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

/// Error of a result in ulp, minus the half ulp of correct rounding.
double beyond_half(double result, const Real50& truth) {
  const Real50 size = abs(truth);
  const int exponent = std::max(static_cast<int>(size == 0 ? -2000 : ilogb(size)), -1022);
  const Real50 ulp = ldexp(Real50(1), exponent - 52);
  return static_cast<double>(abs(Real50(result) - truth) / ulp - 0.5);
}

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  /// Log-uniform, of either sign.
  double log_uniform(int low, int high) {
    const double x = std::ldexp(between(1, 2), std::uniform_int_distribution(low, high)(random_));
    return random_() % 2 == 0 ? x : -x;
  }

 private:
  std::mt19937_64 random_;
};

/// The worst of n random results.
double worst(int n, const std::function<double()>& error) {
  double most = -1;
  for (int i = 0; i < n; ++i) most = std::max(most, error());
  return most;
}

void check(const char* name, int n, const std::function<double()>& error) {
  constexpr double allowed = 0x1p-13;  // in ulp; a relative error of 2^-66 is at most this
  const double most = worst(n, error);
  std::printf("%s: 1/2 + %.2g ulp\n", name, most);
  INFO(name);
  CHECK(most < allowed);
}

void check_inverse_functions(int n) {
  Numbers random(test::seed());
  check("arc_tangent, all sizes", n, [&] {
    const double y = random.log_uniform(-1074, 1023), x = random.log_uniform(-1074, 1023);
    return beyond_half(arc_tangent(y, x), atan2(Real50(y), Real50(x)));
  });
  check("arc_tangent, like sizes", n, [&] {
    const double y = random.log_uniform(-12, 12), x = random.log_uniform(-12, 12);
    return beyond_half(arc_tangent(y, x), atan2(Real50(y), Real50(x)));
  });
  check("arc_sine", n, [&] {
    const double x = random.log_uniform(-40, -1);
    return beyond_half(arc_sine(x), asin(Real50(x)));
  });
  check("arc_sine near 1", n, [&] {
    const double x = 1 - std::fabs(random.log_uniform(-53, -2));
    return beyond_half(arc_sine(x), asin(Real50(x)));
  });
  check("hyperbolic_arc_sine", n, [&] {
    const double x = random.log_uniform(-1074, 1023);
    return beyond_half(hyperbolic_arc_sine(x), asinh(Real50(x)));
  });
  check("hyperbolic_arc_sine, middle sizes", n, [&] {
    const double x = random.log_uniform(-12, 12);
    return beyond_half(hyperbolic_arc_sine(x), asinh(Real50(x)));
  });
}

void check_functions(int n) {
  Numbers random(test::seed());
  check("sine", n, [&] {
    const double x = random.log_uniform(-1074, 9);
    return beyond_half(sine(x), sin(Real50(x)));
  });
  check("sine near multiples of a right angle", n, [&] {
    const double x =
        std::round(random.between(-650, 650)) * (std::numbers::pi / 2) * (1 + random.log_uniform(-60, -45));
    return std::max(beyond_half(sine(x), sin(Real50(x))), beyond_half(cosine(x), cos(Real50(x))));
  });
  check("cosine", n, [&] {
    const double x = random.log_uniform(-40, 9);
    return beyond_half(cosine(x), cos(Real50(x)));
  });
  check("power of a base below 1", n, [&] {
    const double x = std::fabs(random.log_uniform(-60, -1)), y = random.log_uniform(-40, 3);
    return beyond_half(power(x, y), pow(Real50(x), Real50(y)));
  });
  check("power near 1", n, [&] {
    const double x = 1 - std::fabs(random.log_uniform(-50, -2)), y = random.log_uniform(-10, 3);
    return beyond_half(power(x, y), pow(Real50(x), Real50(y)));
  });
}

void check_errors(int n) {
  check_inverse_functions(n);
  check_functions(n);
}

}  // namespace

TEST_CASE("elementary functions are off by at most half an ulp and 2^-13 of one", "[exact][elementary]") {
  check_errors(test::fewer_in_repeats(5'000));
}

TEST_CASE("elementary functions, measured", "[.elementary-errors]") { check_errors(1'000'000); }

TEST_CASE("a quick arc tangent is off by less than 2^-50 of itself", "[exact][elementary]") {
  Numbers random(test::seed());
  double most = 0;
  for (int i = 0; i < test::fewer_in_repeats(100'000); ++i) {
    const double x = i % 2 == 0 ? random.between(-1, 1) : random.log_uniform(-60, 2),
                 truth = arc_tangent(x, 1);
    most = std::max(most, std::fabs(quick_arc_tangent(x) / truth - 1));
    REQUIRE(quick_arc_tangent(-x) == -quick_arc_tangent(x));
  }
  std::printf("quick_arc_tangent: off by 2^%.2f of itself\n", std::log2(most));
  CHECK(most < 0x1p-50);
  for (const double x : {0.0, 1.0, 0x1p-1074, inf, nan}) {
    const double angle = quick_arc_tangent(x);
    CHECK((angle == arc_tangent(x, 1) || (std::isnan(x) && std::isnan(angle))));
  }
}

TEST_CASE("a power is good to 0.51 ulp everywhere, a denormal one to an ulp", "[exact][elementary]") {
  Numbers random(test::seed());
  double most = -1, denormal = -1;
  for (int i = 0; i < test::fewer_in_repeats(20'000); ++i) {
    const double x = std::fabs(random.log_uniform(-1074, 1023)),
                 y = random.between(-1100, 1100) / std::log2(x);
    const double result = power(x, y);
    if (result == 0 || result == inf) continue;
    double& worst = result < std::numeric_limits<double>::min() ? denormal : most;
    worst = std::max(worst, beyond_half(result, pow(Real50(x), Real50(y))));
  }
  INFO("1/2 + " << most << " ulp, denormal 1/2 + " << denormal);
  CHECK(most < 0.01);
  CHECK(denormal < 0.5);
}

TEST_CASE("elementary functions of zeros, extreme values, infinities and NaN are those of the C library",
          "[exact][elementary]") {
  const auto same = [](double a, double b) {
    INFO(a << ' ' << b);
    CHECK(
        (std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)));
  };
  constexpr double values[] = {
      0.0, -0.0, 0x1p-1074, -0x1p-1074, 0x1p-1022, 1, -1, 0x1.fffffffffffffp1023, -0x1p1023, inf, -inf, nan};
  for (const double x : values) {
    for (const double y : values) same(arc_tangent(y, x), std::atan2(y, x));
    if (!(std::fabs(x) > 1 && std::fabs(x) < inf)) same(hyperbolic_arc_sine(x), std::asinh(x));
    same(arc_sine(x), std::asin(x));
    if (!(std::fabs(x) > 1024)) same(sine(x), std::sin(x)), same(cosine(x), std::cos(x));
    if (std::signbit(x) || std::isnan(x)) continue;
    for (const double y : {0.0, 0.5, -0.5, 1.0, 2.0, 8.0, 0x1p-1074, 0x1p900, -0x1p900})
      same(power(x, y), std::pow(x, y));
  }
  CHECK((std::isnan(sine(inf)) && std::isnan(cosine(-inf)) && std::isnan(sine(1025)) &&
         std::isnan(arc_sine(1.5))));
  CHECK((std::isnan(power(-1, 2)) && std::isnan(power(2, inf)) && std::isnan(power(2, nan)) &&
         std::isnan(power(nan, 0))));
}

}  // namespace sphaera::exact
