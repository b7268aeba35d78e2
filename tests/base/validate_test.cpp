#include <base/validate.hpp>
#include <limits>
#include <tests/catch.hpp>
#include <vector>

using namespace sphaera;
using base::check;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double beyond = 0x1.0000000000001p200;

/// The message of the error that `check` throws; "" if it throws none.
template <class Input>
std::string refusal(const Input& input, std::int64_t element = Error::no_element) {
  try {
    check(input, element);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    CHECK(error.element() == element);
    return error.what();
  }
  return "";
}

bool starts_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

}  // namespace

TEST_CASE("the ends of the ranges are valid", "[base]") {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  check(Vec3{domain_limit, -domain_limit, 0});
  check(Sphere{{domain_limit, 0, -domain_limit}, tiny});
  check(Sphere{{}, domain_limit});
  check(Ball{{}, 0});
  check(Segment{{1, 2, 3}, {1, 2, 3}});
  check(Ray{{}, {tiny, 0, 0}, -infinity, infinity});
  check(Ray{{}, {-huge, huge, huge}, 2, 1});
  check(Bullet{{}, {}, 0, -domain_limit, 0});
  check(Star::at({domain_limit, 0, 0}, 0));
  check(Observer{{0, domain_limit, 0}});
  SUCCEED();
}

TEST_CASE("a refusal says what is wrong and where", "[base]") {
  CHECK(starts_with(refusal(Vec3{0, not_a_number, 0}, 3), "point 3: y is nan; "));
  CHECK(starts_with(refusal(Vec3{0, 0, beyond}), "point: z is 1.60693804"));
  CHECK(starts_with(refusal(Sphere{{-infinity, 0, 0}, 1}, 0), "sphere 0: center.x is -inf; "));
  CHECK(starts_with(refusal(Sphere{{}, 0}, 7), "sphere 7: radius is 0; "));
  CHECK(starts_with(refusal(Sphere{{}, -1}, 7), "sphere 7: radius is -1; "));
  CHECK(starts_with(refusal(Sphere{{}, not_a_number}, 7), "sphere 7: radius is nan; "));
  CHECK(starts_with(refusal(Sphere{{}, infinity}, 7), "sphere 7: radius is inf; "));
  CHECK(starts_with(refusal(Ball{{}, -1e-300}, 1), "ball 1: radius is -1e-300; "));
  CHECK(starts_with(refusal(Ball{{0, beyond, 0}, 1}, 1), "ball 1: center.y is "));
  CHECK(starts_with(refusal(Segment{{0, 0, not_a_number}, {}}, 5), "segment 5: from.z is nan; "));
  CHECK(starts_with(refusal(Segment{{}, {infinity, 0, 0}}, 5), "segment 5: to.x is inf; "));
  CHECK(starts_with(refusal(Ray{{0, 0, beyond}, {1, 0, 0}}, 9), "ray 9: origin.z is "));
  CHECK(refusal(Ray{{}, {0, -0.0, 0}}, 17) == "ray 17: direction is zero; give any non-zero direction");
  CHECK(starts_with(refusal(Ray{{}, {infinity, 0, 0}}, 9), "ray 9: direction is not finite; "));
  CHECK(starts_with(refusal(Ray{{}, {0, 0, not_a_number}}, 9), "ray 9: direction is not finite; "));
  CHECK(starts_with(refusal(Ray{{}, {1, 0, 0}, not_a_number, 1}, 9), "ray 9: t_min is not a number; "));
  CHECK(starts_with(refusal(Ray{{}, {1, 0, 0}, 0, not_a_number}, 9), "ray 9: t_max is not a number; "));
}

TEST_CASE("a span is refused for its first bad element", "[base]") {
  std::vector<Sphere> spheres(1000, Sphere{{1, 2, 3}, 4});
  base::check_all<Sphere>(spheres);
  spheres[700].radius = not_a_number;
  spheres[900].radius = -1;
  try {
    base::check_all<Sphere>(spheres, 50);
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.element() == 750);
  }
}
