#include <array>
#include <tests/fuzz/checks.hpp>
#include <tests/queries/every_query.hpp>

namespace sphaera::fuzz {
namespace {

using test::Bytes, test::Query;

using Rows = std::vector<Bytes>;

/// What ask(options) answers, with the statuses of its rows, or the code and the element of the refusal.
template <class Ask>
Rows answer(const FuzzCase& fuzzed, QueryOptions options, std::size_t queries, const Ask& ask) {
  std::array<RowStatus, max_rows> statuses{};
  const auto used = std::span(statuses).first(fuzzed.restriction.skip ? queries : 0);
  options.statuses = used;
  Bytes last;
  Rows rows;
  try {
    rows = ask(options);
    last.put(std::span<const RowStatus>(used));
  } catch (const Error& error) {
    last.put(error.code()), last.put(error.element());
  }
  rows.push_back(last);
  return rows;
}

/// The Embree index answers for bullets among spheres at rest. A scene without spheres moves if it has a
/// horizon, as all of these have.
bool takes(const Query& query, const Scene& scene, const QueryOptions& options) {
  const bool moves = scene.spheres().empty() && options.search == Search::embree;
  return query.takes(scene, options) && !(moves && query.refuses.embree_among_moving);
}

void compare(const FuzzCase& fuzzed, const Scene& scene, const Query& query) {
  const test::Questions& questions = fuzzed.questions;
  const auto rows = [&](const QueryOptions& options) {
    return answer(fuzzed, options, query.count(scene, questions),
                  [&](const QueryOptions& o) { return query.rows(scene, questions, o); });
  };
  const auto by = [&](Search search) { return query.fitting(scene, questions, options_of(fuzzed, search)); };
  const Rows expected = rows(by(Search::brute_force));
  for (const Search search : {Search::index, Search::embree}) {
    const QueryOptions options = by(search);
    if (takes(query, scene, options) && rows(options) != expected)
      fail(fuzzed, query.name,
           search == Search::index ? "the index answers otherwise" : "the Embree index answers otherwise");
  }
}

/// Where the flights of the bullets end.
void compare_ends(const FuzzCase& fuzzed, const Scene& scene) {
  const std::vector<Bullet>& bullets = fuzzed.questions.fallers;
  const auto ends = [&](Search search) {
    QueryOptions options = Query::of_first(options_of(fuzzed, search), bullets.size());
    options.times = {};
    return answer(fuzzed, options, bullets.size(), [&](const QueryOptions& o) {
      std::vector<FlightEnd> found(bullets.size());
      FlightOptions flight = fuzzed.questions.falling();
      flight.ends = found;
      (void)scene.all_impacts(bullets, flight, o);
      Bytes row;
      row.put(found);
      return Rows{row};
    });
  };
  if (ends(Search::index) != ends(Search::brute_force))
    fail(fuzzed, "ends of flights", "the index answers otherwise");
}

}  // namespace

void compare_searches(const FuzzCase& fuzzed, const Scene& scene) {
  for (const Query* query : test::every_query()) compare(fuzzed, scene, *query);
  compare_ends(fuzzed, scene);
}

}  // namespace sphaera::fuzz
