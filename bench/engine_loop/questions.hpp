#pragma once
/// \file What the game asks in a frame, and what it is told.

#include <bench/bridge/method.hpp>
#include <bench/engine_loop/rules.hpp>
#include <bench/engine_loop/systems.hpp>
#include <cstdint>
#include <span>
#include <sphaera/scene.hpp>
#include <vector>

namespace sphaera::bench {

/// The person that a shot hits first. It ignores the shooter, and people on layers outside its own.
struct Shots {
  std::vector<Ray> rays;
  std::vector<std::int64_t> shooters;
  std::vector<LayerMask> layers;
  /// Ascending. A world that remembers tests a shot against the crowd of so many frames ago, which the
  /// shooter saw; other worlds test it against the crowd as it is.
  std::vector<std::size_t> lags;
};

/// Is the line between two heads blocked by anyone but these two?
struct Sights {
  std::vector<Segment> lines;
  std::vector<std::int64_t> lookers, targets;
};

/// The flight of a grenade in this frame. It never hits its thrower.
struct Grenades {
  std::vector<Bullet> bullets;
  std::vector<std::int64_t> throwers;
};

/// The spheres of others nearest to a person, and whose they are.
struct Nearest {
  std::vector<Vec3> points;
  std::vector<std::int64_t> askers;
};

/// The people within a ball about a person, the nearest first.
struct Interest {
  std::vector<Ball> balls;
  std::vector<std::int64_t> askers;
};

/// What a shot hits first, a wall or a person other than the shooter.
struct WallShots {
  std::vector<Ray> rays;
  std::vector<std::int64_t> shooters;
};

struct Questions {
  Shots shots;
  Sights sights;
  Grenades grenades;
  Nearest nearest;
  Interest interest;
  WallShots walls;

  std::size_t size(System system) const {
    switch (system) {
      case System::shots:
        return shots.rays.size();
      case System::sights:
        return sights.lines.size();
      case System::grenades:
        return grenades.bullets.size();
      case System::nearest:
        return nearest.points.size();
      case System::interest:
        return interest.balls.size();
      case System::walls:
        return walls.rays.size();
      default:
        return 0;
    }
  }
};

struct Answers {
  explicit Answers(const Rules& rules)
      : shots(rules.shots),
        blocked(rules.sights),
        ends(rules.grenades),
        struck(rules.grenades),
        neighbors(rules.nearest * Rules::neighbors),
        owners(neighbors.size()),
        people_near(rules.interest),
        names(rules.interest * Rules::interest_names),
        walls(rules.walls) {}

  std::vector<std::int64_t> shots;  ///< ids, −1: none
  std::vector<std::uint8_t> blocked;
  std::vector<FlightEnd> ends;        ///< of grenades
  std::vector<std::int64_t> struck;   ///< the first sphere that each grenade hits, −1: none
  std::vector<Neighbor> neighbors;    ///< Rules::neighbors for each asker
  std::vector<std::uint32_t> owners;  ///< of `neighbors`
  std::vector<std::size_t> people_near;
  std::vector<std::uint32_t> names;  ///< Rules::interest_names for each asker; others stay as they are
  std::vector<FirstOfBoth> walls;
};

/// Consecutive questions, which one job answers.
struct Range {
  std::size_t begin, size;

  /// The items of these questions, `each` for one of them.
  template <class Item>
  std::span<Item> of(std::vector<Item>& items, std::size_t each = 1) const {
    return std::span(items).subspan(begin * each, size * each);
  }
  template <class Item>
  std::span<const Item> of(const std::vector<Item>& items) const {
    return std::span(items).subspan(begin, size);
  }
};

}  // namespace sphaera::bench
