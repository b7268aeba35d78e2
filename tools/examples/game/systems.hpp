#pragma once
/// \file What a game asks in a frame. Each system first puts its questions, then asks them, on any thread,
/// with a Scratch and memory of its own; then it checks the answers.

#include <cstdint>
#include <memory>
#include <sphaera/sphaera.hpp>
#include <vector>

#include "crowd.hpp"

namespace game {

/// Answers compared with those of brute force.
struct Checked {
  std::size_t right = 0, wrong = 0;
  std::size_t too_close = 0;  ///< for the doubles of a simple loop
  void count(bool is_right) { ++(is_right ? right : wrong); }
};

using Snapshot = std::shared_ptr<const sphaera::Scene>;

/// Players shoot at people where they saw them, some frames ago. A shot ends at the first wall.
struct Shots {
  struct Batch {  // of one lag
    Snapshot past;
    std::vector<sphaera::Ray> rays{};
    std::vector<std::int64_t> shooters{};
    std::vector<sphaera::Hit> hits{};
  };
  std::vector<Batch> batches;
  std::size_t asked = 0, hit = 0, killed = 0, stopped = 0;

  void put(Crowd& crowd, const Snapshot& now);
  void ask(sphaera::Scratch& scratch);
  void check(Checked& checked) const;
  void apply(Crowd& crowd);
};

/// Who sees whom?
struct Sight {
  std::vector<sphaera::Segment> lines;
  std::vector<std::int64_t> lookers, targets;
  std::vector<std::uint8_t> hidden;
  std::size_t asked = 0, seen = 0, behind_walls = 0;

  void put(Crowd& crowd, const Snapshot& now);
  void ask(const sphaera::Scene& scene, sphaera::QueryOptions options);
  void check(const sphaera::Scene& again, Checked& checked) const;
};

/// The three enemies that are nearest to a person.
struct Enemies {
  /// People have three spheres, so the seven nearest spheres are of at least three people.
  static constexpr std::size_t spheres = 7;
  std::vector<sphaera::Vec3> points;
  std::vector<std::int64_t> seekers;
  std::vector<sphaera::Neighbor> nearest;
  std::vector<std::uint32_t> owners;
  std::size_t asked = 0, surrounded = 0;

  void put(Crowd& crowd, const Snapshot& now);
  void ask(const sphaera::Scene& scene, sphaera::QueryOptions options);
  void check(const sphaera::Scene& again, Checked& checked) const;
};

/// The people about whom a player must be told.
struct Interest {
  std::vector<sphaera::Ball> balls;
  sphaera::NeighborLists lists;
  std::size_t asked = 0, told = 0;

  void put(Crowd& crowd, const Snapshot& now);
  void ask(const sphaera::Scene& scene, sphaera::QueryOptions options);
  void check(const sphaera::Scene& again, Checked& checked) const;
};

/// Grenades fall, bounce, and fly on in the next frame.
struct Grenades {
  std::vector<sphaera::Bullet> bullets;
  std::vector<std::int64_t> throwers;
  std::vector<std::size_t> frames_left;
  std::vector<sphaera::FlightEnd> ends;
  sphaera::ImpactLists impacts;
  std::size_t thrown = 0, bounces = 0, killed = 0;

  void put(Crowd& crowd, const Snapshot& now);
  void ask(const sphaera::Scene& scene, sphaera::QueryOptions options);
  void check(const sphaera::Scene& again, Checked& checked) const;
  void apply(Crowd& crowd);
};

/// People whom somebody remembers by id.
struct Marks {
  struct Mark {
    std::uint32_t person, generation;
    std::int64_t id;
  };
  std::vector<Mark> marks;
  std::size_t lost = 0, misleading = 0;

  void follow(Crowd& crowd, Checked& checked);
};

}  // namespace game
