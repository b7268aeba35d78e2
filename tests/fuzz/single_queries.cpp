#include <array>
#include <tests/fuzz/checks.hpp>
#include <tests/queries/every_query.hpp>

namespace sphaera::fuzz {
namespace {

using test::Bytes, test::Query;

/// Query i of a batch, whose row and status are given, alone and into a span for the first two items.
void compare_row(const FuzzCase& fuzzed, const Scene& scene, const Query& query, const QueryOptions& batch,
                 std::size_t i, const Bytes& row, RowStatus status) {
  const QueryOptions options = query.of_one(batch, i);
  try {
    const Bytes alone = query.alone(scene, fuzzed.questions, i, options);
    if (status == RowStatus::skipped) fail(fuzzed, query.name, "alone it takes a row that a batch skips");
    if (alone != row) fail(fuzzed, query.name, "alone it answers otherwise");
    if (!query.writes_first(scene, fuzzed.questions, i, 2, options))
      fail(fuzzed, query.name, "into a span it answers otherwise");
  } catch (const Error&) {
    if (status == RowStatus::ok) fail(fuzzed, query.name, "alone it refuses a row that a batch takes");
  }
}

void compare(const FuzzCase& fuzzed, const Scene& scene, const Query& query, Search search) {
  std::array<RowStatus, max_rows> statuses{};
  QueryOptions options = options_of(fuzzed, search);
  options.statuses = statuses;
  options = query.fitting(scene, fuzzed.questions, options);
  const std::vector<Bytes> rows = query.rows(scene, fuzzed.questions, options);
  for (std::size_t i = 0; i < rows.size(); ++i)
    compare_row(fuzzed, scene, query, options, i, rows[i], statuses[i]);
}

}  // namespace

void compare_single_queries(const FuzzCase& fuzzed, const Scene& scene) {
  for (const Query* query : test::every_query()) {
    if (query->function == "starlight" && fuzzed.questions.stars.empty()) continue;  // alone, it is no call
    for (const Search search : {Search::index, Search::brute_force}) compare(fuzzed, scene, *query, search);
  }
}

}  // namespace sphaera::fuzz
