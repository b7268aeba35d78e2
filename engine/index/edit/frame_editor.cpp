#include <index/edit/frame_editor.hpp>
#include <index/layout/outlier_list.hpp>

namespace sphaera::index {

FrameEditor::FrameEditor(FrameBvh& frame)
    : bvh_(frame), boxes_(frame.bvh_, frame.leaves_.size() + frame.children_.size()) {}

FrameEditor::FrameEditor(FrameBvh& frame, const FrameEditor& from) : bvh_(frame), boxes_(frame.bvh_) {
  copy(from);
}

void FrameEditor::clear_changes() {
  changed_leaves_.clear(leaves());
  boxes_.clear_changed();
}

void FrameEditor::list_changes(Changes& changes) const {
  changes.leaves.assign(changed_leaves_), changes.nodes.assign(boxes_.changed());
}

void FrameEditor::add_changes_to(Changes& changes) const {
  changes.leaves.add(changed_leaves_), changes.nodes.add(boxes_.changed());
}

void FrameEditor::copy_changes(const FrameEditor& from, const Changes& changes) {
  if (changes.leaves.all()) bvh_.leaves_.copy(from.bvh_.leaves_, {.ids = true, .floats = true});
  for (const std::uint32_t leaf : changes.leaves.items()) bvh_.leaves_.copy_leaf(from.bvh_.leaves_, leaf);
  boxes_.copy_changes(from.boxes_, changes.nodes);
}

Vec3 FrameEditor::extent(std::uint32_t id) const {
  const Bounds swept = bvh_.sphere_set_.swept(id, bvh_.frame_.center());
  return SphereSet::greater(-swept.lower, swept.upper);
}

bool FrameEditor::holds(std::uint32_t id) const {
  const Vec3 &h = bvh_.frame_.half_size(), extent = this->extent(id);
  return extent.x <= h.x && extent.y <= h.y && extent.z <= h.z;
}

void FrameEditor::widen(std::span<const std::uint32_t> ids) {
  constexpr double spare = 1.25;  // so that spheres that keep moving outward widen the frame rarely
  Vec3 all;
  for (const std::uint32_t id : ids) all = SphereSet::greater(all, extent(id));
  Vec3 half = bvh_.frame_.half_size();
  const auto wider = [&](double& h, double needed) {
    if (needed <= h) return false;
    h = spare * needed;
    return true;
  };
  const bool x = wider(half.x, all.x), y = wider(half.y, all.y), z = wider(half.z, all.z);
  if (!x && !y && !z) return;
  bvh_.frame_ = bvh_.frame_.about(bvh_.frame_.center(), half);
  bvh_.fit();
  changed_leaves_.add_all(), boxes_.note_all_changed();
}

LocalBox FrameEditor::box(std::uint32_t id) const {
  const Bounds swept = bvh_.sphere_set_.swept(id, bvh_.frame_.center());
  LocalBox box;
  for (int i = 0; i < 3; ++i) {
    box.lower[i] = static_cast<float>(bvh_.frame_.scale() * swept.lower[i]);
    box.upper[i] = static_cast<float>(bvh_.frame_.scale() * swept.upper[i]);
  }
  return box;
}

void FrameEditor::add(std::uint32_t leaf, std::uint32_t id) {
  bvh_.leaves_.add(leaf, id);
  refit(leaf);
}

void FrameEditor::remove(std::uint32_t leaf, std::uint32_t id) {
  bvh_.leaves_.remove(leaf, id);
  refit(leaf);
}

bool FrameEditor::refit(std::uint32_t leaf) {
  changed_leaves_.add(leaf);
  const LocalBox before = boxes_.box(leaf);
  LocalBox now;
  bvh_.leaves_.refit({&leaf, 1}, bvh_.sphere_set_, bvh_.frame_, &now);
  bvh_.areas_ += boxes_.refit(leaf, now);
  return OutlierList::is_far(before, now);
}

std::uint32_t FrameEditor::outlier(std::uint32_t leaf) const {
  const LeafIds& members = ids(leaf);
  const std::uint32_t count = bvh_.leaves_.count(leaf);
  std::array<LocalBox, leaf_block_size> boxes;
  LocalBox all = empty_box();
  for (std::uint32_t i = 0; i < count; ++i) all = united(all, boxes[i] = box(members[i]));
  // A sphere is an outlier only if the box of the rest has less than two thirds of the area.
  float least = count > 0 ? half_area(all) * 2 / 3 : 0;
  std::uint32_t found = no_sphere;
  for (std::uint32_t i = 0; i < count; ++i) {
    LocalBox rest = empty_box();
    for (std::uint32_t k = 0; k < count; ++k)
      if (k != i) rest = united(rest, boxes[k]);
    const float area = sphaera::index::is_empty(rest) ? 0 : half_area(rest);
    if (area < least) least = area, found = members[i];
  }
  return found;
}

}  // namespace sphaera::index
