#include <base/arena.hpp>
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

/// Expected traversal cost divided by its value at build time. The ratio of boxes() is for a line through the
/// whole scene: it shows degradation where the scene has kept its size or shrunk. The ratio of areas is for a
/// line through one place: it shows that a sphere has moved far away, which enlarges the frame and, by the
/// frame's inflation, all boxes.
double degradation(const Cost& built, const Cost& now) {
  if (!(built.areas > 0)) return 1;
  return std::max(now.areas / built.areas, now.boxes() / built.boxes());
}

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
  state.built = Cost::of(*state.scene_index);
  state.built_for = state.enabled;
}

bool rebuild_index(SceneState& state, std::stop_token stop, const std::function<void(double)>& progress) {
  try {
    build_index(state, std::move(stop), progress);
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::out_of_memory || error.code() == ErrorCode::cancelled) return false;
    throw;
  }
  return true;
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

bool adopt_background(SceneState& state, Change change) {
  BackgroundBuild* const build = state.background.get();
  if (!build || !build->is_under_way() || !build->is_idle()) return false;
  const bool is_current = build->is_up_to_date();
  if (!is_current && (build->has_passes_left() || !is_time_for(*build, change))) return false;
  if (state.enabled == 0) {
    build->cancel();
    return false;
  }
  using Refit = BackgroundBuild::Refit;
  const Refit refit = change == Change::few ? Refit::now : Refit::by_caller;
  std::unique_ptr<index::SceneIndex> index = build->take_index(state, refit);
  if (!index) return false;  // the old index remains
  build->free_index(std::exchange(state.scene_index, std::move(index)));
  state.journal.everything = state.adopted = true;
  state.built = build->cost(), state.built_for = state.enabled;
  return !is_current;
}

namespace {

/// Are so few spheres left that leaf blocks are mostly empty?
bool is_sparse(const SceneState& state) {
  return static_cast<double>(state.enabled) < least_share * static_cast<double>(state.built_for);
}

/// Starts a build in the background if none runs and the index has degraded, is sparse, or has little room
/// left. The first call makes the thread and its memory, so that later frames need not.
void start_in_background(SceneState& state, double degradation) {
  const bool full = static_cast<double>(state.enabled) > full_share * static_cast<double>(state.built_for);
  const bool wanted = degradation > degraded_for_background || is_sparse(state) || full;
  try {
    if (!state.background) state.background.reset(new BackgroundBuild(state));
    state.background->set_urgent(degradation > degraded);
    if (wanted && !state.background->is_under_way() && state.background->is_idle())
      state.background->start(state);
  } catch (const std::bad_alloc&) {  // the next update tries again
  }
}

}  // namespace

UpdateResult adapt_index(SceneState& state, const UpdateOptions& options, Change change) {
  using Rebuild = UpdateOptions::Rebuild;
  if (!state.scene_index) return {};
  continue_in_background(state, change);
  const Cost cost = Cost::of(*state.scene_index);
  UpdateResult result{.boxes = cost.boxes(), .degradation = degradation(state.built, cost)};
  if (options.rebuild == Rebuild::in_background) {
    start_in_background(state, result.degradation);
    return result;
  }
  const bool worn = result.degradation > degraded || is_sparse(state);
  const bool wanted =
      options.rebuild == Rebuild::always || (options.rebuild == Rebuild::when_degraded && worn);
  result.rebuilt = wanted && rebuild_index(state, options.stop, options.progress);
  if (result.rebuilt) result.boxes = state.built.boxes();
  return result;
}

UpdateResult finish_update(SceneState& state, const UpdateOptions& options, Change change) {
  UpdateResult result = adapt_index(state, options, change);
  result.rebuilt |= std::exchange(state.adopted, false);
  return result;
}

}  // namespace sphaera::query
