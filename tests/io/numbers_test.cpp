/// Numbers from text and back.

#include <bit>
#include <cfloat>
#include <clocale>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <random>
#include <tests/seed.hpp>
#include <vector>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;
using io::Parse;

namespace {

double number(std::string_view text) {
  double value = 0;
  REQUIRE(io::parse_number(text, value) == Parse::ok);
  return value;
}

Parse outcome(std::string_view text) {
  double value = 0;
  return io::parse_number(text, value);
}

}  // namespace

TEST_CASE("numbers are decimals that fill the text, and words", "[io]") {
  CHECK(number("1") == 1);
  CHECK(number("+1.5") == 1.5);
  CHECK(number("-.5") == -0.5);
  CHECK(number("5.") == 5);
  CHECK(number("1E-3") == 1e-3);
  CHECK(same_bits(number("-0"), -0.0));
  CHECK(number("4.9e-324") == 5e-324);
  CHECK(number("1.7976931348623157e308") == DBL_MAX);
  CHECK(number("inf") == HUGE_VAL);
  CHECK(number("+inf") == HUGE_VAL);
  CHECK(number("-inf") == -HUGE_VAL);
  CHECK(std::isnan(number("nan")));
  for (const char* text : {"Inf", "INF", "+Inf", "infinity", "Infinity", "INFINITY"})
    CHECK(number(text) == HUGE_VAL);
  for (const char* text : {"-Inf", "-INF", "-infinity"}) CHECK(number(text) == -HUGE_VAL);
  for (const char* text : {"NaN", "NAN", "Nan", "-nan", "+nan"}) CHECK(std::isnan(number(text)));
  for (const char* text : {"",   " ",      "-",     "+",     ".",       "e5",    "1e",    "1,5",   "1 ",
                           " 1", "1x",     "0x10",  "--1",   "+-1",     "-+1",   "++1",   "infin", "infs",
                           "in", "nan(1)", "--inf", "+-inf", "inf inf", "1e5.0", "1_000", "١"}) {
    INFO(text);
    CHECK(outcome(text) == Parse::malformed);
  }
  CHECK(outcome("1e309") == Parse::out_of_range);
  CHECK(outcome("-1e99999999999999999999") == Parse::out_of_range);
}

TEST_CASE("integers may be written as whole decimals", "[io]") {
  const auto integer = [](std::string_view text) {
    std::int64_t value = -99;
    return io::parse_integer(text, value) == Parse::ok ? value : -99;
  };
  CHECK(integer("0") == 0);
  CHECK(integer("-1") == -1);
  CHECK(integer("+7") == 7);
  CHECK(integer("9223372036854775807") == INT64_MAX);
  CHECK(integer("3.0") == 3);
  CHECK(integer("1e3") == 1000);
  CHECK(integer("-9007199254740991.0") == 1 - (std::int64_t{1} << 53));
  // Beyond 2^53 not every integer is a double: 2^53 + 1 would be read as 2^53.
  for (const char* text : {"", "3.5", "9223372036854775808", "1e300", "inf", "nan", "3x", "0x3",
                           "9007199254740993.0", "9007199254740994.0", "-1e17", "4.611686018427387904e18"}) {
    INFO(text);
    CHECK(integer(text) == -99);
  }
}

TEST_CASE("a number printed reads back as the same double", "[io]") {
  std::mt19937_64 random(seed());
  std::vector<double> values{0.0,     -0.0,    1,      0.1,      1e22,      1e23,
                             DBL_MAX, DBL_MIN, 5e-324, HUGE_VAL, -HUGE_VAL, 123456789012345680.0};
  for (int i = 0; i < 100000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isnan(value)) values.push_back(value);
  }
  int different = 0;
  for (const double value : values) {
    std::string text;
    io::append_number(text, value);
    double back = 0;
    different += io::parse_number(text, back) != Parse::ok || !same_bits(back, value);
  }
  CHECK(different == 0);
  std::string text;
  io::append_number(text, -std::nan("17"));
  CHECK(text == "nan");
}

TEST_CASE("the locale changes nothing", "[io]") {
  // A locale with a decimal comma, where one is installed.
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name)) break;
  }
  std::string text;
  io::append_number(text, 0.5);
  CHECK(text == "0.5");
  CHECK(number("0.5") == 0.5);
  CHECK(outcome("0,5") == Parse::malformed);
  std::setlocale(LC_ALL, before.c_str());
}
