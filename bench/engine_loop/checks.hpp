#pragma once
/// \file Answers beside those of new exact scenes.

#include <array>
#include <bench/engine_loop/wall_level.hpp>
#include <bench/engine_loop/world.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace sphaera::bench {

/// How many answers were checked, and how many of them differ from those of a new scene, for each system.
struct CheckedAnswers {
  std::array<std::uint64_t, system_count> wrong{}, checked{};

  void add(System system, bool is_wrong) {
    wrong[index_of(system)] += is_wrong;
    ++checked[index_of(system)];
  }
};

/// Remembers where the people were in the last frames, and checks answers about them.
class Checks {
 public:
  explicit Checks(const Game& game);

  /// After Game::ask.
  void remember();
  /// Checks all answers of the frame that `world` gives.
  void check(const World& world, const Answers& answers, CheckedAnswers& result) const;

 private:
  Scene scene_of(std::size_t lag) const;
  void check_shots(const Scene& scene, std::span<const std::size_t> which, const Answers& answers,
                   CheckedAnswers& result) const;
  void check_sights(const Scene& scene, const Answers& answers, CheckedAnswers& result) const;
  void check_grenades(const Scene& scene, const Answers& answers, CheckedAnswers& result) const;
  void check_nearest(const Scene& scene, const Answers& answers, CheckedAnswers& result) const;
  void check_interest(const Scene& scene, const Answers& answers, CheckedAnswers& result) const;
  void check_walls(const Scene& scene, const Answers& answers, CheckedAnswers& result) const;

  const Game& game_;
  std::array<std::vector<Vec3>, Rules::lags> centers_;  // of frame f: centers_[f % lags]
  WallLevel walls_;                                     // without people
};

}  // namespace sphaera::bench
