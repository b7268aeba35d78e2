/// \file Scenes from rows: numbers as engines have them, and rows that are skipped because they are not
/// valid. Both become what `build`, `insert` and `update` take.

#include <query/batch/batch.hpp>
#include <query/batch/check_moves.hpp>
#include <string>

namespace sphaera {
namespace {

using query::SceneState;

template <class Item, class ItemOf>
void fill(std::vector<Item>& items, std::size_t n, const ItemOf& item_of) {
  items.resize(n);
  base::parallel_pieces(n, 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) items[i] = item_of(i);
  });
}

void fill(std::vector<Vec3>& items, const VectorRows& rows) {
  fill(items, rows.size(), [&](std::size_t i) { return rows[i]; });
}

void fill(std::vector<Sphere>& spheres, const SphereRows& rows) {
  if (rows.radii.size() != rows.centers.size()) {
    throw Error(ErrorCode::invalid_argument,
                "there are " + std::to_string(rows.radii.size()) + " radii for " +
                    std::to_string(rows.centers.size()) +
                    " centers; give one for each, or one for all by a stride of 0");
  }
  fill(spheres, rows.centers.size(), [&](std::size_t i) { return Sphere{rows.centers[i], rows.radii[i]}; });
}

void check_rows(std::span<const RowStatus> rows, std::size_t inputs) {
  if (rows.size() == inputs) return;
  throw Error(ErrorCode::invalid_argument, "`rows` has " + std::to_string(rows.size()) + " items for " +
                                               std::to_string(inputs) + " rows; give none or one for each");
}

/// Marks all rows; the number of those that are skipped.
template <class Good>
std::size_t mark(std::span<RowStatus> rows, const Good& good) {
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = good(i) ? RowStatus::ok : RowStatus::skipped;
    skipped += rows[i] == RowStatus::skipped;
  }
  return skipped;
}

/// The items of rows that are not skipped, in the memory of `kept`; none if there are none.
template <class Item>
std::span<const Item> good_of(std::span<const Item> items, std::span<const RowStatus> rows,
                              std::vector<Item>& kept) {
  kept.clear();
  for (std::size_t i = 0; i < items.size(); ++i)
    if (rows[i] == RowStatus::ok) kept.push_back(items[i]);
  return kept;
}

bool on_layer(std::span<const std::uint8_t> layers, std::size_t i) {
  return layers.empty() || layers[i] < max_layers;
}

/// `velocity` is null for a sphere at rest.
bool is_good(const Sphere& sphere, const Vec3* velocity, const Horizon& horizon) {
  return base::valid(sphere) && (!velocity || query::stays(sphere, *velocity, horizon));
}

/// Working memory of updates from rows: see SceneState.
query::RowScratch& row_scratch(SceneState& state) {
  if (!state.rows) state.rows = std::make_unique<query::RowScratch>();
  return *state.rows;
}

}  // namespace

void query::read_rows(RowScratch& scratch, const VectorRows& centers, const VectorRows& velocities,
                      int threads) {
  base::in_arena(threads, [&] { fill(scratch.centers, centers), fill(scratch.velocities, velocities); });
}

Scene Scene::build(const SphereRows& rows, const BuildOptions& options) {
  const base::FloatingPointEnvironment mode;
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  query::with_memory_errors([&] {
    base::in_arena(options.threads, [&] { fill(spheres, rows), fill(velocities, rows.velocities); });
  });
  BuildOptions with_velocities = options;
  if (!velocities.empty()) with_velocities.velocities = velocities;
  return build(std::move(spheres), with_velocities);
}

