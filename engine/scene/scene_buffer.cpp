#include <algorithm>
#include <base/arena.hpp>
#include <mutex>
#include <scene/check_changes.hpp>
#include <scene/edit.hpp>
#include <scene/incremental_copy.hpp>
#include <scene/snapshot_pool.hpp>
#include <sphaera/scene_buffer.hpp>
#include <utility>
#include <vector>

namespace sphaera {
namespace {

using query::SceneAccess, query::Snapshot;

void cancel(const query::BackgroundBuild::Handle& build) {
  if (build) build->cancel();
}

/// Runs the caller's edit. If the edit throws, ends the background build, which may hold spheres of the edit.
void edit_by_caller(Scene& scene, const std::function<void(Scene&)>& edit) {
  try {
    edit(scene);
  } catch (...) {
    if (const auto& state = SceneAccess::own(scene)) cancel(state->background);
    throw;
  }
}

/// Gives the scene what its copies need later: room for changes of single spheres, and spare capacity of the
/// index, so that slightly larger indexes can be copied into its memory.
void give_room(Scene& scene, int threads) {
  const auto& state = SceneAccess::own(scene);
  if (!state) return;
  base::in_arena(threads, [&] {
    query::make_own(*state);
    if (!state->scene_index) return;
    query::make_room_for_edits(*state);
    state->scene_index = state->scene_index->with_room();
  });
}

/// Frees a scene on another thread, because freeing large arrays takes as long as a refit. Memory of the
/// caller's resource is freed at once on this thread: the resource may end soon after the scene.
void free_in_background(Scene scene) {
  const auto& state = SceneAccess::own(scene);
  if (!state || state->memory) return;
  try {
    base::run_detached([freed = std::make_shared<Scene>(std::move(scene))] {});
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

/// `mutex` guards `kept` and `newest`. `pool` has a lock of its own, because readers return snapshots to it.
/// All else belongs to the thread that changes the scene.
struct SceneBuffer::State {
  explicit State(const SceneBufferOptions& options) {
    if (options.keep > max_kept) throw std::bad_alloc();
    kept.resize(options.keep + 1), steps.resize(options.keep + steps_beyond);
  }
  State(const State&) = delete;

  std::shared_ptr<const Scene> past(std::size_t k) const {
    const std::lock_guard lock(mutex);
    return k < kept.size() ? kept[(newest + kept.size() - k) % kept.size()] : nullptr;
  }
  std::size_t snapshots() const {
    const std::lock_guard lock(mutex);
    return static_cast<std::size_t>(
        std::ranges::count_if(kept, [](const auto& scene) { return scene != nullptr; }));
  }
  /// Makes `next` a copy of the current snapshot.
  void update_copy(Snapshot& next, int threads, const query::CopyPurpose& purpose);
  /// Adds keep + 1 copies of the current scene to the pool. Throws std::bad_alloc.
  void fill_pool(int threads);
  /// Makes `next` the current snapshot. If it throws std::bad_alloc, nothing has changed.
  void publish(const std::shared_ptr<Snapshot>& next);

  /// Copies the current scene, calls edit(copy), and publishes the copy.
  template <class Edit>
  void change(int threads, const query::CopyPurpose& purpose, const Edit& edit);
  template <class Edit>
  void change(int threads, const Edit& edit) {
    change(threads, {}, edit);
  }

  /// Takes the background build out of a scene before it is published; the next change continues it.
  void take_background(Scene& scene) {
    if (const auto& state = SceneAccess::own(scene)) background = std::move(state->background);
  }

  /// The changes from version − 1 to `version`; version 0: no valid record.
  struct Step {
    std::uint64_t version = 0;
    query::Journal journal;
  };
  static constexpr std::size_t max_kept = std::size_t{1} << 30;
  /// Steps recorded beyond `keep`. A scene of the pool that is at most so many versions older than the oldest
  /// kept snapshot is brought up to date by these changes; an older one is copied whole.
  static constexpr std::size_t steps_beyond = 4;

  std::shared_ptr<query::SnapshotPool> pool = std::make_shared<query::SnapshotPool>();
  std::vector<Step> steps;
  query::Journal missing;  // working memory of `update_copy`
  std::uint64_t version = 0;
  query::BackgroundBuild::Handle background;
  query::RowScratch rows;  // working memory of updates from rows

  mutable std::mutex mutex;
  std::vector<std::shared_ptr<const Scene>> kept;  // a ring
  std::size_t newest = 0;
};

void SceneBuffer::State::update_copy(Snapshot& next, int threads, const query::CopyPurpose& purpose) {
  const std::shared_ptr<const Scene> now = past(0);
  std::unique_ptr<query::SceneState>& state = SceneAccess::own(next.scene);
  if (!state) state = std::make_unique<query::SceneState>();
  missing.clear();
  query::add_changes(*state, missing);
  for (std::uint64_t v = next.version + 1; v <= version && !missing.everything; ++v) {
    const Step& step = steps[v % steps.size()];
    if (step.version == v) {
      missing.add(step.journal);
    } else {
      missing.everything = true;
    }
  }
  base::in_arena(threads, [&] { query::update_copy(*state, SceneAccess::state(*now), missing, purpose); });
  next.version = version;
}

void SceneBuffer::State::fill_pool(int threads) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    auto copy = std::make_unique<Snapshot>();
    update_copy(*copy, threads, {});
    pool->add(std::move(copy));
  }
}

void SceneBuffer::State::publish(const std::shared_ptr<Snapshot>& next) {
  Step& step = steps[(version + 1) % steps.size()];
  step.version = 0;
  if (const auto& state = SceneAccess::own(next->scene)) {
    query::take_changes(*state, step.journal);
  } else {
    step.journal.everything = true;
  }
  next->version = step.version = ++version, next->published = true;
  std::shared_ptr<const Scene> last(next, &next->scene);
  const std::lock_guard lock(mutex);
  newest = (newest + 1) % kept.size();
  kept[newest].swap(last);
}

template <class Edit>
void SceneBuffer::State::change(int threads, const query::CopyPurpose& purpose, const Edit& edit) {
  const std::shared_ptr<Snapshot> next = query::with_memory_errors([&] {
    const base::FloatingPointEnvironment mode;
    std::shared_ptr<Snapshot> copy = pool->take();
    update_copy(*copy, threads, purpose);
    return copy;
  });
  std::unique_ptr<query::SceneState>& state = SceneAccess::own(next->scene);
  state->background = std::move(background);
  const query::SceneState* const copy = state.get();
  try {
    edit(next->scene);
  } catch (...) {
    take_background(next->scene);
    throw;
  }
  take_background(next->scene);
  if (state && state.get() != copy) state->journal.everything = true;  // another scene has taken its place
  try {
    query::with_memory_errors([&] { publish(next); });
  } catch (...) {
    cancel(background);  // it may hold spheres of the failed change
    throw;
  }
}

SceneBuffer::SceneBuffer(std::span<const Sphere> spheres, const BuildOptions& options,
                         const SceneBufferOptions& buffer_options)
    : SceneBuffer(Scene::build(spheres, options), buffer_options, options.threads) {}

SceneBuffer::SceneBuffer(Scene scene, const SceneBufferOptions& options)
    : SceneBuffer(std::move(scene), options, 0) {}

SceneBuffer::SceneBuffer(Scene scene, const SceneBufferOptions& options, int threads) {
  const base::FloatingPointEnvironment mode;
  state_ = query::with_memory_errors([&] { return std::make_unique<State>(options); });
  query::with_memory_errors([&] { give_room(scene, threads); });
  adopt(std::move(scene));
  query::with_memory_errors([&] { state_->fill_pool(threads); });
}

SceneBuffer::~SceneBuffer() = default;
SceneBuffer::SceneBuffer(SceneBuffer&&) noexcept = default;
SceneBuffer& SceneBuffer::operator=(SceneBuffer&&) noexcept = default;

std::shared_ptr<const Scene> SceneBuffer::current() const { return state_->past(0); }
std::shared_ptr<const Scene> SceneBuffer::past(std::size_t k) const { return state_->past(k); }
std::size_t SceneBuffer::snapshots() const { return state_->snapshots(); }

UpdateResult SceneBuffer::update(const VectorRows& centers, const VectorRows& velocities,
                                 const UpdateOptions& options) {
  return update(centers, velocities, options, [](Scene&) {});
}

UpdateResult SceneBuffer::update(const VectorRows& centers, const VectorRows& velocities,
                                 const UpdateOptions& options, const std::function<void(Scene&)>& then) {
  if (!then) base::throw_invalid_argument("`then` is empty; give a function, or leave it out");
  query::check_update(options);
  query::check_moves(*current(), centers.size(), velocities.size());
  const query::Moves given = query::with_memory_errors([&] {
    const base::FloatingPointEnvironment mode;
    return query::read_rows(state_->rows, centers, velocities, options.threads);
  });
  // A sphere whose row is skipped keeps its center, so the copy needs the old centers.
  const bool no_row_skipped = options.statuses.empty();
  UpdateResult result;
  state_->change(options.threads,
                 {.move = no_row_skipped, .replace_velocities = no_row_skipped && !velocities.empty()},
                 [&](Scene& scene) {
                   result = scene.update(given.centers, given.velocities, options);
                   edit_by_caller(scene, then);
                 });
  return result;
}

UpdateResult SceneBuffer::update(std::span<const std::int64_t> ids, const VectorRows& centers,
                                 const VectorRows& velocities, const UpdateOptions& options) {
  query::check_update(options);
  UpdateResult result;
  state_->change(options.threads,
                 [&](Scene& scene) { result = scene.update(ids, centers, velocities, options); });
  return result;
}

void SceneBuffer::insert(const SphereRows& spheres, std::span<std::int64_t> ids,
                         const InsertOptions& options) {
  query::check_update(options.update);
  state_->change(options.update.threads, [&](Scene& scene) { scene.insert(spheres, ids, options); });
}

void SceneBuffer::insert(std::span<const Sphere> spheres, std::span<std::int64_t> ids,
                         const InsertOptions& options) {
  query::check_update(options.update);
  state_->change(options.update.threads, [&](Scene& scene) { scene.insert(spheres, ids, options); });
}

std::vector<std::int64_t> SceneBuffer::insert(std::span<const Sphere> spheres, const InsertOptions& options) {
  return base::filled<std::int64_t>(spheres.size(), [&](auto ids) { insert(spheres, ids, options); });
}

void SceneBuffer::erase(std::span<const std::int64_t> ids, const UpdateOptions& options) {
  query::check_update(options);
  state_->change(options.threads, [&](Scene& scene) { scene.erase(ids, options); });
}

void SceneBuffer::set_enabled(std::span<const std::int64_t> ids, bool enabled, const UpdateOptions& options) {
  query::check_update(options);
  state_->change(options.threads, [&](Scene& scene) { scene.set_enabled(ids, enabled, options); });
}

void SceneBuffer::set_radii(std::span<const std::int64_t> ids, std::span<const double> radii,
                            const UpdateOptions& options) {
  query::check_update(options);
  state_->change(options.threads, [&](Scene& scene) { scene.set_radii(ids, radii, options); });
}

void SceneBuffer::set_layers(std::span<const std::int64_t> ids, std::span<const std::uint8_t> layers) {
  state_->change(0, [&](Scene& scene) { scene.set_layers(ids, layers); });
}

void SceneBuffer::change(const std::function<void(Scene&)>& edit) {
  if (!edit) base::throw_invalid_argument("`edit` is empty; give a function");
  state_->change(0, [&](Scene& scene) { edit_by_caller(scene, edit); });
}

void SceneBuffer::adopt(Scene scene) {
  const std::shared_ptr<Snapshot> next = query::with_memory_errors([&] { return state_->pool->take(); });
  std::swap(next->scene, scene);
  query::BackgroundBuild::Handle build;
  if (const auto& state = SceneAccess::own(next->scene)) {
    build = std::move(state->background);
    state->journal.everything = true;
  }
  cancel(state_->background);  // it builds an index of the replaced scene
  query::with_memory_errors([&] { state_->publish(next); });
  state_->background = std::move(build);
  free_in_background(std::move(scene));
}

}  // namespace sphaera
