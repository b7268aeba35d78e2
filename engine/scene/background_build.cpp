#include <algorithm>
#include <base/arena.hpp>
#include <numeric>
#include <scene/background_build.hpp>
#include <scene/state.hpp>
#include <sphaera/error.hpp>
#include <vector>

namespace sphaera::query {
namespace {

/// Writes the listed ids to `ids`, each once, ascending.
void list_ids(std::vector<std::uint32_t>& ids, const base::ChangedItems& listed) {
  ids.assign(listed.items().begin(), listed.items().end());
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

BackgroundBuild::BackgroundBuild(const SceneState& state) : thread_(run, this) {
  copy(state);
  presence_.reserve(spheres_.size()), edited_.clear(spheres_.size());
}

void BackgroundBuild::start(const SceneState& state) {
  if (stop_.stop_requested()) stop_ = std::stop_source();
  control_ = {.quality = state.quality,
              .memory_limit = state.memory_limit,
              .memory = state.memory,
              .stop = stop_.get_token()};
  copy(state);
  passes_ = 1;
  thread_.start();
}

void BackgroundBuild::go_on(const SceneState& state) noexcept {
  if (!index_) return cancel();
  try {
    copy(state);
  } catch (const std::bad_alloc&) {
    return cancel();
  }
  ++passes_;
  thread_.start();
}

void BackgroundBuild::copy(const SceneState& state) {
  const index::SphereSet sphere_set = state.sphere_set();
  base::copy(spheres_, sphere_set.spheres), base::copy(velocities_, sphere_set.velocities);
  base::copy(presence_, state.presence.span());
  from_ = sphere_set.from, to_ = sphere_set.to;
  edited_.assign(changed_);
  moved_ = false, changed_.clear(spheres_.size());
}

bool BackgroundBuild::is_enabled(std::uint32_t id) const {
  return presence_.size() == 0 || presence_.span()[id] == IdState::enabled;
}

/// Runs in an arena of one thread: oneTBB's worker threads belong to the caller and must not join the build.
void BackgroundBuild::run_pass() noexcept {
  base::pause_point();
  if (passes_ == 0) return index_.reset();  // frees the replaced index
  try {
    base::in_arena(1, [&] { passes_ == 1 ? build() : catch_up(); });
  } catch (const std::bad_alloc&) {
    index_.reset();
  } catch (const Error&) {
    index_.reset();
  }
}

void BackgroundBuild::build() {
  list_all_ids(spheres_.size());
  std::erase_if(ids_, [this](std::uint32_t id) { return !is_enabled(id); });
  const bool all = ids_.size() == spheres_.size();
  const index::SphereSubset members{sphere_set(), all ? nullptr : &ids_};
  const index::FramePlan plan = index::plan_frames(members, scene_bounds_of(members));
  index_ = std::make_unique<index::SceneIndex>(members.sphere_set, plan, control_);
  index_ = index_->with_room();
  index_->reserve(spheres_.size());
  index_->refit();  // allocates what later refits on the caller's thread need
  index_->note_changes(index::SceneIndex::Purpose::queries);          // makes the lists of changes
  gone_.reserve(spheres_.size()), missing_.reserve(spheres_.size());  // so that `take_index` need not
}

/// Refits the index to a new copy. Spheres changed by single edits are taken out before the refit and put in
/// after it: if the refit had to find them as outliers, the boxes would be worse (../index/decisions.md).
/// Spheres that are no longer enabled are refitted too, and erased afterwards.
void BackgroundBuild::catch_up() {
  index_->reserve(spheres_.size());
  index_->point_to(sphere_set());
  drop(*index_, edited_);
  index_->refit(nullptr, index::SceneIndex::Jumps::many);
  list_all_ids(spheres_.size());
  if (!set_members(*index_, [this](std::uint32_t id) { return is_enabled(id); })) index_.reset();
}

/// Drops the edited spheres from the index; none if there were too many edits to list. The index must be
/// refitted afterwards.
void BackgroundBuild::drop(index::SceneIndex& index, const base::ChangedItems& edited) {
  list_ids(gone_, edited);
  std::erase_if(gone_, [&](std::uint32_t id) { return !index.contains(id); });
  index.drop(gone_);
}

void BackgroundBuild::list_all_ids(std::size_t spheres) {
  ids_.resize(spheres);
  std::iota(ids_.begin(), ids_.end(), 0u);
}

/// Lists the enabled spheres of `ids_` that the index lacks, and the others that it holds.
template <class IsEnabled>
void BackgroundBuild::list_changes(const index::SceneIndex& index, const IsEnabled& is_enabled) {
  gone_.clear(), missing_.clear();
  for (const std::uint32_t id : ids_)
    if (is_enabled(id) != index.contains(id)) (is_enabled(id) ? missing_ : gone_).push_back(id);
}

/// Erases and inserts these; false if the index has no empty lane for a sphere. Throws std::bad_alloc.
template <class IsEnabled>
bool BackgroundBuild::set_members(index::SceneIndex& index, const IsEnabled& is_enabled) {
  list_changes(index, is_enabled);
  index.erase(gone_);
  return index.insert(missing_);
}

/// Ends the build. Returns the index if take(index) returns true.
template <class Take>
std::unique_ptr<index::SceneIndex> BackgroundBuild::taken(const SceneState& state,
                                                          const Take& take) noexcept {
  passes_ = 0;
  std::unique_ptr<index::SceneIndex> index = std::move(index_);
  if (!index) return nullptr;
  try {
    index->reserve(state.spheres.size());
    index->point_to(state.sphere_set());
    if (!take(*index)) return nullptr;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return index;
}

std::unique_ptr<index::SceneIndex> BackgroundBuild::take_index(const SceneState& state) noexcept {
  return taken(state, [&](index::SceneIndex& index) {
    if (is_up_to_date()) {
      list_ids(ids_, changed_);
      std::vector<std::uint32_t>& refitted = missing_;  // until `set_members` needs this memory
      refitted.clear();
      for (const std::uint32_t id : ids_)
        if (index.contains(id)) refitted.push_back(id);
      index.refit(refitted);
    } else {
      drop(index, changed_);
      index.refit(nullptr, index::SceneIndex::Jumps::many);
      list_all_ids(state.spheres.size());
    }
    return set_members(index, [&](std::uint32_t id) { return state.is_enabled(id); });
  });
}

std::unique_ptr<index::SceneIndex> BackgroundBuild::take_index_to_move(const SceneState& state) noexcept {
  return taken(state, [&](index::SceneIndex& index) {
    drop(index, changed_);
    if (changed_.all())
      list_all_ids(state.spheres.size());
    else
      list_ids(ids_, changed_);
    list_changes(index, [&](std::uint32_t id) { return state.is_enabled(id); });
    index.drop(gone_);
    return state.enabled <= index.lanes();
  });
}

void BackgroundBuild::free_index(std::unique_ptr<index::SceneIndex> index) noexcept {
  index_ = std::move(index);
  thread_.start();
}

void BackgroundBuild::cancel() noexcept {
  if (thread_.is_lost()) return;
  if (!is_idle()) stop_.request_stop();
  thread_.wait();
  passes_ = 0;
  index_.reset();
}

}  // namespace sphaera::query
