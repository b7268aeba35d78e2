#include <base/arena.hpp>
#include <index/builder/leaf_order.hpp>
#include <index/tree/frame_bvh.hpp>
#include <index/tree/leaf_tree.hpp>
#include <utility>

namespace sphaera::index {
namespace {

/// Fractions of the build time at the end of grouping and of joining. Fitting takes the rest.
constexpr double grouped_share = 0.75, joined_share = 0.8;

SphereSubset members_of(const SphereSet& sphere_set, const FramePlan& plan) {
  return {sphere_set, plan.holds == FramePlan::Holds::all ? nullptr : &plan.own};
}

}  // namespace

FrameBvh::FrameBvh(Device& device, const SphereSet& sphere_set, const FramePlan& plan,
                   const ProgressRange& progress)
    : sphere_set_(sphere_set), frame_(plan.frame) {
  build_children(device, plan.children, progress.part(0, grouped_share));
  const SphereSubset members = members_of(sphere_set, plan);
  base::HugeArray<LeafIds> ids = build(device, members, progress.part(0, joined_share));
  const bool floats = progress.control->quality != BuildQuality::compact;
  leaves_ = LeafBlocks(device, std::move(ids), members.size(), floats, sphere_set.move());
  device.reserve(bvh_.nodes().size() * sizeof(std::uint32_t));
  bvh_.make_room_for_stacks(device.memory());
  fit();
  sort_stacks();
  built_ = own_cost();
  progress.finish();
}

std::unique_ptr<FrameBvh> FrameBvh::built_anew(Device& device, const ProgressRange& progress) const {
  std::vector<std::uint32_t> ids;
  append_ids(ids);
  std::ranges::sort(ids);
  const SphereSubset members{sphere_set_, &ids};
  return std::make_unique<FrameBvh>(device, sphere_set_, plan_frames(members, scene_bounds_of(members)),
                                    progress);
}

SavedFrame FrameBvh::saved() const {
  return {frame_.center(),
          frame_.half_size(),
          frame_.scale(),
          areas_,
          built_,
          spheres(),
          leaves_.size(),
          bvh_.nodes().size(),
          static_cast<std::uint32_t>(bvh_.top().size()),
          static_cast<std::uint32_t>(children_.size()),
          bvh_.has_equal_boxes(),
          0};
}

bool FrameBvh::open(const SavedFrame& saved, const SphereSet& sphere_set) {
  const std::optional<Frame> frame = Frame::opened(saved.center, saved.half_size, saved.scale);
  if (!frame) return false;
  frame_ = *frame, sphere_set_ = sphere_set, areas_ = saved.areas, built_ = saved.built;
  leaves_.set_opened(saved.spheres);
  bvh_.set_opened(saved.nodes > 0, saved.has_equal_boxes != 0);
  children_.resize(saved.children);
  for (auto& child : children_) child = std::make_unique<FrameBvh>();
  return true;
}

void FrameBvh::build_children(Device& device, std::span<const FramePlan> plans,
                              const ProgressRange& progress) {
  children_.resize(plans.size());
  const auto count = static_cast<double>(plans.size());
  base::parallel_pieces(plans.size(), 1, [&](std::size_t i, std::size_t) {
    const ProgressRange subtree =
        progress.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    children_[i] = std::make_unique<FrameBvh>(device, sphere_set_, plans[i], subtree);
  });
}

base::HugeArray<LeafIds> FrameBvh::build(Device& device, const SphereSubset& members,
                                         const ProgressRange& progress) {
  constexpr double grouped = grouped_share / joined_share;
  const LeafOrder grouping(device, members, frame_, progress.part(0, grouped));
  std::vector<Subtree> frames;
  for (std::size_t i = 0; i < children_.size(); ++i) frames.push_back(subtree(i));
  LeafTree tree(device, grouping.blocks(), grouping.order(), frames, progress.part(grouped, 1));
  progress.finish();
  bvh_ = std::move(tree.bvh);
  return std::move(tree.leaves);
}

/// A child frame as a subtree. Its opacity is 0: the share that its spheres fill is not known here.
Subtree FrameBvh::subtree(std::size_t child) const {
  const LocalBox box = frame_.box(children_[child]->frame_);
  const auto number = static_cast<std::uint32_t>(child);
  const Aabb aabb({box.lower, number, {-box.upper[0], -box.upper[1], -box.upper[2]}, 0});
  return {{nullptr, number, 0}, aabb, 0, 0};
}

}  // namespace sphaera::index
