#include <tests/cases/predicates.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Random families share one half of the cases, adversarial ones the other.
const int cases_in_all = fewer_unless_all(1'000'000);

constexpr int adversarial_families = family_count - static_cast<int>(Family::near_tangent);

int cases_of(Family family) {
  return cases_in_all / 2 /
             (adversarial(family) ? adversarial_families : family_count - adversarial_families) +
         1;
}

/// Number of cases of one family with a wrong answer.
std::uint64_t wrong_answers(Family family, Tally& tally) {
  Random random(seed(), static_cast<std::uint64_t>(family));
  std::uint64_t wrong = 0;
  for (int i = 0; i < cases_of(family); ++i) {
    const Case c = make_case(family, random);
    const std::string message = check(c, truths(c), tally);
    if (message.empty()) continue;
    if (++wrong <= 5) UNSCOPED_INFO(message);
  }
  return wrong;
}

}  // namespace

TEST_CASE("cases, half of them adversarial, are decided as exact arithmetic decides them",
          "[exact][decisions]") {
  Tally tally;
  for (int f = 0; f < family_count; ++f) {
    const auto family = static_cast<Family>(f);
    CHECK(wrong_answers(family, tally) == 0);
  }
  tally.print();

  const auto discriminant = [&](Family family) {
    return tally.at(family, Predicates::number_of<predicates::Discriminant>());
  };
  // Random rays leave the filter with a probability of about 10 u L/r, here below 1e-8 a ray.
  CHECK(discriminant(Family::crowd).double_double + discriminant(Family::crowd).exact == 0);
  CHECK(discriminant(Family::planetary).double_double + discriminant(Family::planetary).exact <= 1);
  // Only the exact stage can tell a zero. The few cases not exactly tangent were made denormal.
  CHECK(discriminant(Family::exact_tangent).exact >= discriminant(Family::exact_tangent).asked * 9 / 10);
  // Within ulps of tangency the filter does not know, and double-double mostly does.
  CHECK(discriminant(Family::near_tangent).double_double >= discriminant(Family::near_tangent).asked / 2);
}
