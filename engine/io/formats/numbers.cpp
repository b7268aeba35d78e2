#include <algorithm>
#include <charconv>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <limits>

namespace sphaera::io {
namespace {

/// from_chars takes no plus sign.
std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return plus ? text.substr(1) : text;
}

template <class T>
Parse parse(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end) return Parse::out_of_range;
  return error == std::errc{} && stop == end ? Parse::ok : Parse::malformed;
}

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Compares without regard to case; `word` is in lower case.
bool is_word(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, {}, lower_letter);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), lower_letter);
  return low;
}

Parse parse_number(std::string_view text, double& value) {
  text = without_plus(text);
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  const char first = digits.empty() ? '\0' : digits[0];
  if ((first >= '0' && first <= '9') || first == '.') return parse(text, value);
  // from_chars also accepts nan(17), which other readers may reject.
  using Limits = std::numeric_limits<double>;
  if (is_word(digits, "inf") || is_word(digits, "infinity"))
    return value = negative ? -Limits::infinity() : Limits::infinity(), Parse::ok;
  if (is_word(digits, "nan")) return value = Limits::quiet_NaN(), Parse::ok;
  return Parse::malformed;
}

Parse parse_integer(std::string_view text, std::int64_t& value) {
  const Parse whole = parse(without_plus(text), value);
  if (whole != Parse::malformed) return whole;
  double number = 0;
  const Parse fraction = parse_number(text, number);
  if (fraction != Parse::ok) return fraction;
  return to_integer(number, value) ? Parse::ok : Parse::malformed;
}

bool to_integer(double number, std::int64_t& value) {
  constexpr double limit = 0x1p53;  // 2^53 may stand for 2^53 + 1, rounded
  if (!(std::fabs(number) < limit) || number != std::trunc(number)) return false;
  value = static_cast<std::int64_t>(number);
  return true;
}

}  // namespace sphaera::io
