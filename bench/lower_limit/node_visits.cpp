#include <tbb/parallel_for.h>

#include <algorithm>
#include <bench/lower_limit/node_visits.hpp>
#include <bench/measure/huge_vector.hpp>
#include <bench/measure/slab_test.hpp>
#include <bench/peers/naive/certified.hpp>
#include <index/device/embree_version.hpp>
#include <numeric>
#include <stdexcept>

namespace sphaera::bench {
namespace {

constexpr std::size_t leaf_size = 8;

struct Leaf {
  std::size_t size;
  std::array<std::uint32_t, leaf_size> spheres;
};

struct Node {
  EightBoxes boxes;
  std::array<void*, 8> children{};  ///< pointers to leaves have the lowest bit set
};
static_assert(sizeof(Node) == static_cast<std::size_t>(VisitTree::node_bytes));

void* as_leaf(Leaf* leaf) { return reinterpret_cast<char*>(leaf) + 1; }
bool is_leaf(const void* child) { return reinterpret_cast<std::uintptr_t>(child) & 1; }
const Leaf& leaf_of(const void* child) {
  return *reinterpret_cast<const Leaf*>(static_cast<const char*>(child) - 1);
}
const Node& node_of(const void* child) { return *static_cast<const Node*>(child); }

void* create_node(RTCThreadLocalAllocator allocator, unsigned, void*) {
  return new (rtcThreadLocalAlloc(allocator, sizeof(Node), alignof(Node))) Node();
}

void set_children(void* node, void** children, unsigned n, void*) {
  std::copy_n(children, n, static_cast<Node*>(node)->children.begin());
}

void set_bounds(void* node, const RTCBounds** bounds, unsigned n, void*) {
  EightBoxes& boxes = static_cast<Node*>(node)->boxes;
  for (std::size_t k = 0; k < n; ++k) {
    const RTCBounds& b = *bounds[k];
    boxes.lower[0][k] = b.lower_x, boxes.lower[1][k] = b.lower_y, boxes.lower[2][k] = b.lower_z;
    boxes.upper[0][k] = b.upper_x, boxes.upper[1][k] = b.upper_y, boxes.upper[2][k] = b.upper_z;
  }
}

void* create_leaf(RTCThreadLocalAllocator allocator, const RTCBuildPrimitive* primitives, std::size_t n,
                  void*) {
  auto* leaf = new (rtcThreadLocalAlloc(allocator, sizeof(Leaf), alignof(Leaf))) Leaf{n, {}};
  for (std::size_t k = 0; k < n; ++k) leaf->spheres[k] = primitives[k].primID;
  return as_leaf(leaf);
}

struct ReleaseBvh {
  void operator()(RTCBVH bvh) const { rtcReleaseBVH(bvh); }
};

/// Precondition: no component of the direction is 0.
SlabRay slab_ray(const Ray& ray, const Vec3& middle) {
  SlabRay out{{}, {}, static_cast<float>(ray.t_min), static_cast<float>(ray.t_max)};
  for (int axis = 0; axis < 3; ++axis) {
    const double inverse = 1 / ray.direction[axis];
    const auto k = static_cast<std::size_t>(axis);
    out.inverse[k] = static_cast<float>(inverse);
    out.start[k] = static_cast<float>((ray.origin[axis] - middle[axis]) * inverse);
  }
  return out;
}

struct StackEntry {
  const void* child;
  std::size_t depth;
  float enter;
};

/// Traverses the tree, ray by ray, and adds the visits to `visits`.
class Walk {
 public:
  Walk(Query query, std::span<const Sphere> spheres, Visits& visits)
      : query_(query), spheres_(spheres), visits_(visits) {}

  void run(const void* root, const Ray& ray, const Vec3& middle) {
    slabs_ = slab_ray(ray, middle);
    stack_ = {{root, 0, slabs_.t_min}};
    const CertifiedRay prepared(ray);
    while (!stack_.empty()) {
      const StackEntry next = stack_.back();
      stack_.pop_back();
      if (next.enter > slabs_.t_max) continue;
      if (!is_leaf(next.child)) {
        visit(node_of(next.child), next.depth);
      } else if (visit(leaf_of(next.child), prepared)) {
        return;
      }
    }
  }

 private:
  void visit(const Node& node, std::size_t depth) {
    if (visits_.nodes.size() <= depth) visits_.nodes.resize(depth + 1);
    ++visits_.nodes[depth];
    EightBoxes::Eight enters;
    node.boxes.enter(slabs_, enters);
    const std::size_t before = stack_.size();
    for (std::size_t k = 0; k < 8; ++k)
      if (enters[k] < EightBoxes::none) stack_.push_back({node.children[k], depth + 1, enters[k]});
    std::sort(stack_.begin() + static_cast<std::ptrdiff_t>(before), stack_.end(),
              [](const StackEntry& a, const StackEntry& b) { return a.enter > b.enter; });
  }

