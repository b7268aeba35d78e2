#include <base/changed_items.hpp>
#include <cstring>
#include <index/saved_index.hpp>
#include <type_traits>

namespace sphaera::index {
namespace {

using base::SavedScene, base::SavedSceneWriter, base::Section;

constexpr Section next(Section section) { return static_cast<Section>(static_cast<int>(section) + 1); }

/// Calls visit(section, array) for each array of a frame alone that a file has.
template <class Frame, class Visit>
void each_section(Frame& frame, const Visit& visit) {
  Section section = Section::leaf_ids;
  FrameBvh::each_saved_array(
      [&](auto& array) {
        visit(section, array);
        section = next(section);
      },
      frame);
}

template <class Array>
using ItemOf = std::remove_cvref_t<decltype(*std::declval<const Array&>().span().data())>;

void put(const auto& array, SavedSceneWriter& writer) { writer.write(std::as_bytes(array.span())); }

/// The bytes between two items, which no one has written, are 0 in the file.
void put(const base::HugeArray<LeafVelocities>& array, SavedSceneWriter& writer) {
  std::array<std::byte, sizeof(LeafVelocities)> bytes{};
  for (const LeafVelocities& item : array.span()) {
    std::memcpy(bytes.data(), &item, offsetof(LeafVelocities, z) + sizeof item.z);
    writer.write(bytes);
  }
}

void list(const FrameBvh& frame, std::vector<const FrameBvh*>& frames) {
  frames.push_back(&frame);
  for (const auto& child : frame.children()) list(*child, frames);
}

/// Distributes the sections of a file to frames.
class Opening {
 public:
  explicit Opening(const SavedScene& file)
      : file_(file),
        frames_(file.items<SavedFrame>(Section::frames)),
        has_floats_(file.place(Section::leaf_floats).count > 0),
        has_velocities_(file.place(Section::leaf_velocities).count > 0) {}

  void open(FrameBvh& frame, const SphereSet& sphere_set, int depth) {
    if (frames_.empty() || depth > most_depth) file_.fail(Section::frames);
    const SavedFrame& saved = frames_.front();
    frames_ = frames_.subspan(1);
    if (saved.children > frames_.size() || !frame.open(saved, sphere_set)) file_.fail(Section::frames);
    const std::uint64_t leaves = saved.leaves, nodes = saved.nodes;
    if (leaves + saved.children >= BvhRef::primitive_bit || nodes >= BvhRef::primitive_bit)
      file_.fail(Section::frames);
    const std::array<std::uint64_t, array_count> counts{leaves, has_floats_ ? leaves : 0,
                                                        has_velocities_ ? leaves : 0, nodes, saved.top_nodes};
    std::size_t i = 0;
    each_section(frame, [&](Section section, auto& array) {
      array = view<ItemOf<decltype(array)>>(section, i, counts[i]);
      ++i;
    });
    for (const auto& child : frame.children()) open(*child, sphere_set, depth + 1);
  }
  /// Throws Error bad_file unless all is distributed.
  void end() const {
    if (!frames_.empty()) file_.fail(Section::frames);
    Section section = Section::leaf_ids;
    for (const std::uint64_t taken : taken_) {
      if (taken != file_.place(section).count) file_.fail(section);
      section = next(section);
    }
  }

 private:
  static constexpr int most_depth = 256;  // frames nest in 45 levels (../builder/nesting.hpp)
  static constexpr std::size_t array_count = 5;

  template <class Item>
  base::HugeArray<Item> view(Section section, std::size_t i, std::uint64_t count) {
    const std::span<const Item> all = file_.items<Item>(section);
    if (count > all.size() - taken_[i]) file_.fail(section);
    const auto items = all.subspan(taken_[i], count);
    taken_[i] += count;
    return base::HugeArray<Item>::view(items);
  }

  const SavedScene& file_;
  std::span<const SavedFrame> frames_;
  bool has_floats_, has_velocities_;
  std::array<std::uint64_t, array_count> taken_{};
};

/// A lane without a child: walks never enter it.
bool is_unused(const BvhNode& node, std::size_t lane) {
  const BvhNode none;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side)
      if (node.planes[axis][side][lane] != none.planes[axis][side][lane]) return false;
  return node.children[lane].is_primitive() && node.children[lane].index() == 0;
}

/// Follows the nodes in the order in which a build numbers them: each before those below it.
class TreeCheck {
 public:
  explicit TreeCheck(const FrameBvh& frame)
      : nodes_(frame.bvh().nodes()), leaves_(frame.leaves().size()), seen_(frame.children().size()) {}

