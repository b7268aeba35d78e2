#include <base/arena.hpp>
#include <base/changed_items.hpp>
#include <query/batch/background_build.hpp>
#include <query/batch/state.hpp>
#include <sphaera/error.hpp>
#include <vector>

namespace sphaera::query {

std::shared_ptr<BackgroundBuild> BackgroundBuild::start(const SceneState& state) {
  auto build = std::make_shared<BackgroundBuild>();
  build->control_ = {.quality = state.quality,
                     .memory_limit = state.memory_limit,
                     .memory = state.memory,
                     .stop = build->stop_.get_token()};
  build->copy(state);
  build->run_beside();
  return build;
}

bool BackgroundBuild::go_on(const SceneState& state) {
  if (!index_ || std::exchange(followed_, true)) return false;
  try {
    copy(state);
    run_beside();
  } catch (const std::bad_alloc&) {
    index_.reset();  // its spheres may be gone
    return false;
  }
  return true;
}

void BackgroundBuild::copy(const SceneState& state) {
  const index::SphereSet sphere_set = state.sphere_set();
  base::copy(spheres_, sphere_set.spheres), base::copy(velocities_, sphere_set.velocities);
  from_ = sphere_set.from, to_ = sphere_set.to;
  enabled_.resize(state.spheres.size());
  for (std::uint32_t id = 0; id < enabled_.size(); ++id) enabled_.data()[id] = state.is_enabled(id);
}

void BackgroundBuild::run_beside() {
  stage_.store(Stage::waiting, std::memory_order_relaxed);
  base::run_beside([self = shared_from_this()] { self->run(); });
}

void BackgroundBuild::run() noexcept {
  Stage waiting = Stage::waiting;
  if (!stage_.compare_exchange_strong(waiting, Stage::running)) return;
  try {
    if (std::exchange(built_, true)) {
      follow();
    } else {
      build();
    }
  } catch (const std::bad_alloc&) {
    index_.reset();
  } catch (const Error&) {
    index_.reset();
  }
  stage_.store(Stage::done, std::memory_order_release);
  stage_.notify_all();
}

void BackgroundBuild::build() {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < enabled_.size(); ++id)
    if (enabled_.span()[id]) ids.push_back(id);
  const bool all = ids.size() == spheres_.size();
  const index::SphereSubset members{sphere_set(), all ? nullptr : &ids};
  const index::FramePlan plan = index::plan_frames(members, scene_bounds_of(members));
  index_ = std::make_unique<index::SceneIndex>(members.sphere_set, plan, control_);
  index_->reserve(spheres_.size());
  cost_ = Cost::of(*index_);
}

/// Fits the index to the second copy. What it holds and should not is where it was, or elsewhere: either way
/// it has a place.
void BackgroundBuild::follow() {
  index_->reserve(spheres_.size());
  index_->point_to(sphere_set());
  index_->refit(nullptr, index::SceneIndex::Jumps::many);
  std::vector<std::uint32_t> gone, missing;
  for (std::uint32_t id = 0; id < enabled_.size(); ++id)
    if (enabled_.span()[id] != index_->contains(id)) (enabled_.span()[id] ? missing : gone).push_back(id);
  index_->erase(gone);
  if (!index_->insert(missing)) index_.reset();
}

void BackgroundBuild::cancel() {
  stop_.request_stop();
  Stage waiting = Stage::waiting;
  if (!stage_.compare_exchange_strong(waiting, Stage::done))
    stage_.wait(Stage::running, std::memory_order_acquire);
  index_.reset();  // its memory may be the caller's, and the task may go on to hold this object
}

}  // namespace sphaera::query
