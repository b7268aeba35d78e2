#include <base/errors.hpp>
#include <query/batch/check_queries.hpp>
#include <string>
#include <utility>

namespace sphaera::query {

void refuse_options(const QueryOptions& options, std::size_t queries) {
  if (options.search > Search::embree) {
    base::refuse_value("search", options.search, "Search::index, brute_force or embree");
  }
  const std::pair<const char*, std::size_t> items[] = {
      {"ignore", options.ignore.size()},
      {"also_ignore", options.also_ignore.size()},
      {"layers_each", options.layers_each.size()},
      {"ignore_owners", options.ignore_owners.size()},
      {"also_ignore_owners", options.also_ignore_owners.size()},
      {"times", options.times.size()},
      {"statuses", options.statuses.size()}};
  for (const auto& [name, size] : items) {
    if (size == 0 || size == queries) continue;
    base::throw_invalid_argument('`' + std::string(name) + "` has " + std::to_string(size) + " items for " +
                                 std::to_string(queries) + " queries; give none or one for each query");
  }
  base::throw_invalid_argument("the options are not valid");
}

void check_viewpoint_indexes(const SceneState& state, std::span<const ViewpointIndex> viewpoint_indexes) {
  for (std::size_t i = 0; i < viewpoint_indexes.size(); ++i)
    if (viewpoint_indexes[i].version() != state.stars.version())
      base::throw_invalid_argument("viewpoint index " + std::to_string(i) +
                                       " is of another scene, or the scene has changed since; make it again",
                                   static_cast<std::int64_t>(i));
}

void refuse_embree(const char* what) {
  base::throw_invalid_argument(std::string("Search::embree does not answer ") + what +
                               "; give Search::index or Search::brute_force");
}

void refuse_times(const QueryOptions& options, const char* what) {
  if (!options.times.empty())
    base::throw_invalid_argument(std::string("times are for rays, segments, points and balls, not for ") +
                                 what + "; leave them out");
}

void refuse_accept(const QueryOptions& options, const char* what) {
  if (options.accept)
    base::throw_invalid_argument(std::string("`accept` is not for ") + what + "; leave it out");
}

void refuse_ignore(const QueryOptions& options) {
  if (!options.ignore.empty() || !options.also_ignore.empty())
    base::throw_invalid_argument(
        "each sphere ignores itself and no other; leave `ignore` and `also_ignore` out");
}

void check_options_of(const SceneState& state, const QueryOptions& options, std::size_t query) {
  const auto element = static_cast<std::int64_t>(query);
  for (const std::int64_t id :
       {item_or_none(options.ignore, query), item_or_none(options.also_ignore, query)}) {
    if (is_id_or_none(state, id)) continue;
    base::throw_invalid_argument("query " + std::to_string(query) + " ignores sphere " + std::to_string(id) +
                                     "; give -1 for none or one of the " +
                                     std::to_string(state.spheres.span().size()) + " ids",
                                 element);
  }
  if (time_valid(state, options, query)) return;
  const std::string time =
      "query " + std::to_string(query) + " is at time " + base::text_of(options.times[query]);
  if (!base::is_finite(options.times[query]))
    base::throw_invalid_argument(time + "; give a finite one", element);
  base::throw_invalid_argument(time + ", but the horizon of the scene goes from " +
                                   base::text_of(state.horizon.from) + " to " +
                                   base::text_of(state.horizon.to),
                               element);
}

void check_output(std::size_t size, std::size_t needed) {
  if (size == needed) return;
  base::throw_invalid_argument("the output span has " + std::to_string(size) + " elements; it needs " +
                               std::to_string(needed));
}

}  // namespace sphaera::query
