/// \file Stacks: nodes all of whose spheres are equal, as where a crowd is set down at one point. Every walk
/// to one of them reaches all of them; a walk for the lowest id visits one sphere of each stack. Builds and
/// refits find them; single edits forget those that they touch.

#include <algorithm>
#include <base/background_thread.hpp>
#include <index/tree/frame_bvh.hpp>

namespace sphaera::index {
namespace {

/// Appends the leaf blocks below a stack in the order in which a walk about a point reaches them: nodes
/// before primitives, since all are at one distance (NearestFirstStack).
void list_leaves(const Bvh& bvh, BvhRef ref, std::vector<std::uint32_t>& leaves) {
  if (ref.is_primitive()) return leaves.push_back(ref.index());
  const BvhNode& node = bvh.node(ref);
  const std::span<const BvhRef> children(node.children.data(), node.size());
  for (const bool primitives : {false, true})
    for (const BvhRef child : children)
      if (child.is_primitive() == primitives) list_leaves(bvh, child, leaves);
}

}  // namespace

/// Descendants come after their nodes, so one pass from the last node on suffices. The deepest stacks have
/// leaf blocks with equal boxes; where there are none, as in most scenes, there is nothing to find.
template <class LowestOf, class AreEqual>
void Bvh::find_stacks(const LowestOf& lowest_of, const AreEqual& are_equal) {
  has_stacks_ = false;
  if (!has_equal_boxes_) return;
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const BvhNode& node = nodes_.span()[n];
    std::uint32_t lowest = empty;
    for (std::size_t lane = 0, size = node.size(); lane < size && lowest != no_sphere; ++lane) {
      const BvhRef child = node.children[lane];
      const std::uint32_t id =
          child.is_primitive() ? lowest_of(child.index()) : stacks_.span()[child.index()];
      const bool fits = id == empty || (id != no_sphere && (lowest == empty || are_equal(lowest, id)));
      lowest = fits ? std::min(lowest, id) : no_sphere;
    }
    stacks_.data()[n] = lowest;
    has_stacks_ |= lowest < empty;
    base::pause_point();
  }
}

void FrameBvh::find_stacks() {
  bvh_.find_stacks([&](std::uint32_t primitive) { return lowest_of_equals(primitive); },
                   [&](std::uint32_t a, std::uint32_t b) { return are_equal(a, b); });
}

/// After a build: puts the ids of each stack in order. Then lists of them need no sorting, and a stack
/// without some of its first spheres consists of a few smaller ones.
void FrameBvh::sort_stacks() {
  if (!bvh_.has_stacks()) return;
  sort_stacks(bvh_.root());
  find_stacks();
}

void FrameBvh::sort_stacks(BvhRef ref) {
  if (ref.is_primitive()) return;
  if (bvh_.stack(ref) != no_sphere) return sort_stack(ref);
  const BvhNode& node = bvh_.node(ref);
  for (std::size_t lane = 0; lane < node.size(); ++lane) sort_stacks(node.children[lane]);
}

void FrameBvh::sort_stack(BvhRef ref) {
  std::vector<std::uint32_t> leaves, ids;
  list_leaves(bvh_, ref, leaves);
  for (const std::uint32_t leaf : leaves)
    ids.insert(ids.end(), leaves_.ids(leaf).begin(), leaves_.ids(leaf).begin() + leaves_.count(leaf));
  std::ranges::sort(ids);
  auto next = ids.begin();
  for (const std::uint32_t leaf : leaves) {
    const auto end = next + leaves_.count(leaf);
    std::copy(next, end, leaves_.equal_ids(leaf).begin());
    next = end;
  }
}

bool FrameBvh::are_equal(std::uint32_t a, std::uint32_t b) const {
  return index::are_equal(sphere_set_.spheres.data(),
                          sphere_set_.move() ? sphere_set_.velocities.data() : nullptr, a, b);
}

std::uint32_t FrameBvh::lowest_of_equals(std::uint32_t primitive) const {
  if (primitive >= leaves_.size()) return no_sphere;
  const LeafIds& ids = leaves_.ids(primitive);
  if (ids[0] == no_sphere) return Bvh::empty;
  std::uint32_t lowest = ids[0];
  for (const std::uint32_t id : ids) {
    if (id == no_sphere) break;
    if (!are_equal(id, ids[0])) return no_sphere;
    lowest = std::min(lowest, id);
  }
  return lowest;
}

}  // namespace sphaera::index
