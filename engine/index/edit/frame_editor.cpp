#include <index/edit/frame_editor.hpp>
#include <index/tree/outlier_list.hpp>

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

bool FrameEditor::lies_within(std::uint32_t id, double share) const {
  const double spare = (share - 1) * bvh_.frame_.largest_half_size();  // its floats are no finer than that
  const Vec3 h = bvh_.frame_.half_size() + Vec3{spare, spare, spare}, extent = this->extent(id);
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

LocalBox FrameEditor::box(std::span<const std::uint32_t> ids) const {
  LocalBox all = empty_box();
  for (const std::uint32_t id : ids) all = united(all, box(id));
  return all;
}

void FrameEditor::add(std::uint32_t leaf, std::span<const std::uint32_t> ids) {
  for (const std::uint32_t id : ids) bvh_.leaves_.add(leaf, id);
  refit(leaf);
}

void FrameEditor::remove(std::uint32_t leaf, std::span<const std::uint32_t> ids) {
  for (const std::uint32_t id : ids) bvh_.leaves_.remove(leaf, id);
  refit(leaf);
}

void FrameEditor::refit(std::uint32_t leaf) {
  changed_leaves_.add(leaf);
  LocalBox now;
  bvh_.leaves_.refit({&leaf, 1}, bvh_.sphere_set_, bvh_.frame_, &now);
  bvh_.areas_ += boxes_.refit(leaf, bounded(now));
}

bool FrameEditor::has_left(std::uint32_t id, const LocalBox& before) const {
  const LocalBox box = this->box(id);
  return !touch(box, before) || OutlierList::is_far(before, united(before, box));
}

namespace {

/// The number of the box without which the rest is much smaller; `boxes.size()` if there is none.
std::size_t outlier(std::span<const LocalBox> boxes) {
  LocalBox all = empty_box();
  for (const LocalBox& box : boxes) all = united(all, box);
  // A sphere is an outlier only if the box of the rest has less than two thirds of the area.
  float least = boxes.empty() ? 0 : half_area(all) * 2 / 3;
  std::size_t found = boxes.size();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    LocalBox rest = empty_box();
    for (std::size_t k = 0; k < boxes.size(); ++k)
      if (k != i) rest = united(rest, boxes[k]);
    const float area = is_empty(rest) ? 0 : half_area(rest);
    if (area < least) least = area, found = i;
  }
  return found;
}

}  // namespace

FrameEditor::Members FrameEditor::leavers(std::uint32_t leaf, const LocalBox& before) const {
  Members gone, rest;
  std::array<LocalBox, leaf_block_size> boxes;
  for (const std::uint32_t id : std::span(ids(leaf)).first(bvh_.leaves_.count(leaf))) {
    const LocalBox box = this->box(id);
    if (!touch(box, before)) {
      gone.add(id);
    } else {
      boxes[rest.count] = box, rest.add(id);
    }
  }
  for (;;) {
    const std::size_t i = outlier(std::span(boxes).first(rest.count));
    if (i == rest.count) return gone;
    gone.add(rest.ids[i]);
    rest.ids[i] = rest.ids[--rest.count], boxes[i] = boxes[rest.count];
  }
}

}  // namespace sphaera::index
