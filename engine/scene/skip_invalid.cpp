/// \file `build`, `insert` and `update` with `statuses`: invalid rows are skipped and marked there.

#include <algorithm>
#include <scene/check_changes.hpp>
#include <string>
#include <utility>

namespace sphaera {
namespace {

using query::SceneState;

void check_statuses(std::span<const RowStatus> rows, std::size_t inputs) {
  if (rows.size() == inputs) return;
  throw Error(ErrorCode::invalid_argument, "`statuses` has " + std::to_string(rows.size()) + " items for " +
                                               std::to_string(inputs) + " rows; give none or one for each");
}

/// Sets the status of each row i: ok if good(i). Returns the number of skipped rows.
template <class Good>
std::size_t mark(std::span<RowStatus> rows, const Good& good) {
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = good(i) ? RowStatus::ok : RowStatus::skipped;
    skipped += rows[i] == RowStatus::skipped;
  }
  return skipped;
}

/// Copies the items of the rows that are not skipped to `good`. `items` may be empty: an option not given.
template <class Item>
std::span<const Item> good_of(std::span<const Item> items, std::span<const RowStatus> rows,
                              std::vector<Item>& good) {
  good.clear();
  for (std::size_t i = 0; i < items.size(); ++i)
    if (rows[i] == RowStatus::ok) good.push_back(items[i]);
  return good;
}

/// `velocity` is null for a sphere at rest.
bool is_good(const Sphere& sphere, const Vec3* velocity, const Horizon& horizon) {
  return base::valid(sphere) && (!velocity || query::stays(sphere, *velocity, horizon));
}

}  // namespace

/// Builds a scene in which a valid stand-in replaces each invalid sphere, then erases the stand-ins, so that
/// the ids of invalid spheres stand for no sphere.
Scene query::build_skipping(std::span<const Sphere> spheres, const BuildOptions& options) {
  check_statuses(options.statuses, spheres.size());
  check_sizes(spheres.size(), options, options.velocities.size());
  const std::span<const Vec3> velocities = options.velocities;
  std::vector<std::int64_t> bad;
  mark(options.statuses, [&](std::size_t i) {
    const bool good = query::has_valid_layer(options.layers, i) &&
                      is_good(spheres[i], query::velocity_of(velocities, i), options.horizon);
    if (!good) bad.push_back(static_cast<std::int64_t>(i));
    return good;
  });
  BuildOptions good = options;
  good.statuses = {};
  if (bad.empty()) return Scene::build(spheres, good);
  const auto first_good = std::ranges::find(options.statuses, RowStatus::ok) - options.statuses.begin();
  const bool all_bad = bad.size() == spheres.size();
  const Sphere stand_in = all_bad ? Sphere{{0, 0, 0}, 1} : spheres[static_cast<std::size_t>(first_good)];
  std::vector<Sphere> all(spheres.begin(), spheres.end());
  std::vector<Vec3> all_velocities(velocities.begin(), velocities.end());
  std::vector<std::uint8_t> layers(options.layers.begin(), options.layers.end());
  for (const std::int64_t id : bad) {
    const auto i = static_cast<std::size_t>(id);
    all[i] = stand_in;
    if (!velocities.empty())
      all_velocities[i] = all_bad ? Vec3{} : all_velocities[static_cast<std::size_t>(first_good)];
    if (!layers.empty()) layers[i] = 0;
  }
  good.velocities = all_velocities, good.layers = layers;
  Scene scene = Scene::build(std::move(all), good);
  scene.erase(bad, {.rebuild = UpdateOptions::Rebuild::never, .threads = options.threads});
  return scene;
}

