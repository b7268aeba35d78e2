#include <exact/numbers/double_double.hpp>
#include <tests/cases/stages.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// The first message of `check` over `count` cases of each family; empty if there is none.
template <class Check>
std::string wrong_answers(std::uint64_t stream, int count, const Check& check) {
  std::string report;
  for (int f = 0; f < family_count; ++f) {
    Random random(seed(), stream + static_cast<std::uint64_t>(f));
    for (int i = 0; i < count && report.empty(); ++i) report = check(static_cast<Family>(f), random);
  }
  return report;
}

bool mostly_sure(const Knowledge& stage) { return stage.sure > stage.unsure; }

}  // namespace

TEST_CASE("the filter is right wherever it is sure, with and without fused multiply-add", "[exact]") {
  const int cases_of_a_family = fewer_unless_all(10'000);
  Stages stages;
  const auto check = [&](Family family, Random& random) {
    const Case c = make_case(family, random);
    return check_filter(c, truths(c), stages);
  };
  CHECK(wrong_answers(100, cases_of_a_family, check) == "");
  CHECK(mostly_sure(stages.filter_fused));
  CHECK(mostly_sure(stages.filter_plain));
}

TEST_CASE("double-double and integers are right on sums of up to four doubles", "[exact]") {
  const int cases_of_a_family = fewer_unless_all(5'000);
  Stages stages;
  const auto check = [&](Family family, Random& random) {
    return check_sums(make_sums(family, random), stages);
  };
  CHECK(wrong_answers(200, cases_of_a_family, check) == "");
  CHECK(mostly_sure(stages.double_double_fused));
  CHECK(mostly_sure(stages.double_double_plain));
}

TEST_CASE("integers hold sums of any finite doubles", "[exact]") {
  const int cases = fewer_in_repeats(5'000);
  Stages stages;
  Random random(seed(), 300);
  std::string wrong;
  for (int i = 0; i < cases && wrong.empty(); ++i) wrong = check_sums(make_widest_sums(random), stages);
  CHECK(wrong == "");
}

TEST_CASE("double-double gives the same bits with and without fused multiply-add", "[exact]") {
  using F = exact::DoubleDouble<exact::Fused>;
  using P = exact::DoubleDouble<exact::Plain>;
  // Products of lows stay above 2^-1022, where two_product is exact either way.
  constexpr int magnitude = 250, pairs = 100'000;
  Random random(seed());
  const auto with_low = [&](double high) {
    return exact::fast_two_sum(high, std::ldexp(high, -54) * random.between(-1, 1));
  };
  const auto same = [](F f, P p) { return f.hi == p.hi && f.lo == p.lo; };
  int different = 0;
  for (int i = 0; i < pairs; ++i) {
    const exact::TwoDouble a = with_low(random.pattern(-magnitude, magnitude)),
                           b = with_low(std::abs(random.pattern(-magnitude, magnitude)));
    const bool alike = same(F(a) + F(b), P(a) + P(b)) && same(F(a) * F(b), P(a) * P(b)) &&
                       same(F(a) / F(b), P(a) / P(b)) && same(sqrt(F(b)), sqrt(P(b)));
    different += alike ? 0 : 1;
  }
  CHECK(different == 0);
}