  /// True if the query is decided.
  bool visit(const Leaf& leaf, const CertifiedRay& ray) {
    ++visits_.leaves;
    for (std::size_t k = 0; k < leaf.size; ++k) {
      const CertifiedHit found = certified_hit(ray, spheres_[leaf.spheres[k]]);
      if (!found.is_hit) continue;
      if (query_ == Query::blocked) return true;
      if (query_ == Query::first_hit) slabs_.t_max = std::min(slabs_.t_max, static_cast<float>(found.enter));
    }
    return false;
  }

  Query query_;
  std::span<const Sphere> spheres_;
  Visits& visits_;
  SlabRay slabs_{};
  std::vector<StackEntry> stack_;
};

}  // namespace

struct VisitTree::Tree {
  std::span<const Sphere> spheres;
  Vec3 middle;
  index::DeviceHandle device{rtcNewDevice("hugepages=1")};
  std::unique_ptr<std::remove_pointer_t<RTCBVH>, ReleaseBvh> bvh;
  const void* root = nullptr;
  std::vector<double> nodes_at;  ///< number of nodes at each depth

  explicit Tree(std::span<const Sphere> all);
  HugeVector<RTCBuildPrimitive> primitives() const;
  void count_nodes(const void* child, std::size_t depth);
};

VisitTree::Tree::Tree(std::span<const Sphere> all) : spheres(all) {
  Vec3 lower{infinity, infinity, infinity}, upper = -lower;
  for (const auto& [c, r] : spheres) {
    lower = {std::min(lower.x, c.x), std::min(lower.y, c.y), std::min(lower.z, c.z)};
    upper = {std::max(upper.x, c.x), std::max(upper.y, c.y), std::max(upper.z, c.z)};
  }
  middle = 0.5 * (lower + upper);
  bvh.reset(rtcNewBVH(device.get()));
  HugeVector<RTCBuildPrimitive> boxes = primitives();
  RTCBuildArguments arguments = rtcDefaultBuildArguments();
  arguments.maxBranchingFactor = 8;
  arguments.sahBlockSize = leaf_size;
  arguments.maxLeafSize = leaf_size;
  arguments.bvh = bvh.get();
  arguments.primitives = boxes.data();
  arguments.primitiveCount = arguments.primitiveArrayCapacity = boxes.size();
  arguments.createNode = create_node;
  arguments.setNodeChildren = set_children;
  arguments.setNodeBounds = set_bounds;
  arguments.createLeaf = create_leaf;
  root = rtcBuildBVH(&arguments);
  if (!root) throw std::runtime_error("Embree failed to build the tree that visits are counted in");
  count_nodes(root, 0);
}

HugeVector<RTCBuildPrimitive> VisitTree::Tree::primitives() const {
  HugeVector<RTCBuildPrimitive> boxes(spheres.size());
  tbb::parallel_for(std::size_t{0}, spheres.size(), [&](std::size_t i) {
    const Vec3 c = spheres[i].center - middle;
    const double r = spheres[i].radius;
    RTCBuildPrimitive& box = boxes[i];
    box.lower_x = static_cast<float>(c.x - r), box.upper_x = static_cast<float>(c.x + r);
    box.lower_y = static_cast<float>(c.y - r), box.upper_y = static_cast<float>(c.y + r);
    box.lower_z = static_cast<float>(c.z - r), box.upper_z = static_cast<float>(c.z + r);
    box.geomID = 0, box.primID = static_cast<unsigned>(i);
  });
  return boxes;
}

void VisitTree::Tree::count_nodes(const void* child, std::size_t depth) {
  if (is_leaf(child)) return;
  if (nodes_at.size() <= depth) nodes_at.resize(depth + 1);
  ++nodes_at[depth];
  for (const void* next : node_of(child).children)
    if (next) count_nodes(next, depth + 1);
}

double Visits::all_nodes() const { return std::accumulate(nodes.begin(), nodes.end(), 0.0); }

VisitTree::VisitTree(std::span<const Sphere> spheres) : tree_(std::make_unique<Tree>(spheres)) {}
VisitTree::~VisitTree() = default;

Visits VisitTree::count(Query query, std::span<const Ray> sample) const {
  Visits visits;
  Walk walk(query, tree_->spheres, visits);
  for (const Ray& ray : sample) walk.run(tree_->root, ray, tree_->middle);
  const double n = static_cast<double>(sample.size());
  for (double& mean : visits.nodes) mean /= n;
  visits.leaves /= n;
  return visits;
}

double VisitTree::bytes(std::size_t depth) const {
  const auto end =
      tree_->nodes_at.begin() + static_cast<std::ptrdiff_t>(std::min(depth + 1, tree_->nodes_at.size()));
  return node_bytes * std::accumulate(tree_->nodes_at.begin(), end, 0.0);
}

double VisitTree::bytes() const {
  return bytes(tree_->nodes_at.size()) + sphere_bytes * static_cast<double>(tree_->spheres.size());
}

}  // namespace sphaera::bench
