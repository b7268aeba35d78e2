#include <base/arena.hpp>
#include <exact/numbers/dispatch.hpp>
#include <index/tree/leaf_tree.hpp>
#include <index/viewpoint/face_bvh.hpp>
#include <utility>

namespace sphaera::index {
namespace {

/// Fraction of the build time that grouping takes. Joining takes the rest.
constexpr double grouping_share = 0.94;

base::HugeArray<std::uint32_t> balls_of(std::span<const SphereBox> boxes) {
  base::HugeArray<std::uint32_t> ids(boxes.size());
  base::parallel_pieces(boxes.size(), base::cheap_items_per_piece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ids.data()[i] = boxes[i].id;
  });
  return ids;
}

/// Balls in their final order, and their blocks.
struct GroupedBalls {
  base::HugeArray<std::uint32_t> order;
  std::vector<LeafBlockTree> blocks;

  GroupedBalls(Device& device, std::size_t count, const std::function<base::HugeArray<SphereBox>()>& boxes_of,
               const ProgressRange& progress)
      : device_(device) {
    const Reservation reserved(device, count * sizeof(SphereBox));
    base::HugeArray<SphereBox> boxes = boxes_of();
    blocks = group(boxes.items(), progress);
    const std::uint64_t bytes = count * sizeof(std::uint32_t) + bytes_of(blocks);
    device.reserve(bytes);
    reserved_ = bytes;
    order = balls_of(boxes.span());
  }
  ~GroupedBalls() { device_.release(reserved_); }
  GroupedBalls(const GroupedBalls&) = delete;

 private:
  Device& device_;
  std::uint64_t reserved_ = 0;
};

}  // namespace

/// Computes the floats and boxes of leaves. The callback of Bvh::refit.
struct FaceBvh::Fit {
  FaceBvh& bvh;
  const FacePlan& plan;

  static void boxes(void* self, std::span<const std::uint32_t> leaves, LocalBox* boxes) {
    auto& fit = *static_cast<Fit*>(self);
    for (std::size_t i = 0; i < leaves.size(); ++i) boxes[i] = fit.box(leaves[i]);
  }
  LocalBox box(std::uint32_t number) const {
    FaceLeaf leaf;
    LocalBox all = empty_box();
    for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) {
      const std::uint32_t id = bvh.ids_.span()[number][lane];
      if (id == no_sphere) break;
      const BallImage image = plan.projection.image(plan.face, plan.spheres[id]);
      leaf.set(lane, image, bvh.frame_);
      all = united(all, bvh.frame_.box(image));
    }
    bvh.leaves_.data()[number] = leaf;
    return all;
  }
};

FaceBvh::FaceBvh(Device& device, const FacePlan& plan, const FaceFrame& frame, std::size_t count,
                 const std::function<base::HugeArray<SphereBox>()>& boxes, const ProgressRange& progress)
    : frame_(frame) {
  const GroupedBalls balls(device, count, boxes, progress.part(0, grouping_share));
  LeafTree tree(device, balls.blocks, balls.order.span(), {}, progress.part(grouping_share, 1));
  progress.finish();
  bvh_ = std::move(tree.bvh), ids_ = std::move(tree.leaves);
  device.reserve(ids_.size() * sizeof(FaceLeaf));
  leaves_ = base::HugeArray<FaceLeaf>(ids_.size(), device.memory());
  Fit fit{*this, plan};
  bvh_.refit({&fit, Fit::boxes});
}

/// Sum of the areas of the rectangles below a node, in local units squared.
double FaceBvh::areas_below(BvhRef ref) const {
  if (ref.is_primitive()) return 0;
  const BvhNode& node = bvh_.node(ref);
  double sum = 0;
  for (std::size_t lane = 0; lane < node.size(); ++lane) {
    const auto [lower, upper] = node.box(lane);
    sum += static_cast<double>(upper[0] - lower[0]) * static_cast<double>(upper[1] - lower[1]);
    sum += areas_below(node.children[lane]);
  }
  return sum;
}

double FaceBvh::boxes() const {
  const double least = frame_.inflation();
  return areas_below(bvh_.root()) / (4 * std::max(frame_.half_u(), least) * std::max(frame_.half_v(), least));
}

}  // namespace sphaera::index