  bool is_sound() {
    pending_[size_++] = {0, 1};
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (size_ == 0 || pending_[size_ - 1].node != n || pending_[size_ - 1].depth > most_depth) return false;
      if (!take(nodes_[n], pending_[--size_].depth)) return false;
    }
    return size_ == 0 && next_leaf_ == leaves_ && seen_count_ == seen_.size();
  }

 private:
  static constexpr std::uint32_t most_depth = max_depth_of_upper_tree + max_depth_of_block;
  struct Pending {
    std::uint32_t node, depth;
  };

  bool take(const BvhNode& node, std::uint32_t depth) {
    const std::size_t count = node.size();
    for (std::size_t lane = BvhNode::width; lane-- > 0;) {  // the first child ends on top
      if (lane >= count) {
        if (!is_unused(node, lane)) return false;
      } else if (!node.children[lane].is_primitive()) {
        pending_[size_++] = {node.children[lane].index(), depth + 1};
      }
    }
    for (std::size_t lane = 0; lane < count; ++lane)
      if (node.children[lane].is_primitive() && !take_primitive(node.children[lane].index())) return false;
    return true;
  }
  bool take_primitive(std::uint32_t primitive) {
    if (primitive < leaves_) return primitive == next_leaf_++;
    const std::size_t child = primitive - leaves_;
    if (child >= seen_.size() || seen_[child]) return false;
    ++seen_count_;
    return seen_[child] = true;
  }

  std::span<const BvhNode> nodes_;
  std::size_t leaves_, next_leaf_ = 0, seen_count_ = 0, size_ = 0;
  std::vector<bool> seen_;
  std::array<Pending, most_depth*(BvhNode::width - 1) + 2 * BvhNode::width> pending_;
};

/// Are the top nodes those that a build copies?
bool has_sound_top(const Bvh& bvh) {
  const BvhNode& root = bvh.nodes().front();
  const std::span<const BvhRef> below(root.children.data(), root.size());
  const bool none = std::ranges::any_of(below, &BvhRef::is_primitive);
  if (bvh.top().size() != (none ? 0 : below.size())) return false;
  for (std::size_t i = 0; i < bvh.top().size(); ++i)
    if (!std::ranges::equal(std::as_bytes(bvh.top().subspan(i, 1)),
                            std::as_bytes(std::span(&bvh.node(below[i]), 1))))
      return false;
  return true;
}

}  // namespace

std::vector<const FrameBvh*> frames_of(const SceneIndex& index) {
  std::vector<const FrameBvh*> frames;
  list(index.top(), frames);
  return frames;
}

void save(const SceneIndex* index, SavedSceneWriter& writer) {
  const std::vector<const FrameBvh*> frames = index ? frames_of(*index) : std::vector<const FrameBvh*>();
  writer.begin(Section::frames, sizeof(SavedFrame));
  for (const FrameBvh* const frame : frames) {
    const SavedFrame saved = frame->saved();
    writer.write(std::as_bytes(std::span(&saved, 1)));
  }
  for (Section section = Section::leaf_ids; section <= Section::top_nodes; section = next(section)) {
    bool begun = false;
    for (const FrameBvh* const frame : frames)
      each_section(*frame, [&](Section at, const auto& array) {
        if (at != section) return;
        if (!std::exchange(begun, true)) writer.begin(section, sizeof(ItemOf<decltype(array)>));
        put(array, writer);
      });
  }
}

std::unique_ptr<SceneIndex> open(const SavedScene& file, const SphereSet& sphere_set, std::uint64_t bytes) {
  auto index = std::make_unique<SceneIndex>(bytes);
  Opening opening(file);
  opening.open(index->opened_top(), sphere_set, 1);
  opening.end();
  return index;
}

bool has_sound_tree(const FrameBvh& frame) {
  if (frame.bvh().nodes().empty())
    return frame.leaves().size() + frame.children().size() == 1 && frame.bvh().top().empty();
  return TreeCheck(frame).is_sound() && has_sound_top(frame.bvh());
}

namespace {

void make_own(FrameBvh& frame) {
  FrameBvh::each_saved_array([](auto& array) { base::make_own(array); }, frame);
  frame.make_room_for_stacks();
  for (const auto& child : frame.children()) make_own(*child);
}

}  // namespace

void make_own(SceneIndex& index, std::size_t spheres, const SavedScene& file) {
  std::vector<bool> placed(spheres);
  for (const FrameBvh* const frame : frames_of(index))
    for (std::size_t leaf = 0; leaf < frame->leaves().size(); ++leaf)
      for (const std::uint32_t id : frame->leaves().ids(leaf)) {
        if (id == no_sphere) break;
        if (placed[id]) file.fail(Section::leaf_ids);
        placed[id] = true;
      }
  make_own(index.opened_top());
}

}  // namespace sphaera::index
