#include <algorithm>
#include <base/arena.hpp>
#include <numeric>
#include <scene/background_build.hpp>
#include <scene/state.hpp>
#include <sphaera/error.hpp>
#include <vector>

namespace sphaera::query {
namespace {

/// Puts into the index what it should hold of these spheres, and takes out what it should not; false if it
/// has no room. Throws std::bad_alloc.
template <class IsEnabled>
bool set_members(index::SceneIndex& index, std::span<const std::uint32_t> ids, const IsEnabled& is_enabled) {
  std::vector<std::uint32_t> gone, missing;
  for (const std::uint32_t id : ids)
    if (is_enabled(id) != index.contains(id)) (is_enabled(id) ? missing : gone).push_back(id);
  index.erase(gone);
  return index.insert(missing);
}

std::vector<std::uint32_t> all_ids(std::size_t spheres) {
  std::vector<std::uint32_t> ids(spheres);
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

}  // namespace

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

bool BackgroundBuild::go_on(const SceneState& state) noexcept {
  if (!index_) return false;
  try {
    copy(state);
    run_beside();
  } catch (const std::bad_alloc&) {
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
  moved_ = false, changed_.clear(spheres_.size());
}

void BackgroundBuild::run_beside() {
  stage_.store(Stage::waiting, std::memory_order_relaxed);
  base::run_beside([self = shared_from_this()] { self->run(); });
}

void BackgroundBuild::run() noexcept {
  Stage waiting = Stage::waiting;
  if (!stage_.compare_exchange_strong(waiting, Stage::running)) return;
  try {
    if (turns_++ == 0) {
      build();
    } else {
      follow();
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

/// Fits the index to another copy. What it holds and should not is where it was, or elsewhere: either way
/// it has a place.
void BackgroundBuild::follow() {
  index_->reserve(spheres_.size());
  index_->point_to(sphere_set());
  index_->refit(nullptr, index::SceneIndex::Jumps::many);
  const auto is_enabled = [&](std::uint32_t id) { return enabled_.span()[id]; };
  if (!set_members(*index_, all_ids(enabled_.size()), is_enabled)) index_.reset();
}

std::unique_ptr<index::SceneIndex> BackgroundBuild::take_index(const SceneState& state, bool fit) noexcept {
  std::unique_ptr<index::SceneIndex> index = std::move(index_);
  if (!index) return nullptr;
  const auto is_enabled = [&](std::uint32_t id) { return state.is_enabled(id); };
  try {
    index->reserve(state.spheres.size());
    index->point_to(state.sphere_set());
    if (!is_near()) {
      if (fit) index->refit(nullptr, index::SceneIndex::Jumps::many);
      return set_members(*index, all_ids(state.spheres.size()), is_enabled) ? std::move(index) : nullptr;
    }
    std::vector<std::uint32_t> ids(changed_.items().begin(), changed_.items().end()), stayed;
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const std::uint32_t id : ids)
      if (fit && index->contains(id)) stayed.push_back(id);
    index->refit(stayed);
    if (!set_members(*index, ids, is_enabled)) return nullptr;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return index;
}

void BackgroundBuild::cancel() {
  stop_.request_stop();
  Stage waiting = Stage::waiting;
  if (!stage_.compare_exchange_strong(waiting, Stage::done))
    stage_.wait(Stage::running, std::memory_order_acquire);
  index_.reset();  // its memory may be the caller's, and the task may go on to hold this object
}

}  // namespace sphaera::query
