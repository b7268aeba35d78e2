#include "walls.hpp"

#include <cmath>

#include "crowd.hpp"

namespace game {
namespace {

// Two walls cross in the middle of each of nine blocks; in meters.
constexpr double block = 75, half_length = 9, height = 3;

/// Is a place of a wall's plane on the wall, whose middle this is?
bool is_on_wall(double place, double middle, double z) {
  return std::abs(place - middle) <= half_length && z <= planet.radius + height;
}

}  // namespace

double until_wall(const sphaera::Vec3& origin, const sphaera::Vec3& direction, double t_max) {
  double first = t_max;
  for (double x = -block; x <= block; x += block) {
    for (double y = -block; y <= block; y += block) {
      const double along_x = (y - origin.y) / direction.y, along_y = (x - origin.x) / direction.x;
      const auto at = [&](double t) { return origin + t * direction; };
      if (along_x >= 0 && along_x < first && is_on_wall(at(along_x).x, x, at(along_x).z)) first = along_x;
      if (along_y >= 0 && along_y < first && is_on_wall(at(along_y).y, y, at(along_y).z)) first = along_y;
    }
  }
  return first;
}

}  // namespace game
