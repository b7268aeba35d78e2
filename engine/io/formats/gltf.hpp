#pragma once
/// \file glTF 2.0, as text (.gltf) or binary (.glb): the tree of nodes and the boxes of their meshes. Buffers
/// and images are not read.

#include <array>
#include <cstdint>
#include <io/streams/byte_reader.hpp>
#include <optional>
#include <sphaera/vec3.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

/// p ↦ x·p.x + y·p.y + z·p.z + origin.
struct GltfTransform {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin;

  Vec3 vector(const Vec3& v) const { return v.x * x + v.y * y + v.z * z; }
  Vec3 point(const Vec3& p) const { return vector(p) + origin; }
  /// First `inner`, then this.
  GltfTransform after(const GltfTransform& inner) const {
    return {vector(inner.x), vector(inner.y), vector(inner.z), point(inner.origin)};
  }
};

struct GltfBox {
  Vec3 lower, upper;
};

struct GltfNode {
  std::string name{};      ///< may be empty
  std::int64_t mesh = -1;  ///< −1: none
  bool has_skin = false;
  GltfTransform local{};  ///< relative to its parent
  std::vector<std::uint32_t> children{};
  std::uint64_t line = 1;
};

struct GltfMesh {
  std::string name{};          ///< may be empty
  std::optional<GltfBox> box;  ///< of the positions of its primitives; empty: it has none
};

struct Gltf {
  std::vector<GltfNode> nodes;
  std::vector<GltfMesh> meshes;
  /// The nodes without parent that the scene shows: those of the default scene, else of the first, else all.
  std::vector<std::uint32_t> roots;
  bool has_instances = false;  ///< EXT_mesh_gpu_instancing is used
};

/// Reads a document. Every index in it is valid, and the nodes form trees. Throws Error bad_file.
Gltf read_gltf(ByteSource& source);

}  // namespace sphaera::io
