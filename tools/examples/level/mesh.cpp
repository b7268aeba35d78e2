#include "mesh.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace level {
namespace {

/// The number before the first slash of "7/1/3", as an index from 0.
std::uint32_t vertex_named(const std::string& corner, std::size_t vertices, const std::string& place) {
  std::size_t used = 0;
  long number = 0;
  try {
    number = std::stol(corner, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (number < 0) number += static_cast<long>(vertices) + 1;  // counts from the last vertex backwards
  const bool good = used > 0 && number >= 1 && static_cast<std::size_t>(number) <= vertices;
  if (!good) throw std::runtime_error(place + ": '" + corner + "' is no vertex");
  return static_cast<std::uint32_t>(number - 1);
}

void add_polygon(Mesh& mesh, std::istringstream& words, const std::string& place) {
  std::vector<std::uint32_t> corners;
  for (std::string corner; words >> corner;)
    corners.push_back(vertex_named(corner, mesh.vertices.size(), place));
  for (std::size_t k = 2; k < corners.size(); ++k)
    mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
}

}  // namespace

void add_box(Mesh& mesh, std::array<float, 3> low, std::array<float, 3> high) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::uint32_t corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(
        {corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2]});
  constexpr std::array<std::array<std::uint32_t, 4>, 6> sides{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& [a, b, c, d] : sides) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
  }
}

void add_pillar(Mesh& mesh, float x, float y, float radius, float height) {
  constexpr std::array<std::array<float, 2>, 8> corners{{{1, 0},
                                                         {.7071f, .7071f},
                                                         {0, 1},
                                                         {-.7071f, .7071f},
                                                         {-1, 0},
                                                         {-.7071f, -.7071f},
                                                         {0, -1},
                                                         {.7071f, -.7071f}}};
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const float z : {0.0f, height})
    for (const auto& [u, v] : corners) mesh.vertices.push_back({x + radius * u, y + radius * v, z});
  for (std::uint32_t k = 0; k < 8; ++k) {
    const std::uint32_t a = first + k, b = first + (k + 1) % 8;
    mesh.triangles.push_back({a, b, b + 8});
    mesh.triangles.push_back({a, b + 8, a + 8});
    if (k >= 2) mesh.triangles.push_back({first + 8, a + 7, a + 8});
  }
}

void add_statue(Mesh& mesh, const Mesh& part, std::array<float, 3> foot, float height) {
  if (part.vertices.empty()) return;
  std::array<float, 3> low = part.vertices[0], high = low;
  for (const auto& vertex : part.vertices) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], vertex[axis]);
      high[axis] = std::max(high[axis], vertex[axis]);
    }
  }
  const float scale = height / (high[1] - low[1]);
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const auto& [x, y, z] : part.vertices)
    mesh.vertices.push_back({foot[0] + scale * (x - (low[0] + high[0]) / 2),
                             foot[1] - scale * (z - (low[2] + high[2]) / 2), foot[2] + scale * (y - low[1])});
  for (const auto& [a, b, c] : part.triangles) mesh.triangles.push_back({first + a, first + b, first + c});
}

Mesh read_obj(const std::filesystem::path& file) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error("cannot read " + file.string());
  Mesh mesh;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = file.string() + ":" + std::to_string(++number);
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      std::array<float, 3> vertex{};
      if (!(words >> vertex[0] >> vertex[1] >> vertex[2]))
        throw std::runtime_error(place + ": not three numbers");
      mesh.vertices.push_back(vertex);
    } else if (kind == "f") {
      add_polygon(mesh, words, place);
    }
  }
  if (mesh.triangles.empty()) throw std::runtime_error(file.string() + ": no polygon");
  return mesh;
}

}  // namespace level
