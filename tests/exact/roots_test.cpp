#include <bit>
#include <exact/roots/distance.hpp>
#include <exact/roots/distance_block.hpp>
#include <exact/roots/roots.hpp>
#include <tests/cases/predicates.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const int roots_of_a_family = fewer_in_repeats(5'000);

/// Worst error in half ulps, by kind of result.
struct Worst {
  double normal = 0, denormal = 0;
  bool is_promised = true;
  std::string report;

  void add(double value, const oracle::Real& reference, const Case& c) {
    const double error = oracle::error_in_half_ulps(value, reference);
    is_promised = is_promised && error <= oracle::promised_half_ulps_of_root(reference);
    double& worst = abs(reference) < 0x1p-1022 ? denormal : normal;
    if (error > worst) {
      worst = error;
      report = std::to_string(error) + " half ulps off; " + describe(c);
    }
  }
};

void check(const Worst& worst) {
  INFO(worst.report);
  CHECK(worst.is_promised);
}

template <class Arithmetic>
exact::filter::RootEstimates root_estimates(const Vec3& l, const exact::Path& path, const Sphere& sphere) {
  return exact::filter::root_estimates<Arithmetic>(
      l, path, exact::filter::discriminant<Arithmetic>(l, path, sphere.radius));
}

oracle::Sight sight_of(const Case& c) {
  return std::visit([&](const auto& path) { return oracle::sight(path, c.a); }, c.path);
}

/// A ray whose L·D cancels to any depth: origin.z cancels the other terms, and center.z, below the last bit
/// of origin.z, cancels what is left.
Case cancelling_case(Random& random) {
  const int far = random.whole(-240, 190), length = random.whole(-260, 260);
  const auto near = [&](int exponent) { return random.pattern(exponent - 2, exponent + 2); };
  const auto nearly = [&](double x) {
    return x * (1 + std::ldexp(random.between(-1, 1), -random.below(60)));
  };
  const Vec3 d{near(length), near(length), near(length)};
  Ray ray{{near(far), near(far), 0}, d};
  Case c;
  const auto left = [&] {
    c.path = ray;
    return exact::closest_approach_exact(path_of(c), {}) * -(dot(d, d) / d.z);
  };
  ray.origin.z = -left();
  if (random.one_in(2)) {
    c.a.center.z = nearly(left());
  } else {
    ray.origin.z = nearly(ray.origin.z);
    c.path = ray;
  }
  return c;
}

}  // namespace

TEST_CASE("roots and closest approach are good to the last bit but one", "[exact]") {
  Worst root, approach, approach_by_integers;
  for (int f = 0; f < family_count; ++f) {
    Random random(seed(), 300 + static_cast<std::uint64_t>(f));
    for (int i = 0; i < roots_of_a_family; ++i) {
      const Case c = make_case(static_cast<Family>(f), random);
      const exact::Path path = path_of(c);
      if (const auto reference = oracle::roots(sight_of(c))) {
        const exact::Roots roots = exact::roots(path, c.a);
        root.add(roots.t1, reference->t1, c);
        root.add(roots.t2, reference->t2, c);
      }
      if (const auto reference = oracle::closest_approach(sight_of(c))) {
        approach.add(exact::closest_approach(path, c.a.center), *reference, c);
        approach_by_integers.add(exact::closest_approach_exact(path, c.a.center), *reference, c);
      }
    }
  }
  std::printf("worst error in half ulps: roots %.4f (denormal %.4f), closest approach %.4f (%.4f)\n",
              root.normal, root.denormal, approach.normal, approach.denormal);
  check(root);
  check(approach);
  check(approach_by_integers);
}

TEST_CASE("closest approach is as good where L·D cancels and where double-doubles leave their range",
          "[exact]") {
  Worst worst;
  Random random(seed(), 340);
  for (int i = 0; i < roots_of_a_family; ++i) {
    const Case c = cancelling_case(random);
    if (const auto reference = oracle::closest_approach(sight_of(c)))
      worst.add(exact::closest_approach(path_of(c), c.a.center), *reference, c);
  }
  check(worst);
}

TEST_CASE("signed distances are good to the last bit but one", "[exact]") {
  Worst distance;
  for (int f = 0; f < family_count; ++f) {
    Random random(seed(), 350 + static_cast<std::uint64_t>(f));
    for (int i = 0; i < roots_of_a_family; ++i) {
      const Case c = make_case(static_cast<Family>(f), random);
      distance.add(exact::signed_distance(c.x, c.a), oracle::signed_distance(c.x, c.a), c);
    }
  }
  check(distance);
}

TEST_CASE("signed distances in lanes have the same bits", "[exact]") {
  std::size_t different = 0, count = 0;
  exact::DistanceBlock block;
  std::vector<double> expected;
  const auto compare = [&] {
    block.compute(expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      different +=
          std::bit_cast<std::uint64_t>(block.distance(i)) != std::bit_cast<std::uint64_t>(expected[i]);
    count += expected.size();
    expected.clear();
  };
  for (int f = 0; f < family_count; ++f) {
    Random random(seed(), 360 + static_cast<std::uint64_t>(f));
    for (int i = 0; i < roots_of_a_family; ++i) {
      const Case c = make_case(static_cast<Family>(f), random);
      block.set(expected.size(), c.x, c.a);
      expected.push_back(exact::signed_distance(c.x, c.a));
      if (expected.size() == exact::DistanceBlock::capacity) compare();
    }
    compare();
  }
  CHECK(count == static_cast<std::size_t>(family_count) * static_cast<std::size_t>(roots_of_a_family));
  CHECK(different == 0);
}

TEST_CASE("both roots lie within the error bounds of the estimates in double", "[exact]") {
  std::string wrong;
  const auto is_within = [](double value, double error, const oracle::Real& t) {
    return !(error < infinity) || abs(oracle::Real(value) - t) <= oracle::Real(error);
  };
  for (int f = 0; f < family_count; ++f) {
    Random random(seed(), 370 + static_cast<std::uint64_t>(f));
    for (int i = 0; i < roots_of_a_family && wrong.empty(); ++i) {
      const Case c = make_case(static_cast<Family>(f), random);
      const auto reference = oracle::roots(sight_of(c));
      if (!reference) continue;
      const exact::Path path = path_of(c);
      const Vec3 l = path.origin - c.a.center;
      const auto plain = root_estimates<exact::Plain>(l, path, c.a),
                 fused = root_estimates<exact::Fused>(l, path, c.a);
      for (const auto& x : {plain, fused}) {
        if (!is_within(x.t1, x.error, reference->t1) || !is_within(x.t2, x.error, reference->t2))
          wrong = describe(c);
      }
    }
  }
  CHECK(wrong == "");
}

TEST_CASE("a path of no length has its roots at infinity", "[exact]") {
  const exact::Path path = exact::path_of(Segment{{1, 2, 3}, {1, 2, 3}});
  const exact::Roots roots = exact::roots(path, {{1, 2, 3}, 4});
  CHECK(roots.t1 == -infinity);
  CHECK(roots.t2 == infinity);
  CHECK(exact::closest_approach(path, {1, 2, 3}) == 0);
}
