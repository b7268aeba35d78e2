#include <base/arena.hpp>
#include <query/batch/background_build.hpp>
#include <query/batch/state.hpp>
#include <sphaera/error.hpp>
#include <vector>

namespace sphaera::query {
namespace {

/// Copies items to an array, whose memory is used again where it is large enough.
template <class Item>
void copy_to(base::HugeArray<Item>& array, std::span<const Item> items) {
  if (array.size() != items.size()) array = base::HugeArray<Item>(items.size());
  base::parallel_pieces(items.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    std::ranges::copy(items.subspan(begin, end - begin), array.data() + begin);
  });
}

}  // namespace

std::shared_ptr<BackgroundBuild> BackgroundBuild::start(const SceneState& state) {
  auto build = std::make_shared<BackgroundBuild>();
  build->control_ = {
      .quality = state.quality, .memory_limit = state.memory_limit, .stop = build->stop_.get_token()};
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
  copy_to(spheres_, sphere_set.spheres), copy_to(velocities_, sphere_set.velocities);
  from_ = sphere_set.from, to_ = sphere_set.to;
  if (enabled_.size() != state.spheres.size()) enabled_ = base::HugeArray<bool>(state.spheres.size());
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
  if (stage_.compare_exchange_strong(waiting, Stage::done)) return;
  stage_.wait(Stage::running, std::memory_order_acquire);
}

}  // namespace sphaera::query
