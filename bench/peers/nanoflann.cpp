#include <bench/peers/neighbor_peer.hpp>
#include <cmath>
#include <nanoflann.hpp>
#include <vector>

namespace sphaera::bench {
namespace {

/// The centers, as nanoflann reads them.
struct Centers {
  std::span<const Sphere> spheres;

  std::size_t kdtree_get_point_count() const { return spheres.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const {
    return spheres[i].center[static_cast<int>(axis)];
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Id = std::uint32_t;
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Centers>, Centers, 3, Id>;

class KdTree : public NeighborPeer {
 public:
  explicit KdTree(std::span<const Sphere> spheres)
      : centers_{spheres}, tree_(3, centers_, nanoflann::KDTreeSingleIndexAdaptorParams(10)) {
    tree_.buildIndex();
  }

  void nearest(std::span<const Vec3> points, std::size_t k, std::span<Neighbor> out) const override {
    std::vector<Id> ids(k);
    std::vector<double> squares(k);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::size_t found = tree_.knnSearch(&points[i].x, k, ids.data(), squares.data());
      for (std::size_t j = 0; j < k; ++j)
        out[i * k + j] = j < found ? Neighbor{std::sqrt(squares[j]) - equal_radius, ids[j]} : Neighbor{};
    }
  }

  void within(std::span<const Ball> balls, IdLists& lists) const override {
    lists.offsets.assign(balls.size() + 1, 0);
    lists.items.clear();
    const nanoflann::SearchParams unsorted(32, 0, false);
    std::vector<std::pair<Id, double>> found;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const double reach = balls[i].radius + equal_radius;
      tree_.radiusSearch(&balls[i].center.x, reach * reach, found, unsorted);
      for (const auto& [id, square] : found) lists.items.push_back(id);
      lists.offsets[i + 1] = lists.items.size();
    }
  }

 private:
  Centers centers_;
  Tree tree_;
};

}  // namespace

std::unique_ptr<NeighborPeer> make_kd_tree(std::span<const Sphere> spheres) {
  return std::make_unique<KdTree>(spheres);
}

}  // namespace sphaera::bench
