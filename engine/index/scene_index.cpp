#include <index/scene_index.hpp>
#include <new>

namespace sphaera::index {

void SceneIndex::find_neighborhoods() {
  const bool nested = !top_.children().empty();
  greatest_drift_ = nested ? greatest_drift(top_.sphere_set()) : 0;
  neighborhoods_ = nested ? Neighborhoods(top_, greatest_drift_) : Neighborhoods();
}

void SceneIndex::reserve(std::size_t spheres) {
  if (!editor_) editor_ = std::make_unique<SceneEditor>(top_, spheres);
  editor_->reserve(spheres);
}

/// Outliers are moved to make walks shorter; where memory lacks they stay.
void SceneIndex::refit(const BoundsAbout* known, Jumps jumps) {
  try {
    if (!outliers_) outliers_ = std::make_unique<OutlierList>(top_.leaves_below());
    outliers_->clear(jumps == Jumps::few ? 8 : 1);
  } catch (const std::bad_alloc&) {
  }
  top_.refit(known, outliers_.get());
  move_outliers();
  if (editor_) editor_->set_fitted();
  find_neighborhoods();
}

void SceneIndex::move_outliers() {
  if (!outliers_ || outliers_->items().empty()) return;
  try {
    reserve(top_.sphere_set().size());
    editor_->move_outliers(*outliers_);
  } catch (const std::bad_alloc&) {
    return;
  }
  if (editor_->outgrown()) top_.refit();
}

bool SceneIndex::insert(std::span<const std::uint32_t> ids) {
  editor_->widen(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (editor_->insert(ids[i])) continue;
    for (std::size_t k = 0; k < i; ++k) editor_->erase(ids[k]);
    finish_edit({});
    return false;
  }
  finish_edit(ids);
  return true;
}

void SceneIndex::erase(std::span<const std::uint32_t> ids) {
  for (const std::uint32_t id : ids) editor_->erase(id);
  finish_edit({});
}

void SceneIndex::refit(std::span<const std::uint32_t> ids) {
  editor_->widen(ids);
  for (const std::uint32_t id : ids) editor_->refit(id);
  finish_edit(ids);
}

/// `ids`: spheres that are new or have changed.
void SceneIndex::finish_edit(std::span<const std::uint32_t> ids) {
  if (editor_->outgrown()) return refit();
  if (top_.children().empty()) return;
  for (const std::uint32_t id : ids)
    greatest_drift_ = std::max(greatest_drift_, drift(top_.sphere_set(), id));
  neighborhoods_ = Neighborhoods(top_, greatest_drift_);
}

}  // namespace sphaera::index
