#include <algorithm>
#include <array>
#include <cmath>
#include <io/formats/gltf.hpp>
#include <io/scene/scene_formats.hpp>

namespace sphaera::io {
namespace {

/// The sphere around a box after a transform: it has the box's corners in it, the farthest on it.
Sphere around(const GltfBox& box, const GltfTransform& transform) {
  const Vec3 center = 0.5 * box.lower + 0.5 * box.upper, half = 0.5 * box.upper - 0.5 * box.lower;
  double radius = 0;
  for (const auto& [y, z] : std::array<std::array<double, 2>, 4>{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}}) {
    const Vec3 diagonal = transform.vector({half.x, y * half.y, z * half.z});
    radius = std::max(radius, std::hypot(diagonal.x, diagonal.y, diagonal.z));
  }
  return {transform.point(center), radius};
}

/// A node and the transform of its parent to the scene.
struct Visit {
  std::uint32_t node;
  GltfTransform parent;
};

}  // namespace

void read_gltf_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  const Gltf gltf = read_gltf(source);
  builder.unit("m", {source.name(), 1});
  const int layer = builder.layer(input.layer, {source.name(), 1});
  std::uint64_t skins = 0;
  std::vector<Visit> open;  // a stack
  for (const std::uint32_t root : gltf.roots) open.push_back({root, {}});
  std::ranges::reverse(open);
  while (!open.empty()) {
    const auto [number, parent] = open.back();
    open.pop_back();
    const GltfNode& node = gltf.nodes[number];
    const GltfTransform here = parent.after(node.local);
    const GltfMesh* const mesh = node.mesh < 0 ? nullptr : &gltf.meshes[static_cast<std::size_t>(node.mesh)];
    if (mesh && mesh->box) {
      builder.sphere(around(*mesh->box, here), layer, {source.name(), node.line});
      builder.name(node.name.empty() ? mesh->name : node.name);
      skins += node.has_skin;
    }
    for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
      open.push_back({*child, here});
  }
  if (gltf.has_instances)
    builder.warn(source.name() + ": instances (EXT_mesh_gpu_instancing) are left out; a node is one sphere");
  if (skins > 0)
    builder.warn(source.name() + ": " + std::to_string(skins) +
                 " nodes have a skin: their spheres are around the mesh before it is posed");
}

}  // namespace sphaera::io
