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

/// How many spheres of the list, from the first on, lie close together: the box around them has at most twice
/// the area of their own boxes together, as leaf blocks have in a crowd.
std::size_t SceneEditor::group_at_front(std::span<const std::uint32_t> ids) const {
  constexpr double dense = 2;  // ../decisions.md
  const SphereSet& sphere_set = frames_[0].frame().sphere_set();
  const Vec3& about = sphere_set.spheres[ids[0]].center;
  const auto half_area = [](const Bounds& bounds) {
    const Vec3 size = bounds.upper - bounds.lower;
    return size.x * size.y + size.y * size.z + size.z * size.x;
  };
  Bounds all = sphere_set.swept(ids[0], about);
  double areas = half_area(all);
  std::size_t count = 1;
  for (; count < std::min<std::size_t>(ids.size(), leaf_block_size); ++count) {
    const Bounds next = sphere_set.swept(ids[count], about);
    all = {SphereSet::lesser(all.lower, next.lower), SphereSet::greater(all.upper, next.upper)};
    areas += half_area(next);
    if (!(half_area(all) <= dense * areas)) break;
  }
  return count;
}

/// Puts spheres of a group into the best leaf blocks of a frame and those below it. Returns how many were
/// put. A child frame takes only spheres that it holds, or nearly: if it grew much, its floats would get
/// coarser. It comes before leaf blocks that are as near: those of a planet contain the place, too.
std::size_t SceneEditor::put_near(std::size_t number, std::span<const std::uint32_t> group) {
  constexpr int most_passed = 8;  // leaf blocks that are nearer than a child frame
  FrameEditor& frame = frames_[number];
  const LocalBox box = frame.box(group);
  std::size_t done = 0;
  const auto put_below = [&](std::size_t child) {
    const std::size_t below = below_[number][child];
    const std::span<const std::uint32_t> rest = group.subspan(done);
    if (!std::ranges::all_of(rest, [&](std::uint32_t id) { return frames_[below].nearly_holds(id); }))
      return false;
    return (done += put_near(below, rest)) == group.size();
  };
  const auto put_here = [&](std::uint32_t leaf) {
    const std::size_t count = std::min<std::size_t>(frame.room(leaf), group.size() - done);
    put(frame, leaf, group.subspan(done, count));
    return (done += count) == group.size();
  };
  int passed = 0;
  if (!below_[number].empty())
    frame.each_near(box, [&](std::uint32_t) { return ++passed == most_passed; }, put_below);
  if (done < group.size()) frame.each_near(box, put_here, [](std::size_t) { return false; });
  return done;
}

void SceneEditor::put(FrameEditor& frame, std::uint32_t leaf, std::span<const std::uint32_t> ids) {
  frame.add(leaf, ids);
  for (const std::uint32_t id : ids) {
    leaf_of_.data()[id] = first_leaf_[static_cast<std::size_t>(&frame - frames_.data())] + leaf;
    changed_ids_.add(id);
    outgrown_ |= !frame.holds(id);
  }
}

/// Puts a sphere into any leaf block with an empty lane, in the outermost frame if it has one. Each search
/// continues after the leaf block at which the last one ended.
bool SceneEditor::put_anywhere(std::uint32_t id) {
  for (FrameEditor& frame : frames_) {
    const auto leaves = static_cast<std::uint32_t>(frame.leaves());
    for (std::uint32_t n = 0; n < leaves; ++n) {
      scanned_ = scanned_ + 1 < leaves ? scanned_ + 1 : 0;
      if (frame.room(scanned_) == 0) continue;
      put(frame, scanned_, {&id, 1});
      return true;
    }
  }
  return false;
}

std::size_t SceneEditor::insert(std::span<const std::uint32_t> ids) {
  std::size_t done = 0;
  while (done < ids.size()) {
    const std::span<const std::uint32_t> rest = ids.subspan(done);
    const std::size_t count = put_near(0, rest.first(group_at_front(rest)));
    if (count == 0 && !put_anywhere(rest[0])) break;
    done += std::max<std::size_t>(count, 1);
  }
  return done;
}

void SceneEditor::sort_by_leaf(std::span<std::uint32_t> ids) const {
  std::ranges::sort(ids, {}, [&](std::uint32_t id) { return std::pair(leaf_of_.span()[id], id); });
}

void SceneEditor::erase(std::span<const std::uint32_t> ids) {
  while (!ids.empty()) {
    const std::uint32_t leaf = leaf_of_.span()[ids[0]];
    const auto end = std::ranges::find_if(ids, [&](std::uint32_t id) { return leaf_of_.span()[id] != leaf; });
    const auto count = static_cast<std::size_t>(end - ids.begin());
    take_out(place_of(leaf), ids.first(count));
    ids = ids.subspan(count);
  }
}

void SceneEditor::drop(std::span<const std::uint32_t> ids) {
  for (const std::uint32_t id : ids) {
    const auto [frame, leaf] = place_of(leaf_of_.span()[id]);
    frame->drop(leaf, id);
    leaf_of_.data()[id] = no_leaf, changed_ids_.add(id);
  }
}

void SceneEditor::take_out(const Place& place, std::span<const std::uint32_t> ids) {
  place.frame->remove(place.leaf, ids);
  for (const std::uint32_t id : ids) leaf_of_.data()[id] = no_leaf, changed_ids_.add(id);
}

/// All that have left are taken out before any box is fitted, as in `move_outliers`: those that have left in
/// company are otherwise found in the boxes of the others.
void SceneEditor::refit(std::span<const std::uint32_t> ids) {
  moved_.clear();
  for (const std::uint32_t id : ids) {
    const auto [frame, leaf] = place_of(leaf_of_.span()[id]);
    if (!frame->holds(id) || frame->has_left(id, frame->leaf_box(leaf))) moved_.push_back(id);
  }
  sort_by_leaf(moved_);
  erase(moved_);
  widen(ids);
  for (const std::uint32_t id : ids)
    if (contains(id)) {
      const Place place = place_of(leaf_of_.span()[id]);
      place.frame->refit(place.leaf);
    }
  insert(moved_);  // there are lanes: those that they had
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
  for (const auto& [owner, primitive, before] : items) {
    FrameEditor& frame = frames_[static_cast<std::size_t>(number_of(owner))];
    if (primitive >= frame.leaves()) continue;  // a child frame
    const FrameEditor::Members gone = frame.leavers(primitive, before);
    if (gone.count == 0) continue;
    take_out({&frame, primitive}, gone.span());
    moved_.insert(moved_.end(), gone.span().begin(), gone.span().end());
  }
  insert(moved_);  // there are lanes: those that they had
  for (FrameEditor& frame : frames_) frame.find_stacks();
}

std::uint64_t SceneEditor::bytes() const {
  std::uint64_t bytes = leaf_of_.bytes() + moved_.capacity() * sizeof(std::uint32_t);
  for (const FrameEditor& frame : frames_) bytes += frame.bytes();
  return bytes;
}

}  // namespace sphaera::index
