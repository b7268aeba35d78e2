#include <stdexcept>
#include <tests/queries/every_query.hpp>

namespace sphaera::test {

bool Query::takes(const Scene& scene, const QueryOptions& options) const {
  if ((refuses.times && !options.times.empty()) || (refuses.accept && options.accept) ||
      (refuses.ignore && !(options.ignore.empty() && options.also_ignore.empty())) ||
      (options.box != Vec3{} && (refuses.box || !options.times.empty())))
    return false;
  if (options.search != Search::embree) return true;
  if (refuses.embree || (refuses.embree_among_moving && !scene.velocities().empty())) return false;
  // An empty scene with a horizon is one whose spheres move.
  return options.times.empty() || (scene.velocities().empty() && !scene.spheres().empty());
}

QueryOptions Query::fitting(const Scene& scene, const Questions& questions, QueryOptions options) const {
  if (refuses.times) options.times = {};
  if (refuses.accept) options.accept = {};
  if (refuses.ignore) options.ignore = options.also_ignore = {};
  if (refuses.box) options.box = {};
  return of_first(options, about_spheres ? scene.spheres().size() : count(scene, questions));
}

QueryOptions Query::of_first(QueryOptions options, std::size_t n) {
  const auto fit = [n](auto& items) {
    if (items.empty()) return;
    if (items.size() < n) throw std::logic_error("an option has fewer items than there are queries");
    items = items.first(n);
  };
  fit(options.ignore), fit(options.layers_each), fit(options.ignore_owners), fit(options.also_ignore_owners);
  fit(options.times), fit(options.statuses), fit(options.also_ignore);
  return options;
}

QueryOptions Query::of_one(QueryOptions options, std::size_t i) const {
  options.statuses = {};
  if (about_spheres) return options;  // has an item for each sphere of the scene
  const auto one = [i](auto& items) { items = items.empty() ? items : items.subspan(i, 1); };
  one(options.layers_each), one(options.ignore), one(options.times);
  one(options.ignore_owners), one(options.also_ignore_owners), one(options.also_ignore);
  if (options.accept)
    options.accept = [accept = options.accept, i](std::size_t, std::int64_t sphere) {
      return accept(i, sphere);
    };
  return options;
}

AllRows all_rows(const Scene& scene, const Questions& questions, const QueryOptions& options) {
  AllRows rows;
  for (const Query* query : every_query()) {
    const QueryOptions fitting = query->fitting(scene, questions, options);
    if (query->takes(scene, fitting)) rows[query] = query->rows(scene, questions, fitting);
  }
  return rows;
}

std::string differing(const AllRows& found, const AllRows& expected) {
  std::string names = found.empty() ? "no query has this search" : "";
  for (const auto& [query, rows] : found) {
    const auto other = expected.find(query);
    const bool compared = !rows.empty() || query->about_spheres;
    if (compared && other != expected.end() && other->second == rows) continue;
    names += (names.empty() ? "" : ", ") + query->name;
  }
  return names;
}

}  // namespace sphaera::test
