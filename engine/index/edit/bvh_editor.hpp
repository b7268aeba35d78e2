#pragma once
/// \file Single changes to the nodes of a BVH: boxes on the way from a primitive to the root, and the
/// primitive that a new box fits best.

#include <base/changed_items.hpp>
#include <base/huge_array.hpp>
#include <index/tree/bvh.hpp>
#include <vector>

namespace sphaera::index {

class BvhEditor {
 public:
  /// Throws std::bad_alloc. The BVH must outlive the editor and keep its structure.
  BvhEditor(Bvh& bvh, std::size_t primitives);
  /// For `copy`.
  explicit BvhEditor(Bvh& bvh) : bvh_(bvh) {}
  /// Makes this an editor of a copy of the other's BVH. Throws std::bad_alloc; `copy` may then be called
  /// again.
  void copy(const BvhEditor& from);

  /// The box of a primitive; a point if it holds no sphere, or is the only primitive.
  LocalBox box(std::uint32_t primitive) const {
    const Lane at = places_.span()[primitive];
    return at == no_lane ? LocalBox{} : bvh_.nodes_.span()[at / BvhNode::width].box(at % BvhNode::width);
  }
  /// Gives a primitive its new box and fits the boxes above it. Returns by how much the sum of the half-areas
  /// of all boxes has grown.
  double refit(std::uint32_t primitive, const LocalBox& box);

  /// Calls take(primitive) until it returns true. Primitives come in ascending order of the growth of their
  /// boxes and the boxes above them if `box` is added. False if take returned true for none of the
  /// visited ones (at most max_nodes nodes).
  template <class Take>
  bool each_near(const LocalBox& box, const Take& take);

  /// Nodes whose boxes have changed.
  const base::ChangedItems& changed() const { return changed_; }
  void clear_changed() { changed_.clear(parents_.size()); }
  void note_all_changed() { changed_.add_all(); }
  /// Copies the `changed` nodes of another editor's BVH. Precondition: all other nodes are equal.
  void copy_changes(const BvhEditor& from, const base::ChangedItems& changed);

  std::uint64_t bytes() const {
    return parents_.bytes() + places_.bytes() + open_.capacity() * sizeof(Open) +
           heap_.capacity() * sizeof(Candidate);
  }

 private:
  /// A lane of a node: 8·node + lane.
  using Lane = std::uint32_t;
  static constexpr Lane no_lane = 0xffffffff;
  /// A node and those of its children that are yet to be looked at.
  struct Open {
    std::uint32_t node;
    LaneSet lanes;
    std::array<float, BvhNode::width> growths;  ///< of the half-areas, down to each child
  };
  /// The child of an open node that grows least. A heap of these has the least growth on top.
  struct Candidate {
    float growth;
    std::uint32_t open, lane;
    bool operator<(const Candidate& other) const { return growth > other.growth; }
  };
  /// Enough to fill hundreds of leaf blocks about one place.
  static constexpr std::size_t max_nodes = 512;

  void forget_stacks(std::uint32_t primitive);
  void make_room();
  void open(std::uint32_t node, float growth, const LocalBox& box);
  void push_best(std::uint32_t open);

  Bvh& bvh_;
  base::HugeArray<Lane> parents_;  // of nodes
  base::HugeArray<Lane> places_;   // of primitives
  std::vector<Open> open_;
  std::vector<Candidate> heap_;  // one for each open node: all eight of each took longer
  base::ChangedItems changed_;
};

template <class Take>
bool BvhEditor::each_near(const LocalBox& box, const Take& take) {
  if (bvh_.root().is_primitive()) return take(bvh_.root().index());
  open_.clear(), heap_.clear();
  open(bvh_.root().index(), 0, box);
  while (!heap_.empty()) {
    const Candidate best = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    push_best(best.open);
    const BvhRef child = bvh_.nodes_.span()[open_[best.open].node].children[best.lane];
    if (child.is_primitive()) {
      if (take(child.index())) return true;
    } else if (open_.size() < max_nodes) {
      open(child.index(), best.growth, box);
    }
  }
  return false;
}

}  // namespace sphaera::index
