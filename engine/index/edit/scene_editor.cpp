#include <index/edit/scene_editor.hpp>
#include <tuple>

namespace sphaera::index {

SceneEditor::SceneEditor(FrameBvh& top, std::size_t spheres) : leaf_of_(spheres, top.memory()) {
  std::ranges::fill(leaf_of_.items(), no_leaf);
  list(top);
}

/// Numbers a frame and those below it.
void SceneEditor::list(FrameBvh& frame) {
  const std::size_t number = frames_.size();
  const std::uint32_t first =
      number == 0 ? 0 : first_leaf_.back() + static_cast<std::uint32_t>(frames_.back().leaves());
  frames_.emplace_back(frame), first_leaf_.push_back(first), below_.emplace_back();
  for (std::uint32_t leaf = 0; leaf < frames_.back().leaves(); ++leaf)
    for (const std::uint32_t id : frames_.back().ids(leaf))
      if (id != no_sphere) leaf_of_.data()[id] = first + leaf;
  for (const auto& child : frame.children()) {
    below_[number].push_back(frames_.size());
    list(*child);
  }
}

void SceneEditor::copy(FrameBvh& top, const SceneEditor& from) {
  first_leaf_ = from.first_leaf_, below_ = from.below_;
  outgrown_ = from.outgrown_, scanned_ = from.scanned_;
  frames_.reserve(from.frames_.size());
  const std::size_t frames = copy_from(top, 0, from);
  while (frames_.size() > frames) frames_.pop_back();
  base::copy(leaf_of_, from.leaf_of_);
  reserve_moved();
}

/// Room for eight spheres each of an eighth of the leaf blocks, which may have outliers (OutlierList), and an
/// eighth more for a later index.
void SceneEditor::reserve_moved() {
  const std::size_t leaves = first_leaf_.back() + frames_.back().leaves();
  if (leaves > moved_.capacity()) moved_.reserve(leaves + leaves / 8);
}

/// Copies the editors of a frame and of those below it, in the order of `list`. Returns the number that the
/// next frame has. An editor that was another frame's, which may be gone, is replaced.
std::size_t SceneEditor::copy_from(FrameBvh& frame, std::size_t number, const SceneEditor& from) {
  if (number < frames_.size() && &frames_[number].frame() == &frame) {
    frames_[number].copy(from.frames_[number]);
  } else {
    while (frames_.size() > number) frames_.pop_back();
    frames_.emplace_back(frame, from.frames_[number]);
  }
  ++number;
  for (const auto& child : frame.children()) number = copy_from(*child, number, from);
  return number;
}

void SceneEditor::clear_changes() {
  changed_ids_.clear(leaf_of_.size());
  for (FrameEditor& frame : frames_) frame.clear_changes();
}

void SceneEditor::take_changes(Changes& changes) {
  changes.frames.resize(frames_.size());
  changes.ids.assign(changed_ids_);
  for (std::size_t i = 0; i < frames_.size(); ++i) frames_[i].list_changes(changes.frames[i]);
  clear_changes();
}

void SceneEditor::add_changes_to(Changes& changes) const {
  changes.ids.add(changed_ids_);
  if (changes.frames.size() < frames_.size()) changes.frames.resize(frames_.size());
  for (std::size_t i = 0; i < frames_.size(); ++i) frames_[i].add_changes_to(changes.frames[i]);
}

void SceneEditor::copy_changes(const SceneEditor& from, const Changes& changes) {
  base::copy_changes(leaf_of_, from.leaf_of_, changes.ids);
  for (std::size_t i = 0; i < frames_.size(); ++i)
    frames_[i].copy_changes(from.frames_[i], changes.frames[i]);
  outgrown_ = from.outgrown_, scanned_ = from.scanned_;
}

void SceneEditor::reserve(std::size_t spheres) {
  reserve_moved();
  leaf_of_.reserve(spheres);
  while (leaf_of_.size() < spheres) leaf_of_.append(no_leaf);
}

SceneEditor::Place SceneEditor::place_of(std::uint32_t leaf) {
  const auto after = std::ranges::upper_bound(first_leaf_, leaf);
  const auto number = static_cast<std::size_t>(after - first_leaf_.begin()) - 1;
  return {&frames_[number], leaf - first_leaf_[number]};
}

/// The best place within a frame and those below it. A child frame takes only spheres that it holds: if it
/// grew, its floats would get coarser.
bool SceneEditor::find(std::size_t number, std::uint32_t id, Place& place) {
  FrameEditor& frame = frames_[number];
  return frame.each_near(
      frame.box(id),
      [&](std::uint32_t leaf) {
        place = {&frame, leaf};
        return true;
      },
      [&](std::size_t child) {
        const std::size_t below = below_[number][child];
        return frames_[below].holds(id) && find(below, id, place);
      });
}

void SceneEditor::put(const Place& place, std::uint32_t id) {
  place.frame->add(place.leaf, id);
  leaf_of_.data()[id] = first_leaf_[static_cast<std::size_t>(place.frame - frames_.data())] + place.leaf;
  changed_ids_.add(id);
}

/// Finds any leaf block with an empty lane, in the outermost frame if it has one. Each search continues after
/// the leaf block at which the last one ended.
bool SceneEditor::find_anywhere(Place& place) {
  for (FrameEditor& frame : frames_) {
    const auto leaves = static_cast<std::uint32_t>(frame.leaves());
    for (std::uint32_t n = 0; n < leaves; ++n) {
      scanned_ = scanned_ + 1 < leaves ? scanned_ + 1 : 0;
      place = {&frame, scanned_};
      if (frame.has_room(scanned_)) return true;
    }
  }
  return false;
}

bool SceneEditor::insert(std::uint32_t id) {
  Place place;
  if (!find(0, id, place)) {
    if (!find_anywhere(place)) return false;
    outgrown_ |= !place.frame->holds(id);
  }
  put(place, id);
  return true;
}

void SceneEditor::erase(std::uint32_t id) {
  const Place place = place_of(leaf_of_.span()[id]);
  place.frame->remove(place.leaf, id);
  leaf_of_.data()[id] = no_leaf;
  changed_ids_.add(id);
}

void SceneEditor::refit(std::uint32_t id) {
  const Place place = place_of(leaf_of_.span()[id]);
  if (place.frame->holds(id) && !place.frame->refit(place.leaf)) return;
  erase(id);
  insert(id);  // there is a lane: the one that it had
}

void SceneEditor::move_outliers(OutlierList& outliers) {
  const auto number_of = [&](const void* frame) {
    return std::ranges::find_if(frames_, [&](FrameEditor& f) { return &f.frame() == frame; }) -
           frames_.begin();
  };
  const std::span<OutlierList::Item> items = outliers.items();
  std::ranges::sort(items, {}, [&](const OutlierList::Item& item) {
    return std::tuple(number_of(item.frame), item.primitive);
  });
  // All outliers are taken out first: a leaf block that holds one is large, and would attract the others.
  moved_.clear();
  moved_.reserve(items.size() * leaf_block_size);
  for (const auto& [owner, primitive] : items) {
    FrameEditor& frame = frames_[static_cast<std::size_t>(number_of(owner))];
    if (primitive >= frame.leaves()) continue;  // a child frame
    for (std::uint32_t id; (id = frame.outlier(primitive)) != no_sphere;) {
      erase(id);
      moved_.push_back(id);
    }
  }
  for (const std::uint32_t id : moved_) insert(id);  // there are lanes: those that they had
  for (FrameEditor& frame : frames_) frame.find_stacks();
}

std::uint64_t SceneEditor::bytes() const {
  std::uint64_t bytes = leaf_of_.bytes() + moved_.capacity() * sizeof(std::uint32_t);
  for (const FrameEditor& frame : frames_) bytes += frame.bytes();
  return bytes;
}

}  // namespace sphaera::index
