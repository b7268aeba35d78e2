#include <base/arena.hpp>
#include <exact/numbers/dispatch.hpp>
#include <index/scene_index.hpp>
#include <index/tree/path_group.hpp>
#include <new>
#include <utility>

namespace sphaera::index {

void SceneIndex::find_frame_balls() {
  const bool nested = !top_.children().empty();
  greatest_drift_ = nested ? greatest_drift(top_.sphere_set()) : 0;
  frame_balls_ = nested ? FrameBalls(top_, greatest_drift_) : FrameBalls();
}

void SceneIndex::prepare_in_frame_balls(const PreparedRays::Paths& paths,
                                        const PreparedRays::Margins* margins, PreparedRays& prepared) const {
  PreparedRays::Starts starts;
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
    for (std::size_t i = 0; i < PreparedRays::size; ++i)
      starts[i] = frame_balls_.of(paths[i], margins ? (*margins)[i] : 0);
  });
  std::array<const Frame*, PreparedRays::size> frames;
  for (std::size_t i = 0; i < PreparedRays::size; ++i)
    frames[i] = starts[i] ? &starts[i]->bvh().frame() : &top_.frame();
  prepared.make(frames, starts, paths, margins);
}

void SceneIndex::any(PathGroup& group, const FrameBall* start) const {
  bvh_of(start).any(group);
  if (start) start->visit_others_together(group);
}
void SceneIndex::nearest_first(PathGroup& group, const FrameBall* start) const {
  bvh_of(start).nearest_first(group);
  if (start) start->visit_others_together(group);
}
void SceneIndex::nearest_first(FlightGroup& group, const FrameBall* start) const {
  bvh_of(start).nearest_first(group);
  if (start) start->visit_others_together(group);
}

void SceneIndex::reserve(std::size_t spheres) {
  if (!editor_) editor_ = std::make_unique<SceneEditor>(top_, spheres);
  editor_->reserve(spheres);
}

/// Outliers are moved to make walks shorter; if there is no memory for that, they stay.
void SceneIndex::refit(const BoundsAbout* known, Jumps jumps) {
  fitted_ = true;
  try {
    clear_outliers(jumps);
  } catch (const std::bad_alloc&) {
  }
  top_.refit(known, outliers_.get());
  move_outliers();
  if (!known) top_.fit_frames();
  if (editor_) editor_->set_fitted();
  find_frame_balls();
}

/// Throws std::bad_alloc.
void SceneIndex::clear_outliers(Jumps jumps) {
  if (!outliers_) outliers_ = std::make_unique<OutlierList>(top_.memory());
  outliers_->clear(top_.leaves_below(), jumps == Jumps::few ? 8 : 1);
}

void SceneIndex::move_outliers() {
  if (!outliers_ || outliers_->items().empty()) return;
  try {
    reserve(top_.sphere_set().size());
    editor_->move_outliers(*outliers_);
  } catch (const std::bad_alloc&) {
  }
}

bool SceneIndex::rebuild_nested(double most, std::size_t leaves, const BuildControl& control) {
  FrameBvh::Places places;
  top_.list_degraded(most, leaves, places);
  if (places.empty()) return false;
  Device device(control);
  std::uint64_t bytes = bytes_;
  for (const auto* const place : places) bytes -= (*place)->bytes();
  device.reserve(bytes);
  std::vector<std::unique_ptr<FrameBvh>> built(places.size());
  const auto count = static_cast<double>(places.size());
  base::parallel_pieces(places.size(), 1, [&](std::size_t i, std::size_t) {
    const auto share = [&](std::size_t n) { return static_cast<double>(n) / count; };
    built[i] = (*places[i])->built_anew(device, {&control, share(i), share(i + 1)});
  });
  for (std::size_t i = 0; i < places.size(); ++i)
    bytes += built[i]->bytes(), *places[i] = std::move(built[i]);
  top_.fit_to_children();
  top_.fit_frames();
  bytes_ = bytes, peak_bytes_ = std::max(peak_bytes_, device.peak_bytes());
  editor_.reset();  // it knows the leaf blocks by their numbers
  find_frame_balls();
  return true;
}

