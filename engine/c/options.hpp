#pragma once
/// \file Option structures of C as those of C++.

#include <c/objects.hpp>
#include <c/rows.hpp>
#include <c/sized.hpp>
#include <optional>

namespace sphaera::c {

// Each converts what read() gives; `count`: rows of the call. The result holds what `options` points to.
SaveOptions save_options(const SphaeraSaveOptions* options);
OpenOptions open_options(const SphaeraOpenOptions* options);
BuildOptions build_options(const SphaeraBuildOptions* options, std::size_t count);
UpdateOptions update_options(const SphaeraUpdateOptions* options, std::size_t count);
InsertOptions insert_options(const SphaeraInsertOptions* options, std::size_t count);
/// `ids`: spheres().size() of the scene.
FlightOptions flight_options(const SphaeraFlightOptions* options, std::size_t count, std::size_t ids);
SightTargets sight_targets(const SphaeraSightTargets* targets);
SkyOptions sky_options(const SphaeraSkyOptions* options);
ViewpointIndexOptions viewpoint_index_options(const SphaeraViewpointIndexOptions* options);
ContactOptions contact_options(const SphaeraContactOptions* options);

/// The options of one call of a query with `count` queries, and what the call borrows.
class QueryCall {
 public:
  QueryCall(const SphaeraQueryOptions* options, std::size_t count);

  const QueryOptions& options() const { return options_; }
  void add_stats() const;  ///< adds the counts of the call to those of the caller

 private:
  QueryOptions options_;
  std::vector<ViewpointIndex> viewpoint_indexes_;
  std::optional<Sole<ScratchObject>> scratch_;
  QueryStats stats_;
  SphaeraQueryStats* given_stats_ = nullptr;
};

}  // namespace sphaera::c
