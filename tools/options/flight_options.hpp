#pragma once
/// \file Options of `shoot` for the flight of bullets.

#include <optional>
#include <sphaera/scene.hpp>
#include <string>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

/// Declares `--horizon A,B`.
void add_horizon(CLI::App& app, std::optional<Horizon>& horizon, const std::string& description);

struct FlightSettings {
  FlightOptions rules;                  ///< without the scene's resistances
  std::optional<Horizon> horizon;       ///< empty: derived from the bullets if spheres move, else no limit
  std::optional<double> max_near_miss;  ///< largest distance of near misses; empty: no near misses

  void declare(CLI::App& app);
};

}  // namespace sphaera::tool
