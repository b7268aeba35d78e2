#include <algorithm>
#include <base/arena.hpp>
#include <limits>
#include <scene/rebuild.hpp>
#include <sphaera/error.hpp>
#include <utility>

namespace sphaera::query {
namespace {

/// Cost of walks, relative to its value at build time, at which a rebuild pays: later walks save more than
/// the rebuild takes.
constexpr double degraded = 2;
/// The same for a rebuild in the background, which delays no caller (../index/decisions.md).
constexpr double degraded_for_background = 1.3;
/// Enabled spheres, relative to their number at build time: below `least_share` leaf blocks are mostly empty,
/// above `full_share` mostly full.
constexpr double least_share = 0.5, full_share = 1.0625;

/// In the background, up to `degraded`: the degradation that is left after a build must grow by this factor
/// before the next one, so that builds do not follow one another without end.
constexpr double growth_between_builds = 1.125;
/// Changes in turn after which the index may be degraded, before a change builds it in its own time.
constexpr int patience = 256;
/// Nested frames of at most so many leaf blocks are built anew in a caller's time, about a millisecond.
constexpr std::size_t quick_leaves = 512;

}  // namespace

std::vector<std::uint32_t> enabled_ids(const SceneState& state) {
  std::vector<std::uint32_t> ids;
  ids.reserve(state.enabled);
  for (std::uint32_t id = 0; id < state.spheres.size(); ++id)
    if (state.is_enabled(id)) ids.push_back(id);
  return ids;
}

index::SceneBounds bounds_of(const SceneState& state) {
  return with_members(state, [](const index::SphereSubset& members) { return scene_bounds_of(members); });
}

void build_index(SceneState& state, std::stop_token stop, const std::function<void(double)>& progress) {
  if (state.background) state.background->cancel();
  with_members(state, [&](const index::SphereSubset& members) {
    const index::SceneBounds bounds = scene_bounds_of(members);
    const index::FramePlan plan = index::plan_frames(members, bounds);
    const index::BuildControl control{state.quality, state.memory_limit, state.memory, std::move(stop),
                                      progress};
    state.scene_index = std::make_unique<index::SceneIndex>(members.sphere_set, plan, control);
    state.bounds = bounds;
  });
  state.journal.everything = true;
  state.built_for = state.enabled, state.background_due = 0;
}

namespace {

/// Does the work; false if memory runs out or a stop is requested.
template <class Work>
bool succeeds(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::out_of_memory || error.code() == ErrorCode::cancelled) return false;
    throw;
  }
  return true;
}

/// Builds the degraded nested frames of at most so many leaf blocks anew. False if there are none, memory
/// runs out or a stop is requested.
bool rebuild_nested(SceneState& state, std::size_t leaves, const UpdateOptions& options) {
  bool rebuilt = false;
  const index::BuildControl control{state.quality, state.memory_limit, state.memory, options.stop,
                                    options.progress};
  succeeds([&] { rebuilt = state.scene_index->rebuild_nested(degraded, leaves, control); });
  state.journal.everything |= rebuilt;
  return rebuilt;
}

}  // namespace

bool rebuild_index(SceneState& state, std::stop_token stop, const std::function<void(double)>& progress) {
  return succeeds([&] { build_index(state, std::move(stop), progress); });
}

namespace {

/// May a background index whose copy is out of date be refitted or taken over now? Only if all spheres move,
/// or if there are too many edits to list. A copy made after the move that ends a frame is still up to
/// date at the start of the next frame.
bool is_time_for(const BackgroundBuild& build, Change change) {
  return change == Change::whole || build.has_too_many_edits();
}

/// Called after the last step of a change: starts the next pass if it is time for one.
void continue_in_background(SceneState& state, Change change) {
  BackgroundBuild* const build = state.background.get();
  if (!build || !build->is_under_way() || !build->is_idle() || build->is_up_to_date() ||
      !build->has_passes_left())
    return;
  if (is_time_for(*build, change)) build->go_on(state);
}

}  // namespace

