#include "crowd.hpp"

#include <cmath>

namespace game {
namespace {

using namespace sphaera;

constexpr double town = 150;           // half of its length, meters
constexpr std::size_t teleports = 10;  // in each frame

struct {
  double height, radius;
} constexpr shape[parts] = {{1.65, .12}, {1.1, .3}, {.42, .4}};

Vec3 center(const Person& person, std::size_t part) {
  const Vec3 up{person.x, person.y, planet.radius};
  return (planet.radius + shape[part].height) / std::sqrt(dot(up, up)) * up;
}

}  // namespace

Crowd::Crowd(std::size_t size) : buffer_(first_scene(size), {.keep = most_lag}) {}

Scene Crowd::first_scene(std::size_t size) {
  // Velocities: a grenade meets people where they are at its own time. Each update begins a new time 0, and
  // questions see one frame of it. Generations: an id that was used again is told from the old one.
  const Vec3 at_rest{};
  Scene scene = Scene::build({planet}, {.layers = {&ground_layer, 1},
                                        .velocities = {&at_rest, 1},
                                        .horizon = {0, frame_time},
                                        .generations = true});
  centers_ = {planet.center}, velocities_ = {at_rest};
  add(scene, size);
  return scene;
}

UpdateResult Crowd::next_frame() {
  for (Person& person : people_) {
    person.x += person.vx * frame_time, person.y += person.vy * frame_time;
    if (std::abs(person.x) > town) person.vx = std::copysign(person.vx, -person.x);
    if (std::abs(person.y) > town) person.vy = std::copysign(person.vy, -person.y);
  }
  // A teleport is a place far away: the update itself finds the people who have jumped.
  for (std::size_t i = 0; i < teleports; ++i) {
    Person& person = people_[anyone()];
    person.x = random(-town, town), person.y = random(-town, town);
  }
  for (const Person& person : people_) {
    for (std::size_t part = 0; person.alive && part < parts; ++part) {
      centers_[person.ids[part]] = center(person, part);
      velocities_[person.ids[part]] = {person.vx, person.vy, 0};
    }
  }
  // Deaths and births belong to the same step: readers see each frame as a whole.
  return buffer_.update(centers_, velocities_, {}, [this](Scene& scene) {
    scene.erase(dead_ids_);
    add(scene, dead_ids_.size() / parts);
    dead_ids_.clear();
  });
}

void Crowd::add(Scene& scene, std::size_t count) {
  std::vector<Sphere> spheres;
  std::vector<std::uint32_t> owners;
  std::vector<Vec3> velocities;
  const std::size_t first = people_.size();
  for (std::size_t number = first; number < first + count; ++number) {
    const double x = random(-town, town), y = random(-town, town), vx = random(-2, 2), vy = random(-2, 2);
    people_.push_back({x, y, vx, vy});
    for (std::size_t part = 0; part < parts; ++part) {
      spheres.push_back({center(people_.back(), part), shape[part].radius});
      owners.push_back(static_cast<std::uint32_t>(number));
      velocities.push_back({vx, vy, 0});
    }
  }
  const std::vector<std::uint8_t> layers(spheres.size(), people_layer);
  // The ids of the dead are used again, the lowest first.
  const std::vector<std::int64_t> ids =
      scene.insert(spheres, {.layers = layers, .owners = owners, .velocities = velocities});
  for (std::size_t i = 0; i < ids.size(); ++i) people_[first + i / parts].ids[i % parts] = ids[i];
  // An update has a row for each id, also for ids that stand for no sphere at the moment.
  centers_.resize(scene.spheres().size()), velocities_.resize(scene.spheres().size());
}

bool Crowd::kill(std::uint32_t number) {
  if (number == no_owner || !people_[number].alive) return false;
  people_[number].alive = false;
  dead_ids_.insert(dead_ids_.end(), people_[number].ids.begin(), people_[number].ids.end());
  return true;
}

std::uint32_t Crowd::anyone() {
  for (;;) {
    const std::size_t number = bits_() % people_.size();
    if (people_[number].alive) return static_cast<std::uint32_t>(number);
  }
}

double Crowd::random(double low, double high) {
  return low + (high - low) * 0x1p-53 * static_cast<double>(bits_() >> 11);
}

}  // namespace game
