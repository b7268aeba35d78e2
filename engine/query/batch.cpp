#include <query/batch.hpp>
#include <string>

namespace sphaera {

QueryStats& QueryStats::operator+=(const QueryStats& other) {
  queries += other.queries;
  candidates += other.candidates;
  double_double += other.double_double;
  exact += other.exact;
  return *this;
}

namespace query {

void throw_cancelled() { throw Error(ErrorCode::cancelled, "the query was cancelled"); }

void check_ignore(const SceneState& state, const QueryOptions& options, std::size_t queries) {
  const std::span<const std::int64_t> ignore = options.ignore;
  if (ignore.empty()) return;
  if (ignore.size() != queries) {
    throw Error(ErrorCode::invalid_argument, "`ignore` has " + std::to_string(ignore.size()) + " ids for " +
                                                 std::to_string(queries) +
                                                 " queries; give none or one for each query");
  }
  const auto spheres = static_cast<std::int64_t>(state.spheres.span().size());
  for (std::size_t i = 0; i < ignore.size(); ++i) {
    if (ignore[i] < -1 || ignore[i] >= spheres) {
      throw Error(ErrorCode::invalid_argument,
                  "query " + std::to_string(i) + " ignores sphere " + std::to_string(ignore[i]) +
                      ", but ids go from 0 to " + std::to_string(spheres - 1) + " (−1: none)",
                  static_cast<std::int64_t>(i));
    }
  }
}

void check_output(std::size_t size, std::size_t needed) {
  if (size == needed) return;
  throw Error(ErrorCode::invalid_argument, "the output span has " + std::to_string(size) +
                                               " elements; it needs " + std::to_string(needed));
}

}  // namespace query
}  // namespace sphaera