namespace {

/// Are so few spheres left that leaf blocks are mostly empty?
bool is_sparse(const SceneState& state) {
  return static_cast<double>(state.enabled) < least_share * static_cast<double>(state.built_for);
}
/// Are leaf blocks mostly full?
bool is_full(const SceneState& state) {
  return static_cast<double>(state.enabled) > full_share * static_cast<double>(state.built_for);
}

/// Boxes that a line through a sphere's frame meets, summed over the spheres. The index with the lesser sum
/// is the better one of two for the same spheres, whatever their frames.
double boxes_by_sphere(const index::FrameBvh& bvh) {
  index::WalkCost own = bvh.cost();
  double sum = 0;
  for (const auto& child : bvh.children()) own.areas -= child->cost().areas, sum += boxes_by_sphere(*child);
  return sum + static_cast<double>(bvh.spheres()) * own.boxes();
}

}  // namespace

Adopted adopt_background(SceneState& state, Change change) {
  BackgroundBuild* const build = state.background.get();
  if (!build || !build->is_under_way() || !build->is_idle()) return Adopted::no;
  const bool is_current = build->is_up_to_date();
  if (!is_current && (build->has_passes_left() || !is_time_for(*build, change))) return Adopted::no;
  if (state.enabled == 0) {
    build->cancel();
    return Adopted::no;
  }
  std::unique_ptr<index::SceneIndex> index =
      change == Change::few ? build->take_index(state) : build->take_index_to_move(state);
  if (!index) return Adopted::no;  // the old index remains
  const index::FrameBvh &before = state.scene_index->top(), &after = index->top();
  const bool is_better =
      boxes_by_sphere(after) < boxes_by_sphere(before) || is_sparse(state) || is_full(state);
  state.background_due = growth_between_builds * (is_better ? after : before).degradation();
  if (is_better) {
    std::swap(state.scene_index, index);
    state.journal.everything = state.rebuilt = true;
    state.built_for = state.enabled;
  }
  build->free_index(std::move(index));
  if (!is_better) return Adopted::no;
  return is_current ? Adopted::current : Adopted::older;
}

namespace {

/// Starts a build in the background if none runs and the index has degraded, is sparse, or has little room
/// left. The first call makes the thread and its memory, so that later frames need not.
void start_in_background(SceneState& state, double degradation) {
  const bool worn = degradation > std::clamp(state.background_due, degraded_for_background, degraded);
  try {
    if (!state.background) state.background.reset(new BackgroundBuild(state));
    state.background->set_urgent(degradation > degraded);
    const bool wanted = worn || is_sparse(state) || is_full(state);
    if (wanted && !state.background->is_under_way() && state.background->is_idle())
      state.background->start(state);
  } catch (const std::bad_alloc&) {  // the next update tries again
  }
}

/// Has the index been degraded for so many changes that a caller must build it?
bool is_overdue(SceneState& state, double degradation) {
  state.degraded_changes = degradation > degraded ? state.degraded_changes + 1 : 0;
  if (state.degraded_changes <= patience) return false;
  state.degraded_changes = 0;
  return true;
}

}  // namespace

UpdateResult adapt_index(SceneState& state, const UpdateOptions& options, Change change) {
  using Rebuild = UpdateOptions::Rebuild;
  if (!state.scene_index) return {};
  continue_in_background(state, change);
  const auto degradation = [&] { return state.scene_index->top().degradation(); };
  UpdateResult result{.boxes = state.scene_index->top().cost().boxes(), .degradation = degradation()};
  const bool in_background = options.rebuild == Rebuild::in_background;
  bool wanted = options.rebuild == Rebuild::always;
  if (in_background || options.rebuild == Rebuild::when_degraded) {
    if (result.degradation > degraded)
      result.rebuilt = rebuild_nested(
          state, in_background ? quick_leaves : std::numeric_limits<std::size_t>::max(), options);
    const double now = result.rebuilt ? degradation() : result.degradation;
    if (in_background) start_in_background(state, now);
    wanted = in_background ? is_overdue(state, now) : now > degraded || is_sparse(state);
  }
  if (wanted) result.rebuilt |= rebuild_index(state, options.stop, options.progress);
  if (result.rebuilt) result.boxes = state.scene_index->top().cost().boxes();
  state.rebuilt |= result.rebuilt;
  return result;
}

UpdateResult finish_update(SceneState& state, const UpdateOptions& options, Change change) {
  UpdateResult result = adapt_index(state, options, change);
  result.rebuilt = std::exchange(state.rebuilt, false);
  return result;
}

}  // namespace sphaera::query
