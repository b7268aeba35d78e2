#pragma once
/// \file Times that options give, as seconds or as dates.

#include <io/formats/dates.hpp>
#include <optional>
#include <sphaera/scene_file.hpp>
#include <string>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

/// A time that an option gives.
struct GivenTime {
  std::string option{};
  double seconds = 0;  ///< unless there is a date
  std::optional<io::Instant> date{};

  /// In the scene's time. Throws UsageError for a date where the scene has no "epoch".
  double in(const SceneFile& scene) const;
};

/// Declares an option that takes a finite number, or a date.
DeclaredOption add_time(CLI::App& app, const std::string& name, std::optional<GivenTime>& time,
                        const std::string& description);

/// The scene's epoch. Throws UsageError where there is none: "OPTION needs a scene with …".
io::Instant epoch_of(const SceneFile& scene, const std::string& option);

/// What a date is, for help texts.
std::string dates_help();

}  // namespace sphaera::tool