/// Builds a scene in which a good sphere stands for each bad one, and erases these.
Scene query::build_skipping(std::span<const Sphere> spheres, const BuildOptions& options) {
  check_rows(options.rows, spheres.size());
  check_sizes(spheres.size(), options);
  const std::span<const Vec3> velocities = options.velocities;
  std::vector<std::int64_t> bad;
  mark(options.rows, [&](std::size_t i) {
    const bool good = on_layer(options.layers, i) &&
                      is_good(spheres[i], velocities.empty() ? nullptr : &velocities[i], options.horizon);
    if (!good) bad.push_back(static_cast<std::int64_t>(i));
    return good;
  });
  BuildOptions good = options;
  good.rows = {};
  if (bad.empty()) return Scene::build(spheres, good);
  const auto first_good = std::ranges::find(options.rows, RowStatus::ok) - options.rows.begin();
  const Sphere stand_in =
      bad.size() < spheres.size() ? spheres[static_cast<std::size_t>(first_good)] : Sphere{{0, 0, 0}, 1};
  std::vector<Sphere> all(spheres.begin(), spheres.end());
  std::vector<Vec3> all_velocities(velocities.begin(), velocities.end());
  std::vector<std::uint8_t> layers(options.layers.begin(), options.layers.end());
  for (const std::int64_t id : bad) {
    const auto i = static_cast<std::size_t>(id);
    all[i] = stand_in;
    if (!velocities.empty()) all_velocities[i] = {};
    if (!layers.empty()) layers[i] = 0;
  }
  good.velocities = all_velocities, good.layers = layers;
  Scene scene = Scene::build(std::move(all), good);
  scene.erase(bad, {.rebuild = UpdateOptions::Rebuild::never, .threads = options.threads});
  return scene;
}

UpdateResult Scene::update(const VectorRows& centers, const VectorRows& velocities,
                           const UpdateOptions& options) {
  if (!state_) return update(std::span<const Vec3>(), {}, options);
  const base::FloatingPointEnvironment mode;
  query::RowScratch& given = *query::with_memory_errors([&] {
    query::RowScratch& scratch = row_scratch(*state_);
    query::read_rows(scratch, centers, velocities, options.threads);
    return &scratch;
  });
  return update(given.centers, given.velocities, options);
}

UpdateResult Scene::update(std::span<const std::int64_t> ids, const VectorRows& centers,
                           const VectorRows& velocities, const UpdateOptions& options) {
  if (!state_) return update(ids, std::span<const Vec3>(), {}, options);
  const base::FloatingPointEnvironment mode;
  query::RowScratch& given = *query::with_memory_errors([&] {
    query::RowScratch& scratch = row_scratch(*state_);
    fill(scratch.centers, centers), fill(scratch.velocities, velocities);
    return &scratch;
  });
  return update(ids, given.centers, given.velocities, options);
}

UpdateResult Scene::update_skipping(std::span<const Vec3> centers, std::span<const Vec3> velocities,
                                    const UpdateOptions& options) {
  query::check_moves(*this, centers, velocities);
  check_rows(options.rows, centers.size());
  UpdateOptions good = options;
  good.rows = {};
  if (!state_) return update(centers, velocities, good);
  SceneState& state = *state_;
  const std::size_t skipped = mark(options.rows, [&](std::size_t i) {
    if (!state.contains(i)) return true;
    const Vec3* const kept = state.moves() ? &state.velocities.span()[i] : nullptr;
    return is_good({centers[i], state.spheres.span()[i].radius}, velocities.empty() ? kept : &velocities[i],
                   state.horizon);
  });
  if (skipped == 0) return update(centers, velocities, good);
  query::RowScratch& kept = *query::with_memory_errors([&] {
    query::RowScratch& scratch = row_scratch(state);
    // They may be the given ones.
    if (centers.data() != scratch.centers.data()) scratch.centers.assign(centers.begin(), centers.end());
    if (velocities.data() != scratch.velocities.data())
      scratch.velocities.assign(velocities.begin(), velocities.end());
    return &scratch;
  });
  for (std::size_t i = 0; i < options.rows.size(); ++i) {
    if (options.rows[i] == RowStatus::ok) continue;
    kept.centers[i] = state.spheres.span()[i].center;
    if (!velocities.empty()) kept.velocities[i] = state.velocities.span()[i];
  }
  const auto kept_velocities =
      velocities.empty() ? std::span<const Vec3>() : std::span<const Vec3>(kept.velocities);
  return update(kept.centers, kept_velocities, good);
}

