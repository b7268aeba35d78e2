/// \file Refit: recomputes floats and boxes of existing leaf blocks and nodes for spheres that are new or
/// have moved.
///
/// One pass down the nodes in memory order, which is also the order of their leaf blocks; boxes are completed
/// on the way up. Prefetching spheres gained nothing (../decisions.md).

#include <base/arena.hpp>
#include <index/layout/frame_bvh.hpp>
#include <index/layout/outlier_list.hpp>

namespace sphaera::index {
namespace {

/// The box of a subtree, and the sum of the half-areas of its boxes in the nodes' order.
struct Swept {
  LocalBox box;
  double areas;
};

constexpr std::uint32_t nodes_a_task = 1024;

class Refit {
 public:
  Refit(std::span<BvhNode> nodes, const Bvh::Moved& moved, OutlierList* outliers)
      : nodes_(nodes), moved_(moved), outliers_(outliers) {}

  /// Refits the subtree whose nodes are first … end − 1.
  Swept run(std::uint32_t first, std::uint32_t end) const {
    BvhNode& node = nodes_[first];
    std::array<Swept, BvhNode::width> swept{};
    const std::size_t count = node.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!node.children[i].is_primitive()) continue;
      const std::uint32_t primitive = node.children[i].index();
      swept[i] = {moved_.box(moved_.self, primitive), 0};
    }
    if (end - first > nodes_a_task) {
      divide(node, count, end, swept);
    } else {
      each_below(node, count, end,
                 [&](std::size_t i, std::uint32_t from, std::uint32_t to) { swept[i] = run(from, to); });
    }
    const BvhNode before = node;
    const Swept all = closed(node, std::span(swept).first(count));
    if (outliers_) list_outliers(before, node);
    return all;
  }

 private:
  void list_outliers(const BvhNode& before, const BvhNode& now) const {
    for (LaneSet lanes = OutlierList::far_lanes(before, now); lanes != 0; lanes &= lanes - 1)
      if (const BvhRef child = now.children[static_cast<unsigned>(std::countr_zero(lanes))];
          child.is_primitive())
        outliers_->add(moved_.self, child.index());
  }
  /// Calls visit(lane, first, end) for each child node of a node whose subtree ends at `end`. A child's
  /// subtree ends where the next one begins.
  template <class Visit>
  static void each_below(const BvhNode& node, std::size_t count, std::uint32_t end, const Visit& visit) {
    std::size_t next = 0;
    const auto skip_primitives = [&] {
      while (next < count && node.children[next].is_primitive()) ++next;
    };
    skip_primitives();
    while (next < count) {
      const std::size_t lane = next++;
      skip_primitives();
      visit(lane, node.children[lane].index(), next < count ? node.children[next].index() : end);
    }
  }

  void divide(const BvhNode& node, std::size_t count, std::uint32_t end, std::span<Swept> swept) const {
    struct Below {
      std::size_t lane;
      std::uint32_t first, end;
    };
    std::array<Below, BvhNode::width> below;
    std::size_t n = 0;
    each_below(node, count, end, [&](std::size_t lane, std::uint32_t from, std::uint32_t to) {
      below[n++] = {lane, from, to};
    });
    base::parallel_pieces(
        n, 1, [&](std::size_t i, std::size_t) { swept[below[i].lane] = run(below[i].first, below[i].end); });
  }

  static Swept closed(BvhNode& node, std::span<const Swept> children) {
    Swept all{empty_box(), 0};
    std::size_t empty = 0;
    for (std::size_t lane = 0; lane < children.size(); ++lane) {
      const LocalBox& box = children[lane].box;
      if (is_empty(box)) {
        ++empty;
        continue;
      }
      node.set(lane, box);
      all.areas += static_cast<double>(half_area(box)) + children[lane].areas;
      all.box = hull(all.box, box);
    }
    for (std::size_t lane = 0; empty > 0 && lane < children.size(); ++lane)
      if (is_empty(children[lane].box)) node.set(lane, point_within(all.box));
    return all;
  }

