#include "house.hpp"

#include <algorithm>
#include <cmath>

namespace level {
namespace {

constexpr float thickness = 0.3f;
constexpr float doorway = 2.2f;  // between the center lines of wall ends: the opening is doorway − thickness

/// A straight wall from `from` to `to` along one axis, at `at` on the other one; `doors` are the centers of
/// its doorways, ascending.
struct Wall {
  bool along_x;
  float at, from, to;
  std::vector<float> doors;
};

std::vector<Wall> plan() {
  return {{true, 0, 0, length, {}},
          {true, width, 0, length, {}},
          {false, 0, 0, width, {}},
          {false, length, 0, width, {}},
          {false, 14, 0, width, {4.5f, 15, 25}},
          {false, 34, 0, width, {5, 15, 26}},
          {true, 7.5f, 14, 34, {18, 30}},
          {true, 22.5f, 14, 34, {20, 31}},
          {true, 10, 0, 14, {6}},
          {true, 20, 0, 14, {9}},
          {true, 12, 34, length, {43}},
          {false, 25, 0, 7.5f, {3.5f}},
          {false, 24, 22.5f, width, {26}}};
}

struct Pillar {
  float x, y, radius;
};
constexpr Pillar pillars[] = {{18.5f, 11.2f, .45f}, {29.5f, 11.2f, .45f}, {18.5f, 18.8f, .45f},
                              {29.5f, 18.8f, .45f}, {39, 18, .4f},        {43.5f, 18, .4f},
                              {39, 24, .4f},        {43.5f, 24, .4f},     {7, 15, .5f}};

/// A piece of a wall, longer by half the thickness at both ends.
void add_piece(Mesh& mesh, const Wall& wall, float from, float to) {
  constexpr float half = thickness / 2;
  if (wall.along_x) {
    add_box(mesh, {from - half, wall.at - half, 0}, {to + half, wall.at + half, height});
  } else {
    add_box(mesh, {wall.at - half, from - half, 0}, {wall.at + half, to + half, height});
  }
}

/// True if a place is at least about `clearance` away from every wall, doorway, pillar and the statue.
bool is_free(double x, double y, double clearance) {
  for (const Wall& wall : plan()) {
    const double along = wall.along_x ? x : y, aside = wall.along_x ? y : x;
    if (std::abs(aside - double(wall.at)) < clearance + double(thickness) / 2 &&
        along > double(wall.from) - clearance && along < double(wall.to) + clearance)
      return false;  // doorways stay free, too
  }
  for (const Pillar& pillar : pillars)
    if (std::hypot(x - double(pillar.x), y - double(pillar.y)) < double(pillar.radius) + clearance)
      return false;
  return std::hypot(x - double(statue_foot[0]), y - double(statue_foot[1])) > 2 + clearance;
}

Mesh slab(float z) {
  Mesh mesh;
  mesh.vertices = {{0, 0, z}, {length, 0, z}, {length, width, z}, {0, width, z}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

}  // namespace

Mesh walls() {
  Mesh mesh;
  for (const Wall& wall : plan()) {
    float from = wall.from;
    for (const float door : wall.doors) {
      add_piece(mesh, wall, from, door - doorway / 2);
      from = door + doorway / 2;
    }
    add_piece(mesh, wall, from, wall.to);
  }
  for (const Pillar& pillar : pillars) add_pillar(mesh, pillar.x, pillar.y, pillar.radius, height);
  const auto [x, y, top] = statue_foot;
  add_box(mesh, {x - 1.5f, y - 1.3f, 0}, {x + 1.5f, y + 1.3f, top});
  return mesh;
}

Mesh floor_of_house() { return slab(0); }
Mesh ceiling_of_house() { return slab(height); }

std::vector<sphaera::Vec3> lamps() {
  return {{7, 5, 2.7},     {5, 13, 2.7},  {7, 25, 2.7},      {19.5, 4, 2.7}, {30, 4, 2.7},   {20, 15, 2.8},
          {28.5, 17, 2.8}, {19, 26, 2.7}, {29.5, 26.5, 2.7}, {41, 6, 2.7},   {41.2, 21, 2.7}};
}

std::vector<sphaera::Sphere> people(std::size_t number, std::uint64_t seed) {
  constexpr double apart = 0.75;
  Random random(seed);
  constexpr int max_failures = 10'000;  // in a row: the house is full
  std::vector<sphaera::Vec3> places;    // x, y, and the person's size as z
  for (int failures = 0; places.size() < number && failures < max_failures; ++failures) {
    const double x = random.between(0, double(length)), y = random.between(0, double(width));
    const bool crowded = std::ranges::any_of(
        places, [&](const sphaera::Vec3& other) { return std::hypot(x - other.x, y - other.y) < apart; });
    if (crowded || !is_free(x, y, 0.4)) continue;
    places.push_back({x, y, random.between(0.9, 1.1)});
    failures = 0;
  }
  std::vector<sphaera::Sphere> spheres;
  for (const auto& [x, y, size] : places) {
    constexpr double stack[spheres_per_person][2] = {
        {.23, .22}, {.58, .24}, {.95, .27}, {1.28, .22}, {1.6, .15}};
    for (const auto& [z, radius] : stack) spheres.push_back({{x, y, size * z}, size * radius});
  }
  return spheres;
}

}  // namespace level
