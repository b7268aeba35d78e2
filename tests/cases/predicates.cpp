#include <cstdio>
#include <tests/cases/predicates.hpp>

namespace sphaera::test {

exact::Path path_of(const Case& c) {
  return std::visit([](const auto& path) { return exact::path_of(path); }, c.path);
}

oracle::Sight sight_of(const Case& c, const Sphere& sphere) {
  return std::visit([&](const auto& path) { return oracle::sight(path, sphere); }, c.path);
}

Truths truths(const Case& c) {
  const Seen seen(c);
  Truths all;
  Predicates::each(
      [&](auto predicate, int q) { all[static_cast<std::size_t>(q)] = predicate.truth(c, seen); });
  return all;
}

Tally& Tally::operator+=(const Tally& other) {
  for (int f = 0; f < family_count; ++f)
    for (int q = 0; q < predicate_count; ++q) cells[f][q] += other.cells[f][q];
  return *this;
}

void Tally::print() const {
  const auto print_row = [](const char* title, const Cell& cell) {
    std::printf("%-15s %13llu %13llu %13llu\n", title, static_cast<unsigned long long>(cell.asked),
                static_cast<unsigned long long>(cell.double_double),
                static_cast<unsigned long long>(cell.exact));
  };
  std::printf("%-15s %13s %13s %13s\n", "", "decisions", "double-double", "exact");
  Cell by_predicate[predicate_count], all;
  for (int f = 0; f < family_count; ++f) {
    Cell by_family;
    for (int q = 0; q < predicate_count; ++q) {
      by_family += cells[f][q];
      by_predicate[q] += cells[f][q];
    }
    print_row(name(static_cast<Family>(f)), by_family);
    all += by_family;
  }
  Predicates::each([&](auto predicate, int q) { print_row(predicate.name, by_predicate[q]); });
  print_row("all", all);
}

std::string check(const Case& c, const Truths& truths, Tally& tally) {
  std::string message;
  Predicates::each([&](auto predicate, int q) {
    const std::optional<int> expected = truths[static_cast<std::size_t>(q)];
    if (!expected || !message.empty()) return;
    exact::Counts counts;
    const int got = predicate.answer(c, counts);
    if (got != *expected)
      message = std::string(predicate.name) + " is " + std::to_string(*expected) + ", not " +
                std::to_string(got) + "; " + describe(c);
    Tally::Cell& cell = tally.at(c.family, q);
    ++cell.asked;
    cell.double_double += counts.double_double;
    cell.exact += counts.exact;
  });
  return message;
}

}  // namespace sphaera::test
