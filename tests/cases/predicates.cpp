#include <cstdio>
#include <exact/predicates/decide.hpp>
#include <tests/cases/predicates.hpp>
#include <tests/oracle/decide.hpp>

namespace sphaera::test {

namespace {

Ball ball(const Sphere& s) { return {s.center, s.radius}; }

/// Both spheres of a case relative to its path.
struct Seen {
  explicit Seen(const Case& c) : a(sight_of(c, c.a)), b(sight_of(c, c.b)) {}

  oracle::ExpandedSight a, b;
};

std::optional<int> truth(Predicate predicate, const Case& c, const Seen& seen) {
  switch (predicate) {
    case Predicate::meets:
      return oracle::meets(seen.a);
    case Predicate::contact:
      return static_cast<int>(oracle::contact(seen.a));
    case Predicate::discriminant:
      return oracle::sign_discriminant(seen.a);
    case Predicate::power:
      return oracle::sign_power(seen.a, c.t);
    case Predicate::slope:
      return oracle::sign_slope(seen.a, c.t);
    case Predicate::entries:
      if (!oracle::meets(seen.a) || !oracle::meets(seen.b)) return std::nullopt;
      return oracle::compare_entries(seen.a, seen.b);
    case Predicate::distances:
      return oracle::compare_distances(c.x, c.a, c.b);
    case Predicate::gap:
      return oracle::sign_gap(ball(c.a), ball(c.b));
    case Predicate::nesting:
      return oracle::sign_nesting(ball(c.a), ball(c.b));
  }
  return std::nullopt;
}

std::string wrong(Predicate predicate, const Case& c, int expected, int got) {
  return std::string(name(predicate)) + " is " + std::to_string(expected) + ", not " + std::to_string(got) +
         "; " + describe(c);
}

}  // namespace

const char* name(Predicate predicate) {
  static constexpr const char* names[predicate_count] = {
      "meets", "contact", "discriminant", "power", "slope", "entries", "distances", "gap", "nesting"};
  return names[static_cast<int>(predicate)];
}

exact::Path path_of(const Case& c) {
  return std::visit([](const auto& path) { return exact::path_of(path); }, c.path);
}

oracle::Sight sight_of(const Case& c, const Sphere& sphere) {
  return std::visit([&](const auto& path) { return oracle::sight(path, sphere); }, c.path);
}

std::optional<int> truth(Predicate predicate, const Case& c) { return truth(predicate, c, Seen(c)); }

Truths truths(const Case& c) {
  const Seen seen(c);
  Truths all;
  for (int q = 0; q < predicate_count; ++q)
    all.signs[static_cast<std::size_t>(q)] = truth(static_cast<Predicate>(q), c, seen);
  return all;
}

int answer(Predicate predicate, const Case& c, exact::Counts& counts) {
  switch (predicate) {
    case Predicate::meets:
      return exact::meets(path_of(c), c.a, counts);
    case Predicate::contact:
      return static_cast<int>(exact::contact(path_of(c), c.a, counts));
    case Predicate::discriminant:
      return exact::sign_discriminant(path_of(c), c.a, counts);
    case Predicate::power:
      return exact::sign_power(path_of(c), c.a, c.t, counts);
    case Predicate::slope:
      return exact::sign_slope(path_of(c), c.a, c.t, counts);
    case Predicate::entries:
      return exact::compare_entries(path_of(c), c.a, c.b, counts);
    case Predicate::distances:
      return exact::compare_distances(c.x, c.a, c.b, counts);
    case Predicate::gap:
      return exact::sign_gap(ball(c.a), ball(c.b), counts);
    case Predicate::nesting:
      return exact::sign_nesting(ball(c.a), ball(c.b), counts);
  }
  return 0;
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
  for (int q = 0; q < predicate_count; ++q) print_row(name(static_cast<Predicate>(q)), by_predicate[q]);
  print_row("all", all);
}

std::string check(const Case& c, const Truths& truths, Tally& tally) {
  for (int q = 0; q < predicate_count; ++q) {
    const auto predicate = static_cast<Predicate>(q);
    const std::optional<int> expected = truths[predicate];
    if (!expected) continue;
    exact::Counts counts;
    const int got = answer(predicate, c, counts);
    if (got != *expected) return wrong(predicate, c, *expected, got);
    Tally::Cell& cell = tally.at(c.family, predicate);
    ++cell.asked;
    cell.double_double += counts.double_double;
    cell.exact += counts.exact;
  }
  return {};
}

}  // namespace sphaera::test
