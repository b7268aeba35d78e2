#pragma once
/// \file Entries of seeds_cases.json (worked from five public texts: tests/data/README.md) that are stated in
/// prose, each with a check of its own.

#include <sphaera/sphere.hpp>
#include <string>
#include <tests/catch.hpp>
#include <tests/json.hpp>
#include <vector>

namespace sphaera::test {

inline const Sphere unit{{0, 0, 0}, 1};

struct SeedEntry {
  const char* source;
  const char* start;  ///< how the entry's text begins
  void (*check)();
};

/// Runs the checks of a list in seeds_cases.json. They must be those of its entries, in order.
inline void check_entries(const char* list, const char* text_key, const std::vector<SeedEntry>& checks) {
  const JsonFile file("seeds_cases.json");
  const simdjson::dom::array entries = file[list];
  REQUIRE(entries.size() == checks.size());
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const std::string stated = text(entries.at(i)[text_key]);
    INFO(stated);
    CHECK(text(entries.at(i)["src"]) == checks[i].source);
    CHECK(stated.rfind(checks[i].start, 0) == 0);
    checks[i].check();
  }
}

}  // namespace sphaera::test