  std::span<BvhNode> nodes_;
  const Bvh::Moved& moved_;
  OutlierList* outliers_;
};

}  // namespace

double Bvh::refit(const Moved& moved, OutlierList* outliers) {
  if (root_.is_primitive()) {
    moved.box(moved.self, root_.index());
    return 0;
  }
  const Refit refit(nodes_.items(), moved, outliers);
  const double areas = refit.run(0, static_cast<std::uint32_t>(nodes_.size())).areas;
  copy_top();
  return areas;
}

void FrameBvh::refit(const BoundsAbout* known, OutlierList* outliers) {
  base::parallel_pieces(children_.size(), 1,
                        [&](std::size_t i, std::size_t) { children_[i]->refit(nullptr, outliers); });
  if (is_empty()) return;
  frame_ = refitted(frame_, known ? *known : bounds_about(frame_.center()),
                    [this](const Vec3& about) { return bounds_about(about); });
  fit(outliers);
}

void FrameBvh::fit(OutlierList* outliers) {
  const auto box_of = [](void* self, std::size_t i) { return static_cast<FrameBvh*>(self)->refitted_box(i); };
  areas_ = bvh_.refit({this, box_of}, outliers);
}

LocalBox FrameBvh::refitted_box(std::size_t primitive) {
  const FrameBvh* bvh = child(primitive);
  if (!bvh) return leaves_.refit(primitive, sphere_set_, frame_);
  return bvh->is_empty() ? empty_box() : frame_.box(bvh->frame_);
}

/// Bounds of the leaf blocks' spheres and of the child frames, which are slightly larger than their spheres.
BoundsAbout FrameBvh::bounds_about(const Vec3& about) const {
  const BoundsAbout own = base::parallel_fold(
      leaves_.size(), BoundsAbout{},
      [&](std::size_t begin, std::size_t end, const BoundsAbout& start) {
        BoundsAboutSum sum(about);
        for (std::size_t leaf = begin; leaf < end; ++leaf)
          for (const std::uint32_t id : leaves_.ids(leaf))
            if (id != no_sphere) sum.add(sphere_set_, id);
        return joined(start, sum.bounds());
      },
      joined);
  BoundsAboutSum below(about);
  for (const auto& child : children_)
    if (!child->is_empty()) below.add(child->frame_);
  return joined(own, below.bounds());
}

bool FrameBvh::is_empty() const {
  return leaves_.spheres() == 0 &&
         std::ranges::all_of(children_, [](const auto& child) { return child->is_empty(); });
}

std::size_t FrameBvh::leaves_below() const {
  std::size_t sum = leaves_.size();
  for (const auto& child : children_) sum += child->leaves_below();
  return sum;
}

/// Frames without spheres are not refitted.
void FrameBvh::copy(const FrameBvh& from, Copied copied) {
  const bool all = copied == Copied::all || copied == Copied::all_to_refit;
  const bool floats =
      copied == Copied::all || copied == Copied::fit || (copied != Copied::counts && from.is_empty());
  frame_ = from.frame_, areas_ = from.areas_;
  leaves_.copy(from.leaves_, {.ids = all, .floats = floats});
  if (copied != Copied::counts) bvh_.copy(from.bvh_);
  if (all) children_.resize(from.children_.size());
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (!children_[i]) children_[i] = std::make_unique<FrameBvh>();
    children_[i]->copy(*from.children_[i], copied);
  }
}

void FrameBvh::point_to(const SphereSet& sphere_set) {
  sphere_set_ = sphere_set;
  for (const auto& child : children_) child->point_to(sphere_set);
}

double FrameBvh::areas() const {
  double sum = areas_ / frame_.scale() / frame_.scale();
  for (const auto& child : children_) sum += child->areas();
  return sum;
}

}  // namespace sphaera::index
