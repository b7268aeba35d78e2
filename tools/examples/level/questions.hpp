#pragma once
/// \file What is asked of the level, and the counts that answer it.

#include <cstdint>
#include <ostream>

#include "bullets.hpp"
#include "world.hpp"

namespace level {

/// First hits among walls and people: everybody looks in eight directions.
void print_looks(const World& world, std::ostream& out);

/// Light past both: which places on the floor do lamps reach, past walls and people?
void print_light(const World& world, std::ostream& out);

/// Bullets among walls and people: `number` bullets start below the lamps. Returns the legs of each.
std::vector<std::vector<Leg>> shoot_all(const World& world, std::size_t number, std::uint64_t seed);
void print_bullets(std::span<const std::vector<Leg>> bullets, std::ostream& out);

/// Answers random rays by Embree and by brute force. Returns the number of wrong answers.
std::size_t verify(const World& world, std::span<const std::vector<Leg>> bullets, std::size_t rays,
                   std::uint64_t seed, std::ostream& out);

}  // namespace level
