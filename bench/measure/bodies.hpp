#pragma once
/// \file People of several spheres each who walk on flat ground or on a planet.

#include <algorithm>
#include <bench/measure/walking_crowd.hpp>
#include <cstdint>
#include <span>
#include <sphaera/scene.hpp>
#include <tools/workload/random.hpp>
#include <vector>

namespace sphaera::bench {

/// One part of a person: its place relative to the person's center, in meters.
struct BodyPart {
  Vec3 offset;
  double radius;
};

/// A person of one sphere is that of the crowd; one of three has legs, a body and a head; one of more, a
/// column of small spheres.
inline std::vector<BodyPart> parts_of_person(int parts) {
  if (parts == 1) return {};
  if (parts == 3) return {{{0, 0, -0.6}, 0.3}, {{0, 0, 0}, 0.35}, {{0, 0, 0.6}, 0.15}};
  std::vector<BodyPart> column;
  workload::Random random(people_seed, workload::Purpose::sphere, 0);
  for (int i = 0; i < parts; ++i) {
    const double height = 1.6 * (i + 0.5) / parts - 0.8;
    column.push_back({random.in_ring(0, 0.25) + Vec3{0, 0, height}, random.between(0.08, 0.16)});
  }
  return column;
}

/// People who walk, as spheres. Those of each person have consecutive ids, and the person's number is their
/// owner; a planet comes last and has none.
class Bodies {
 public:
  static constexpr double planet_radius = 6.371e6;  // meters

  Bodies(std::uint64_t people, int parts, bool on_planet)
      : people_(people), parts_(parts_of_person(parts)), on_planet_(on_planet) {
    for (std::size_t i = 0; i < people; ++i) {
      const auto [center, radius] = people_.start()[i];
      if (parts_.empty()) start_.push_back({center, radius});
      for (const BodyPart& part : parts_) start_.push_back({center + part.offset, part.radius});
      owners_.insert(owners_.end(), size_of_person(), static_cast<std::uint32_t>(i));
    }
    // Below the lowest valley, over the whole square in which people stand.
    if (on_planet_) start_.push_back({{0, 0, -planet_radius - 5}, planet_radius});
    if (on_planet_) owners_.push_back(no_owner);
    for (const Sphere& sphere : start_) centers_.push_back(sphere.center);
  }

  std::span<const Sphere> start() const { return start_; }
  std::span<const std::uint32_t> owners() const { return owners_; }
  std::span<const Vec3> centers() const { return centers_; }  ///< of the spheres
  std::size_t people() const { return people_.start().size(); }
  std::size_t size_of_person() const { return std::max<std::size_t>(parts_.size(), 1); }
  const Vec3& center(std::size_t person) const { return people_.centers()[person]; }

  void walk() {
    people_.walk();
    for (std::size_t i = 0; i < people(); ++i) place(i);
  }
  std::size_t anyone() { return people_.anyone(); }
  /// A position beside the start of a random person.
  Vec3 elsewhere() { return people_.elsewhere(); }
  void put(std::size_t person, const Vec3& center) {
    people_.put(person, center);
    place(person);
  }
  void jump(std::size_t person) { put(person, elsewhere()); }
  /// Appends the ids of a person.
  void add_ids(std::size_t person, std::vector<std::int64_t>& ids) const {
    for (std::size_t k = 0; k < size_of_person(); ++k)
      ids.push_back(static_cast<std::int64_t>(person * size_of_person() + k));
  }
  /// Appends the spheres that a person has at `center`.
  void add_spheres(std::size_t person, const Vec3& center, std::vector<Sphere>& spheres,
                   std::vector<std::uint32_t>& owners) const {
    for (std::size_t k = 0; k < size_of_person(); ++k) {
      const Vec3 offset = parts_.empty() ? Vec3{} : parts_[k].offset;
      const std::size_t sphere = person * size_of_person() + k;
      spheres.push_back({center + offset, start_[sphere].radius}), owners.push_back(owners_[sphere]);
    }
  }

 private:
  void place(std::size_t person) {
    const Vec3& center = people_.centers()[person];
    Vec3* const to = &centers_[person * size_of_person()];
    if (parts_.empty()) *to = center;
    for (std::size_t k = 0; k < parts_.size(); ++k) to[k] = center + parts_[k].offset;
  }

  People people_;
  std::vector<BodyPart> parts_;
  bool on_planet_;
  std::vector<Sphere> start_;
  std::vector<std::uint32_t> owners_;
  std::vector<Vec3> centers_;
};

}  // namespace sphaera::bench
