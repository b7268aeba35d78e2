/// \file Reads rows of numbers (rows.hpp) into the arrays that `build`, `insert` and `update` take.

#include <optional>
#include <scene/check_changes.hpp>
#include <string>

namespace sphaera {
namespace {

template <class Item, class ItemOf>
void fill(std::vector<Item>& items, std::size_t n, const ItemOf& item_of) {
  items.resize(n);
  base::parallel_pieces(n, base::cheap_items_per_piece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) items[i] = item_of(i);
  });
}

void fill(std::vector<Vec3>& items, const VectorRows& rows) {
  fill(items, rows.size(), [&](std::size_t i) { return rows[i]; });
}

void check_radii(const SphereRows& rows) {
  if (rows.radii.size() == rows.centers.size()) return;
  base::throw_invalid_argument("there are " + std::to_string(rows.radii.size()) + " radii for " +
                               std::to_string(rows.centers.size()) +
                               " centers; give one for each, or one for all by a stride of 0");
}

/// The velocities that a build or an insertion gets: those of the rows, if there are any.
std::size_t velocities_of(const SphereRows& rows, std::span<const Vec3> others) {
  return rows.velocities.empty() ? others.size() : rows.velocities.size();
}

void fill(std::vector<Sphere>& spheres, const SphereRows& rows) {
  fill(spheres, rows.centers.size(), [&](std::size_t i) { return Sphere{rows.centers[i], rows.radii[i]}; });
}

// Sizes are checked before the rows are read: a wrong size may be any number.

/// Calls update(given) with the rows as spans. Copies are in memory that the scene keeps, or in local arrays
/// if `state` is null.
template <class Update>
UpdateResult with_rows(query::SceneState* state, const VectorRows& centers, const VectorRows& velocities,
                       int threads, const Update& update) {
  if (centers.vectors() && (velocities.empty() || velocities.vectors()))
    return update({{centers.vectors(), centers.size()}, {velocities.vectors(), velocities.size()}});
  std::optional<query::RowScratch> own;
  const query::Moves given = query::with_memory_errors([&] {
    return query::read_rows(state ? query::row_scratch(*state) : own.emplace(), centers, velocities, threads);
  });
  return update(given);
}

}  // namespace

query::RowScratch& query::row_scratch(SceneState& state) {
  if (!state.rows) state.rows = std::make_unique<RowScratch>();
  return *state.rows;
}

query::Moves query::read_rows(RowScratch& scratch, const VectorRows& centers, const VectorRows& velocities,
                              int threads) {
  const auto read = [&](std::vector<Vec3>& items, const VectorRows& rows) {
    if (rows.vectors()) return std::span(rows.vectors(), rows.size());
    base::in_arena(threads, [&] { fill(items, rows); });
    return std::span<const Vec3>(items);
  };
  return {read(scratch.centers, centers), read(scratch.velocities, velocities)};
}

Scene Scene::build(const SphereRows& rows, const BuildOptions& options) {
  const base::FloatingPointEnvironment mode;
  check_radii(rows);
  query::check_sizes(rows.centers.size(), options, velocities_of(rows, options.velocities));
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  query::with_memory_errors([&] {
    base::in_arena(options.threads, [&] { fill(spheres, rows), fill(velocities, rows.velocities); });
  });
  BuildOptions with_velocities = options;
  if (!velocities.empty()) with_velocities.velocities = velocities;
  return build(std::move(spheres), with_velocities);
}

UpdateResult Scene::update(const VectorRows& centers, const VectorRows& velocities,
                           const UpdateOptions& options) {
  const base::FloatingPointEnvironment mode;
  query::check_update(options);
  query::check_moves(*this, centers.size(), velocities.size());
  return with_rows(state_.get(), centers, velocities, options.threads,
                   [&](const query::Moves& given) { return move(given.centers, given.velocities, options); });
}

UpdateResult Scene::update(std::span<const std::int64_t> ids, const VectorRows& centers,
                           const VectorRows& velocities, const UpdateOptions& options) {
  const base::FloatingPointEnvironment mode;
  query::check_update(options);
  query::check_moves_of(ids.size(), centers.size(), velocities.size());
  return with_rows(state_.get(), centers, velocities, options.threads, [&](const query::Moves& given) {
    return move(ids, given.centers, given.velocities, options);
  });
}

void Scene::insert(const SphereRows& rows, std::span<std::int64_t> ids, const InsertOptions& options) {
  const base::FloatingPointEnvironment mode;
  check_radii(rows);
  query::check_insert(state(), rows.centers.size(), ids.size(), options,
                      velocities_of(rows, options.velocities));
  query::with_memory_errors([&] {
    if (!state_) state_ = std::make_unique<query::SceneState>();
    query::RowScratch& given = query::row_scratch(*state_);
    base::in_arena(options.update.threads,
                   [&] { fill(given.spheres, rows), fill(given.velocities, rows.velocities); });
    InsertOptions with_velocities = options;
    if (!given.velocities.empty()) with_velocities.velocities = given.velocities;
    insert(given.spheres, ids, with_velocities);
  });
}

}  // namespace sphaera