bool SceneIndex::insert(std::span<const std::uint32_t> ids) {
  editor_->widen(ids);
  const std::size_t placed = editor_->insert(ids);
  if (placed < ids.size()) editor_->erase(ids.first(placed));
  const bool all = placed == ids.size();
  finish_edit(all ? ids : ids.first(0));
  return all;
}

void SceneIndex::erase(std::span<std::uint32_t> ids) {
  editor_->sort_by_leaf(ids);
  editor_->erase(ids);
  finish_edit({});
}

void SceneIndex::refit(std::span<const std::uint32_t> ids) {
  editor_->refit(ids);
  finish_edit(ids);
}

/// `ids`: spheres that are new or have changed.
void SceneIndex::finish_edit(std::span<const std::uint32_t> ids) {
  if (editor_->outgrown()) return refit();
  if (top_.children().empty()) return;
  for (const std::uint32_t id : ids)
    greatest_drift_ = std::max(greatest_drift_, drift(top_.sphere_set(), id));
  frame_balls_ = FrameBalls(top_, greatest_drift_);
}

void SceneIndex::Changes::clear() {
  fitted = false;
  edits.ids.clear(0);
  for (FrameEditor::Changes& frame : edits.frames) frame.leaves.clear(0), frame.nodes.clear(0);
}

void SceneIndex::Changes::add(const Changes& others) {
  fitted |= others.fitted;
  edits.ids.add(others.edits.ids);
  const std::size_t frames = others.edits.frames.size();
  if (edits.frames.size() < frames) edits.frames.resize(frames);
  for (std::size_t i = 0; i < frames; ++i) edits.frames[i].add(others.edits.frames[i]);
}

void SceneIndex::note_changes(Purpose purpose) {
  fitted_ = purpose == Purpose::refit;
  if (editor_) editor_->clear_changes();
}

void SceneIndex::take_changes(Changes& changes) {
  changes.clear();
  if (editor_) editor_->take_changes(changes.edits);
  changes.fitted = std::exchange(fitted_, false);
}

void SceneIndex::add_changes_to(Changes& changes) const {
  changes.fitted |= fitted_;
  if (editor_) editor_->add_changes_to(changes.edits);
}

void SceneIndex::copy(const SceneIndex& from, const SphereSet& sphere_set, Purpose purpose) {
  using Copied = FrameBvh::Copied;
  top_.copy(from.top_, purpose == Purpose::refit ? Copied::all_to_refit : Copied::all);
  bytes_ = from.bytes_, peak_bytes_ = from.peak_bytes_;
  if (!from.editor_) {
    editor_.reset();
  } else {
    if (!editor_) editor_ = std::make_unique<SceneEditor>();
    editor_->copy(top_, *from.editor_);
  }
  top_.point_to(sphere_set);
  clear_outliers(Jumps::few);  // so that the first refit of the copy allocates nothing
  find_copied_frame_balls(from, purpose);
}

void SceneIndex::copy_changes(const SceneIndex& from, const SphereSet& sphere_set, const Changes& changes,
                              Purpose purpose) {
  using Copied = FrameBvh::Copied;
  if (!editor_ != !from.editor_) return copy(from, sphere_set, purpose);
  const Copied fit = purpose == Purpose::refit ? Copied::fit_to_refit : Copied::fit;
  top_.copy(from.top_, changes.fitted ? fit : Copied::counts);
  if (editor_) editor_->copy_changes(*from.editor_, changes.edits);
  top_.point_to(sphere_set);
  find_copied_frame_balls(from, purpose);
}

std::unique_ptr<SceneIndex> SceneIndex::with_room() const {
  auto copied = std::make_unique<SceneIndex>();
  copied->copy(*this, top_.sphere_set(), Purpose::queries);
  return copied;
}

/// Frame balls point to the frames of their own index, so they are not copied but found again. For a copy
/// that will be refitted they are left out: the refit finds them.
void SceneIndex::find_copied_frame_balls(const SceneIndex& from, Purpose purpose) {
  greatest_drift_ = from.greatest_drift_;
  const bool none = from.frame_balls_.empty() || purpose == Purpose::refit;
  frame_balls_ = none ? FrameBalls() : FrameBalls(top_, greatest_drift_);
}

}  // namespace sphaera::index
