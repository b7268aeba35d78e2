#include <bench/bridge/walls.hpp>
#include <cmath>
#include <tools/workload/crowd.hpp>

namespace sphaera::bench {
namespace {

void add_ground(Walls& walls, const workload::Crowd& crowd) {
  constexpr double post = 8;  // meters
  const auto posts = static_cast<std::uint32_t>(std::ceil(crowd.side() / post)) + 1;
  const auto first = static_cast<std::uint32_t>(walls.vertices.size());
  for (std::uint32_t row = 0; row < posts; ++row) {
    for (std::uint32_t column = 0; column < posts; ++column) {
      const double x = post * column - crowd.side() / 2, y = post * row - crowd.side() / 2;
      walls.vertices.push_back(
          {static_cast<float>(x), static_cast<float>(y), static_cast<float>(crowd.ground(x, y))});
    }
  }
  for (std::uint32_t row = 0; row + 1 < posts; ++row) {
    for (std::uint32_t column = 0; column + 1 < posts; ++column) {
      const std::uint32_t a = first + row * posts + column;
      walls.triangles.push_back({a, a + 1, a + posts + 1});
      walls.triangles.push_back({a, a + posts + 1, a + posts});
    }
  }
}

/// A box that stands on the ground, turned about the vertical.
void add_wall(Walls& walls, const workload::Crowd& crowd, workload::Random& random) {
  constexpr double half_length = 4, half_thickness = .15, height = 3, foundation = 1;  // meters
  const double x = crowd.side() * (random.unit() - .5), y = crowd.side() * (random.unit() - .5);
  const double ground = crowd.ground(x, y);
  const Vec3 along = random.heading(), aside{-along.y, along.x, 0};
  const auto first = static_cast<std::uint32_t>(walls.vertices.size());
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p = (corner & 1 ? half_length : -half_length) * along +
                   (corner & 2 ? half_thickness : -half_thickness) * aside;
    walls.vertices.push_back({static_cast<float>(x + p.x), static_cast<float>(y + p.y),
                              static_cast<float>(ground + (corner & 4 ? height : -foundation))});
  }
  constexpr std::uint32_t sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& [a, b, c, d] : sides) {
    walls.triangles.push_back({first + a, first + b, first + c});
    walls.triangles.push_back({first + a, first + c, first + d});
  }
}

}  // namespace

Walls make_walls(std::uint64_t people, std::uint64_t seed) {
  constexpr std::uint64_t people_per_wall = 20;
  const workload::Crowd crowd(people, seed);
  Walls walls;
  add_ground(walls, crowd);
  for (std::uint64_t i = 0; i < people / people_per_wall; ++i) {
    workload::Random random(seed, workload::Purpose::terrain, ~i);
    add_wall(walls, crowd, random);
  }
  return walls;
}

}  // namespace sphaera::bench
