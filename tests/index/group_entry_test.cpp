/// \file Where a group of paths begins: each leaf block whose box touches the paths' bounds is reached from
/// there, once, and fewer are than from the root.

#include <index/tree/group_entry.hpp>
#include <tests/index/frame_plans.hpp>
#include <tests/inputs/random_numbers.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using index::BvhNode, index::BvhRef, index::LocalBox;
using test::Random;

/// Leaf blocks that are reached, with how often.
struct Reached {
  const index::Bvh& bvh;
  std::vector<int> times;

  /// Of the children of a node that touch `within`, and their children. Null: all.
  void add(const BvhNode& node, const LocalBox* within) {
    for (std::size_t lane = 0; lane < node.size(); ++lane) {
      if (within && !touch(node.box(lane), *within)) continue;
      const BvhRef child = node.children[lane];
      if (child.is_primitive())
        ++times[child.index()];
      else
        add(bvh.node(child), within);
    }
  }
};

std::vector<Sphere> spheres_of(Random& random, int n) {
  std::vector<Sphere> spheres;
  const double flat = random.one_in(2) ? 1 : random.log_uniform(1e-3, 1);
  for (int i = 0; i < n; ++i) {
    const Vec3 c = random.in_cube(1);
    spheres.push_back({{c.x, c.y, flat * c.z}, random.log_uniform(1e-4, random.one_in(8) ? 1 : 1e-2)});
  }
  return spheres;
}

/// Bounds of one path or several: short or long, axis-hugging, in one plane, or only near the scene.
index::PathBounds bounds_of(Random& random) {
  index::PathBounds bounds;
  const double around = random.log_uniform(1e-4, 2), length = random.log_uniform(1e-5, 2);
  const Vec3 place = random.in_cube(random.one_in(8) ? 3 : 1);
  const float margin = random.one_in(2) ? 0 : static_cast<float>(random.log_uniform(1e-6, 1));
  for (int paths = random.whole(1, 64); paths > 0; --paths) {
    const Vec3 o = place + around * random.in_cube(1), d = length * random.direction();
    const float origin[3] = {static_cast<float>(o.x), static_cast<float>(o.y), static_cast<float>(o.z)},
                direction[3] = {random.one_in(4) ? 0 : static_cast<float>(d.x), static_cast<float>(d.y),
                                random.one_in(4) ? 0 : static_cast<float>(d.z)};
    bounds.add(origin, direction, margin);
  }
  return bounds;
}

TEST_CASE("the node with which a group begins leads to all leaf blocks near its paths", "[index]") {
  Random random(test::seed(), 0);
  std::size_t from_entry = 0, from_root = 0;
  for (int scene = test::fewer_in_repeats(40); scene > 0; --scene) {
    const std::vector<Sphere> spheres = spheres_of(random, random.whole(200, 4000));
    const index::SceneIndex scene_index({{spheres}}, test::plan_of(spheres), {});
    const index::Bvh& bvh = scene_index.top().bvh();
    if (bvh.root().is_primitive()) continue;
    for (int group = 0; group < 50; ++group) {
      const index::PathBounds bounds = bounds_of(random);
      const LocalBox box = bounds.box();
      const index::GroupEntry<exact::Plain> entry(bvh, bounds);
      const std::size_t leaves = scene_index.top().leaves().size();
      Reached near{bvh, std::vector<int>(leaves)}, reached = near, all = near;
      near.add(bvh.node(bvh.root()), &box), reached.add(entry.node(), nullptr);
      all.add(bvh.node(bvh.root()), nullptr);
      for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        REQUIRE(reached.times[leaf] <= 1);
        REQUIRE(reached.times[leaf] >= near.times[leaf]);
        from_entry += static_cast<std::size_t>(reached.times[leaf]);
        from_root += static_cast<std::size_t>(all.times[leaf]);
      }
    }
  }
  CHECK(2 * from_entry < from_root);
}

}  // namespace
}  // namespace sphaera
