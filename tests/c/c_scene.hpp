#pragma once
/// \file Scenes, inputs and options of C++ as those of C. The rows are the same bytes.

#include <sphaera/sphaera.h>

#include <sphaera/sphaera.hpp>
#include <string>
#include <tests/catch.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <vector>

namespace sphaera::test {

/// Checks that a call succeeds.
inline void succeeds(SphaeraStatus status) {
  INFO(sphaera_error_text());
  REQUIRE(status == SPHAERA_OK);
}

/// The rows of a vector as the C type.
template <class Row, class Item>
Row* c_rows(std::vector<Item>& items) {
  static_assert(sizeof(Row) == sizeof(Item));
  return reinterpret_cast<Row*>(items.data());
}
template <class Row, class Item>
const Row* c_rows(std::span<const Item> items) {
  static_assert(sizeof(Row) == sizeof(Item));
  return items.empty() ? nullptr : reinterpret_cast<const Row*>(items.data());
}
template <class Row, class Item>
const Row* c_rows(const std::vector<Item>& items) {
  return c_rows<Row>(std::span<const Item>(items));
}

inline SphaeraRows rows_of(const std::vector<Vec3>& vectors) {
  return {vectors.data(), vectors.size(), sizeof(Vec3), SPHAERA_DOUBLE, 0};
}

template <class Options>
Options initialized(SphaeraStatus (*init)(Options*, size_t)) {
  Options options;
  succeeds(init(&options, sizeof options));
  return options;
}

/// A handle that ends with the scope.
template <class Type, SphaeraStatus (*end)(Type*)>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { end(handle_); }

  operator Type*() const { return handle_; }
  Type** operator&() { return &handle_; }

 private:
  Type* handle_ = nullptr;
};
using OwnedScene = Owned<SphaeraScene, sphaera_scene_destroy>;
using OwnedBuffer = Owned<SphaeraBuffer, sphaera_buffer_destroy>;
using OwnedLists = Owned<SphaeraLists, sphaera_lists_destroy>;
using OwnedStop = Owned<SphaeraStop, sphaera_stop_destroy>;
using OwnedScratch = Owned<SphaeraScratch, sphaera_scratch_destroy>;
using OwnedMemory = Owned<SphaeraMemory, sphaera_memory_destroy>;
using OwnedIndex = Owned<SphaeraViewpointIndex, sphaera_viewpoint_index_destroy>;
using OwnedMotion = Owned<SphaeraMotion, sphaera_motion_destroy>;

/// What `options` say to a build, as C options.
inline SphaeraBuildOptions c_options(const BuildOptions& options) {
  SphaeraBuildOptions c = initialized(sphaera_build_options_init);
  c.layers = c_rows<std::uint8_t>(options.layers), c.owners = c_rows<std::uint32_t>(options.owners);
  c.velocities = c_rows<SphaeraVec3>(options.velocities);
  c.horizon_from = options.horizon.from, c.horizon_to = options.horizon.to;
  c.quality = static_cast<std::int32_t>(options.quality), c.threads = options.threads;
  c.memory_limit = options.memory_limit, c.generations = options.generations;
  return c;
}

/// What `options` say to a query, but for callbacks and handles.
inline SphaeraQueryOptions c_options(const QueryOptions& options) {
  SphaeraQueryOptions c = initialized(sphaera_query_options_init);
  c.layers = options.layers, c.layers_each = c_rows<std::uint64_t>(options.layers_each);
  c.ignore = c_rows<std::int64_t>(options.ignore);
  c.ignore_owners = c_rows<std::int64_t>(options.ignore_owners);
  c.also_ignore_owners = c_rows<std::int64_t>(options.also_ignore_owners);
  c.also_ignore = c_rows<std::int64_t>(options.also_ignore), c.times = c_rows<double>(options.times);
  c.box = {options.box.x, options.box.y, options.box.z};
  c.search = static_cast<std::int32_t>(options.search), c.threads = options.threads;
  c.grain = options.grain, c.memory_limit = options.memory_limit;
  c.automatic_viewpoint_indexes = options.automatic_viewpoint_indexes, c.check_inputs = options.check_inputs;
  return c;
}

inline SphaeraSkyOptions c_options(const SkyOptions& options) {
  SphaeraSkyOptions c = initialized(sphaera_sky_options_init);
  c.within = options.within, c.most_discs = options.most_discs, c.rays = options.rays;
  return c;
}
inline SphaeraFlightOptions c_options(const FlightOptions& options) {
  SphaeraFlightOptions c = initialized(sphaera_flight_options_init);
  c.bounces = options.bounces, c.pierces = options.pierces, c.budget = options.budget;
  c.resistances = c_rows<double>(options.resistances), c.restitutions = c_rows<double>(options.restitutions);
  c.frictions = c_rows<double>(options.frictions);
  for (const auto& items : {options.resistances, options.restitutions, options.frictions})
    if (!items.empty()) c.material_count = items.size();
  c.gravity = {options.gravity.x, options.gravity.y, options.gravity.z};
  c.restitution = options.restitution, c.friction = options.friction;
  c.gravities = c_rows<SphaeraVec3>(options.gravities);
  c.start_inside = static_cast<std::int32_t>(options.start_inside);
  return c;
}

}  // namespace sphaera::test
