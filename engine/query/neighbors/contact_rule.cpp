#include <query/batch/check_box.hpp>
#include <query/neighbors/contact_rule.hpp>

namespace sphaera::query {

void check_contacts(const SceneState& state, const IdRange& ids, double distance, const QueryOptions& options,
                    const char* query) {
  check_ids(state, ids);
  if (!base::in_domain(distance))
    base::refuse_value("distance", distance, "a finite number of at most 2^200 in magnitude");
  refuse_times(options, query);
  refuse_ignore(options);
  check_options(state, options, state.spheres.span().size());
  if (!has_box(options)) return;
  check_box(state, options);
  check_box_reach(state, options, distance);
}

}  // namespace sphaera::query