UpdateResult Scene::update_skipping(std::span<const std::int64_t> ids, std::span<const Vec3> centers,
                                    std::span<const Vec3> velocities, const UpdateOptions& options) {
  check_rows(options.rows, ids.size());
  query::check_count(centers.size(), ids.size(), "centers", "ids");
  if (!velocities.empty()) query::check_count(velocities.size(), ids.size(), "velocities", "ids");
  UpdateOptions good = options;
  good.rows = {};
  if (!state_) {
    mark(options.rows, [](std::size_t) { return false; });
    return {};
  }
  return query::with_memory_errors([&] {
    SceneState& state = *state_;
    std::vector<std::int64_t> sorted(ids.begin(), ids.end());
    std::sort(sorted.begin(), sorted.end());
    mark(options.rows, [&](std::size_t i) {
      if (ids[i] < 0 || !state.contains(static_cast<std::size_t>(ids[i]))) return false;
      const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), ids[i]);
      if (last - first > 1 && std::find(ids.begin(), ids.end(), ids[i]) - ids.begin() < std::ptrdiff_t(i))
        return false;
      const auto id = static_cast<std::size_t>(ids[i]);
      const Vec3* const kept = state.moves() ? &state.velocities.span()[id] : nullptr;
      return is_good({centers[i], state.spheres.span()[id].radius},
                     velocities.empty() ? kept : &velocities[i], state.horizon);
    });
    std::vector<std::int64_t> good_ids;
    std::vector<Vec3> good_centers, good_velocities;
    good_of(ids, options.rows, good_ids);
    good_of(centers, options.rows, good_centers), good_of(velocities, options.rows, good_velocities);
    return update(good_ids, good_centers, good_velocities, good);
  });
}

void Scene::insert(const SphereRows& rows, std::span<std::int64_t> ids, const InsertOptions& options) {
  const base::FloatingPointEnvironment mode;
  query::with_memory_errors([&] {
    if (!state_) state_ = std::make_unique<SceneState>();
    query::RowScratch& given = row_scratch(*state_);
    fill(given.spheres, rows), fill(given.velocities, rows.velocities);
    InsertOptions with_velocities = options;
    if (!given.velocities.empty()) with_velocities.velocities = given.velocities;
    insert(given.spheres, ids, with_velocities);
  });
}

void Scene::insert_skipping(std::span<const Sphere> spheres, std::span<std::int64_t> ids,
                            const InsertOptions& options) {
  check_rows(options.rows, spheres.size());
  query::check_count(ids.size(), spheres.size(), "places for ids", "spheres");
  query::check_insert(state(), spheres.size(), options);
  query::with_memory_errors([&] {
    const std::span<const Vec3> velocities = options.velocities;
    mark(options.rows, [&](std::size_t i) {
      return on_layer(options.layers, i) &&
             is_good(spheres[i], velocities.empty() ? nullptr : &velocities[i], state().horizon);
    });
    std::vector<Sphere> good_spheres;
    std::vector<std::uint8_t> layers;
    std::vector<std::uint32_t> owners;
    std::vector<Vec3> good_velocities;
    InsertOptions good = options;
    good.rows = {};
    good_of(spheres, options.rows, good_spheres);
    good.layers = good_of(options.layers, options.rows, layers);
    good.owners = good_of(options.owners, options.rows, owners);
    good.velocities = good_of(velocities, options.rows, good_velocities);
    std::vector<std::int64_t> good_ids(good_spheres.size());
    insert(good_spheres, good_ids, good);
    std::size_t next = 0;
    for (std::size_t i = 0; i < ids.size(); ++i)
      ids[i] = options.rows[i] == RowStatus::ok ? good_ids[next++] : -1;
  });
}

}  // namespace sphaera
