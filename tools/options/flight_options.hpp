#pragma once
/// \file How bullets fly: the options of `shoot`.

#include <CLI/CLI.hpp>
#include <optional>
#include <sphaera/scene.hpp>

namespace sphaera::tool {

struct FlightSettings {
  FlightOptions rules;             ///< without the scene's resistances
  std::optional<Horizon> horizon;  ///< none: that of the bullets
  std::optional<double> reach;     ///< of near misses; none: no near misses

  void declare(CLI::App& app);
};

}  // namespace sphaera::tool
