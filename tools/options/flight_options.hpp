#pragma once
/// \file Options of `shoot` for the flight of bullets.

#include <optional>
#include <sphaera/scene.hpp>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

struct FlightSettings {
  FlightOptions rules;                  ///< without the scene's resistances
  std::optional<Horizon> horizon;       ///< empty: derived from the bullets if spheres move, else no limit
  std::optional<double> max_near_miss;  ///< largest distance of near misses; empty: no near misses

  void declare(CLI::App& app);
};

}  // namespace sphaera::tool