UpdateResult Scene::update_skipping(std::span<const Vec3> centers, std::span<const Vec3> velocities,
                                    const UpdateOptions& options) {
  query::check_moves(*this, centers.size(), velocities.size());
  check_statuses(options.statuses, centers.size());
  UpdateOptions good = options;
  good.statuses = {};
  if (!state_) return update(centers, velocities, good);
  SceneState& state = *state_;
  const std::size_t skipped = mark(options.statuses, [&](std::size_t i) {
    if (!state.contains(i)) return true;
    const Vec3* const velocity = velocities.empty() ? state.velocity_of(i) : &velocities[i];
    return is_good({centers[i], state.spheres.span()[i].radius}, velocity, state.horizon);
  });
  if (skipped == 0) return update(centers, velocities, good);
  query::RowScratch& rows = *query::with_memory_errors([&] {
    query::RowScratch& scratch = query::row_scratch(state);
    // The given spans may be views of the scratch: rows.cpp reads rows into it.
    if (centers.data() != scratch.centers.data()) scratch.centers.assign(centers.begin(), centers.end());
    if (velocities.data() != scratch.velocities.data())
      scratch.velocities.assign(velocities.begin(), velocities.end());
    return &scratch;
  });
  for (std::size_t i = 0; i < options.statuses.size(); ++i) {
    if (options.statuses[i] == RowStatus::ok) continue;
    rows.centers[i] = state.spheres.span()[i].center;
    if (!velocities.empty()) rows.velocities[i] = state.velocities.span()[i];
  }
  const auto row_velocities =
      velocities.empty() ? std::span<const Vec3>() : std::span<const Vec3>(rows.velocities);
  return update(rows.centers, row_velocities, good);
}

UpdateResult Scene::update_skipping(std::span<const std::int64_t> ids, std::span<const Vec3> centers,
                                    std::span<const Vec3> velocities, const UpdateOptions& options) {
  query::check_update(options);
  check_statuses(options.statuses, ids.size());
  query::check_moves_of(ids.size(), centers.size(), velocities.size());
  UpdateOptions good = options;
  good.statuses = {};
  if (!state_) {
    mark(options.statuses, [](std::size_t) { return false; });
    return {};
  }
  query::check_time(*state_, options);
  return query::with_memory_errors([&] {
    SceneState& state = *state_;
    std::vector<std::pair<std::int64_t, std::size_t>> places(ids.size());  // (id, its place in `ids`), sorted
    for (std::size_t i = 0; i < ids.size(); ++i) places[i] = {ids[i], i};
    std::sort(places.begin(), places.end());
    mark(options.statuses, [&](std::size_t i) {
      if (ids[i] < 0 || !state.contains(static_cast<std::size_t>(ids[i]))) return false;
      if (std::lower_bound(places.begin(), places.end(), std::pair(ids[i], std::size_t{0}))->second < i)
        return false;
      const auto id = static_cast<std::size_t>(ids[i]);
      const Vec3* const velocity = velocities.empty() ? state.velocity_of(id) : &velocities[i];
      const Vec3 center = query::center_at_zero(centers[i], velocity, options.at_time);
      return is_good({center, state.spheres.span()[id].radius}, velocity, state.horizon);
    });
    std::vector<std::int64_t> good_ids;
    std::vector<Vec3> good_centers, good_velocities;
    good_of(ids, options.statuses, good_ids);
    good_of(centers, options.statuses, good_centers), good_of(velocities, options.statuses, good_velocities);
    return update(good_ids, good_centers, good_velocities, good);
  });
}

void Scene::insert_skipping(std::span<const Sphere> spheres, std::span<std::int64_t> ids,
                            const InsertOptions& options) {
  check_statuses(options.statuses, spheres.size());
  query::check_insert(state(), spheres.size(), ids.size(), options, options.velocities.size());
  query::check_time(state(), options.update);
  query::with_memory_errors([&] {
    const std::span<const Vec3> velocities = options.velocities;
    mark(options.statuses, [&](std::size_t i) {
      const Vec3* const velocity = query::velocity_of(velocities, i);
      const Vec3 center = query::center_at_zero(spheres[i].center, velocity, options.update.at_time);
      return query::has_valid_layer(options.layers, i) &&
             is_good({center, spheres[i].radius}, velocity, state().horizon);
    });
    std::vector<Sphere> good_spheres;
    std::vector<std::uint8_t> layers;
    std::vector<std::uint32_t> owners;
    std::vector<Vec3> good_velocities;
    InsertOptions good = options;
    good.statuses = {};
    good_of(spheres, options.statuses, good_spheres);
    good.layers = good_of(options.layers, options.statuses, layers);
    good.owners = good_of(options.owners, options.statuses, owners);
    good.velocities = good_of(velocities, options.statuses, good_velocities);
    std::vector<std::int64_t> good_ids(good_spheres.size());
    insert(good_spheres, good_ids, good);
    std::size_t next = 0;
    for (std::size_t i = 0; i < ids.size(); ++i)
      ids[i] = options.statuses[i] == RowStatus::ok ? good_ids[next++] : -1;
  });
}

}  // namespace sphaera
