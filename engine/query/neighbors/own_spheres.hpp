#pragma once
/// \file Queries about a scene's own spheres: their ids, and the order in which they are answered.

#include <query/batch/batch.hpp>
#include <query/neighbors/reach.hpp>

namespace sphaera::query {

IdRange all_ids(const SceneState& state);

/// Throws if the scene lacks one of the ids.
void check_ids(const SceneState& state, const IdRange& ids);

/// The enabled spheres of a range, in the order in which they are answered: by leaf block if many ids are
/// asked about, sorted by center if few are, and by id if neither pays or the index is not used.
std::span<const std::uint32_t> order_of_spheres(const SceneState& state, const IdRange& ids,
                                                const QueryOptions& options, OrderScratch& scratch);

/// A query about each sphere of a range and those near it. Queries are numbered from 0, ids from the first.
class OwnSpheres {
 public:
  OwnSpheres(const SceneState& state, const IdRange& ids, const QueryOptions& options);

  std::uint32_t id(std::size_t query) const { return static_cast<std::uint32_t>(ids_.first + query); }
  /// The options with the items of these queries.
  const QueryOptions& options() const { return own_; }
  /// The spheres grown by a distance, as balls that hold all that is so near. Throws Error(out_of_memory).
  std::span<const Reach> reaches(double distance, ScratchState& scratch) const;
  /// The queries about enabled spheres on layers that they see, in the order in which they are answered.
  std::span<const std::uint32_t> order(OrderScratch& scratch) const;

 private:
  const SceneState& state_;
  IdRange ids_;
  const QueryOptions& all_;
  QueryOptions own_;
};

}  // namespace sphaera::query
