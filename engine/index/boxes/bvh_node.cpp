#include <index/boxes/bvh_node.hpp>
#include <limits>

namespace sphaera::index {

BvhNode::BvhNode() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (auto& [lower, upper] : planes) lower.fill(infinity), upper.fill(-infinity);
  children.fill(BvhRef::primitive(0));
}

void BvhNode::set(std::size_t lane, const LocalBox& box) {
  for (std::size_t i = 0; i < 3; ++i) planes[i][0][lane] = box.lower[i], planes[i][1][lane] = box.upper[i];
}

}  // namespace sphaera::index
