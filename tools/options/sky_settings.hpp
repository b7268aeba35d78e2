#pragma once
/// \file Options about the sky of a point, of `sky` and `map`.

#include <sphaera/sky.hpp>
#include <string>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

struct SkySettings {
  SkyOptions options;
  Vec3 up;  ///< normal of the points that have none; 0: they see the whole sky

  /// `--up`, whose help text is `up_help`, `--within`, `--discs` and `--rays`.
  void declare(CLI::App& app, const std::string& up_help);
};

}  // namespace sphaera::tool
