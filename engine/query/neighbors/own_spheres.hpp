#pragma once
/// \file Queries about a scene's own spheres: their ids, and the order in which they are answered.

#include <query/batch/batch.hpp>

namespace sphaera::query {

IdRange all_ids(const SceneState& state);

/// Throws if the scene lacks one of the ids.
void check_ids(const SceneState& state, const IdRange& ids);

/// The enabled spheres of a range, in the order in which they are answered: by leaf block if many ids are
/// asked about, sorted by center if few are, and by id if neither pays or the index is not used.
std::span<const std::uint32_t> order_of_spheres(const SceneState& state, const IdRange& ids,
                                                const QueryOptions& options, OrderScratch& scratch);

}  // namespace sphaera::query
