#include "questions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "brute_force.hpp"
#include "house.hpp"

namespace level {
namespace {

using namespace sphaera;

constexpr double diagonal = .70710678118654752;
constexpr std::array<Vec3, 8> headings{{{1, 0, 0},
                                        {diagonal, diagonal, 0},
                                        {0, 1, 0},
                                        {-diagonal, diagonal, 0},
                                        {-1, 0, 0},
                                        {-diagonal, -diagonal, 0},
                                        {0, -1, 0},
                                        {diagonal, -diagonal, 0}}};

/// A centimeter above the floor, so that the floor does not block the ray from a lamp.
Vec3 position(int column, int row) { return {.25 + .5 * column, .25 + .5 * row, .01}; }
constexpr int columns = int(2 * length), rows = int(2 * width);

Ray way(const Vec3& from, const Vec3& to) { return {from, to - from, 0, 1}; }

/// How many lamps reach the position.
std::size_t lamps_at(const World& world, const Vec3& point, View view) {
  const std::vector<Vec3> all = lamps();
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [&](const Vec3& lamp) { return !world.blocked(way(lamp, point), view); }));
}

/// A horizontal direction, or nearly.
Vec3 shot_direction(Random& random) {
  for (;;) {
    const Vec3 d{random.between(-1, 1), random.between(-1, 1), 0};
    const double square = dot(d, d);
    if (square > 1 || square < .01) continue;
    const Vec3 sloped = 1 / std::sqrt(square) * d + Vec3{0, 0, random.between(-.02, .02)};
    return 1 / std::sqrt(dot(sloped, sloped)) * sloped;
  }
}

/// Random rays of three kinds in turn: from the middle of a bullet's leg along it, towards the top edge of a
/// sphere, and nearly horizontal from anywhere.
class Sample {
 public:
  Sample(const World& world, std::span<const std::vector<Leg>> bullets, std::uint64_t seed)
      : spheres_(world.people().spheres()), bullets_(bullets), random_(seed) {}

  Ray ray(std::size_t k) {
    const Vec3 anywhere{random_.between(.5, length - .5), random_.between(.5, width - .5),
                        random_.between(.1, 2.9)};
    if (k % 3 == 0 && !bullets_.empty()) {
      const std::vector<Leg>& legs = bullets_[random_.below(bullets_.size())];
      const Leg& leg = legs[random_.below(legs.size())];
      const Vec3 along = leg.to - leg.from;
      if (dot(along, along) > 0) return {leg.from + .5 * along, 1 / std::sqrt(dot(along, along)) * along};
    }
    if (k % 3 == 1 && !spheres_.empty()) {  // towards the edge of a person
      const auto& [center, radius] = spheres_[random_.below(spheres_.size())];
      const Vec3 aim = center + Vec3{0, 0, random_.between(.99, 1.01) * radius} - anywhere;
      return {anywhere, 1 / std::sqrt(dot(aim, aim)) * aim};
    }
    return {anywhere, shot_direction(random_)};
  }

 private:
  std::span<const Sphere> spheres_;
  std::span<const std::vector<Leg>> bullets_;
  Random random_;
};

}  // namespace

void print_looks(const World& world, std::ostream& out) {
  const std::span<const Sphere> spheres = world.people().spheres();
  std::map<Part, std::size_t> ends;
  std::size_t looks = 0;
  for (std::size_t head = spheres_per_person - 1; head < spheres.size(); head += spheres_per_person) {
    for (const Vec3& heading : headings) {
      ++looks,
          ++ends[world.first({spheres[head].center, heading}, View::whole, static_cast<std::int64_t>(head))
                     .part];
    }
  }
  out << "nearest of both: of " << looks << " looks " << ends[Part::people] << " end on people, "
      << ends[Part::statue] << " on the statue, " << ends[Part::walls] << " on walls\n";
}

void print_light(const World& world, std::ostream& out) {
  std::size_t places = 0, lit = 0, shaded = 0, ways = 0, open = 0, open_without_people = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const std::size_t with = lamps_at(world, position(column, row), View::open);
      const std::size_t without = lamps_at(world, position(column, row), View::unpeopled);
      ++places, lit += with > 0, shaded += with == 0 && without > 0;
      ways += lamps().size(), open += with, open_without_people += without;
    }
  }
  out << "light past both: of " << ways << " ways from lamps to the floor walls bar "
      << ways - open_without_people << ", people " << open_without_people - open << " more; of " << places
      << " places " << lit << " are lit, " << shaded << " dark because of people alone\n";
}

std::vector<std::vector<Leg>> shoot_all(const World& world, std::size_t number, std::uint64_t seed) {
  constexpr int bounces = 6;
  const std::vector<Vec3> places = lamps();
  Random random(seed);
  std::vector<std::vector<Leg>> bullets(number);
  for (std::vector<Leg>& legs : bullets) {
    Vec3 from;
    do {
      const Vec3 lamp = places[random.below(places.size())];
      from = {lamp.x + random.between(-1, 1), lamp.y + random.between(-1, 1), 1.3};
    } while (world.people().nearest(from).distance < .3);
    legs = shoot(world, from, shot_direction(random), bounces);
  }
  return bullets;
}

void print_bullets(std::span<const std::vector<Leg>> bullets, std::ostream& out) {
  std::map<Part, std::size_t> ends;
  double way = 0;
  for (const std::vector<Leg>& legs : bullets) {
    for (const Leg& leg : legs) {
      ++ends[leg.end];
      const Vec3 along = leg.to - leg.from;
      way += std::sqrt(dot(along, along));
    }
  }
  out << "bullets: " << bullets.size() << " fly " << std::lround(way) << " m and ricochet off people "
      << ends[Part::people] << " times, off walls " << ends[Part::walls] << ", off the statue "
      << ends[Part::statue] << ", off floor and ceiling " << ends[Part::floor] + ends[Part::ceiling] << "; "
      << ends[Part::nothing] << " leave the house\n";
}

std::size_t verify(const World& world, std::span<const std::vector<Leg>> bullets, std::size_t rays,
                   std::uint64_t seed, std::ostream& out) {
  Sample sample(world, bullets, seed);
  std::map<Verdict, std::size_t> first, blocked;
  for (std::size_t k = 0; k < rays; ++k) {
    Ray ray = sample.ray(k);
    ++first[judge_first(world, ray, world.first(ray))];
    ray.t_max = 5;
    ++blocked[judge_blocked(world, ray, world.blocked(ray))];
  }
  const std::size_t wrong = first[Verdict::wrong] + blocked[Verdict::wrong];
  out << "brute force: " << rays << " rays, nearest and any, against every triangle and sphere: " << wrong
      << " wrong, " << first[Verdict::close] << " too close for floats\n";
  return wrong;
}

}  // namespace level
