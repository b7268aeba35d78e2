#pragma once
/// \file Reference cases in JSON, from tests/data.

#include <simdjson.h>

#include <cstdlib>
#include <optional>
#include <sphaera/vec3.hpp>
#include <string>
#include <string_view>
#include <tests/folders.hpp>

namespace sphaera::test {

using Json = simdjson::dom::element;

/// A file of tests/data, kept alive with its parser.
class JsonFile {
 public:
  explicit JsonFile(const std::string& name) : root_(parser_.load(data_folder() + "/" + name)) {}

  Json operator[](std::string_view key) const { return root_[key]; }

 private:
  simdjson::dom::parser parser_;
  Json root_;
};

/// The member, unless it is missing or null.
inline std::optional<Json> find(Json object, std::string_view key) {
  Json member;
  if (object[key].get(member) != simdjson::SUCCESS || member.is_null()) return std::nullopt;
  return member;
}

inline std::string text(Json value) { return std::string(std::string_view(value)); }

/// A number, or a string that holds a decimal ("0.25") or a fraction ("57/50") of more digits than a double.
inline double number(Json value) {
  if (!value.is_string()) return double(value);
  const std::string digits = text(value);
  char* end;
  const double numerator = std::strtod(digits.c_str(), &end);
  return *end == '/' ? numerator / std::strtod(end + 1, nullptr) : numerator;
}

inline double number(Json object, std::string_view key) { return number(Json(object[key])); }
inline bool truth(Json object, std::string_view key) { return bool(object[key]); }

inline Vec3 vector(Json value) {
  const simdjson::dom::array items = value;
  return {number(items.at(0)), number(items.at(1)), number(items.at(2))};
}

inline Vec3 vector(Json object, std::string_view key) { return vector(Json(object[key])); }

}  // namespace sphaera::test
