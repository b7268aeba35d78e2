#pragma once
/// \file Triangles of the walls, in floats as Embree takes them. Meters.

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace level {

struct Mesh {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
};

/// A box between two corners.
void add_box(Mesh& mesh, std::array<float, 3> low, std::array<float, 3> high);

/// A pillar of eight sides about the point (x, y), from the floor to `height`.
void add_pillar(Mesh& mesh, float x, float y, float radius, float height);

/// Appends `part`, scaled to `height` and turned so that its y axis points up. The center of its base (the
/// bottom of its bounding box) is at `foot`.
void add_statue(Mesh& mesh, const Mesh& part, std::array<float, 3> foot, float height);

/// Reads vertices and polygons of a Wavefront .obj file; polygons become fans of triangles. Throws
/// std::runtime_error for a file that cannot be read or whose polygons name no vertex.
Mesh read_obj(const std::filesystem::path& file);

}  // namespace level
