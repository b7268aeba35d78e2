#pragma once
/// \file Times that options give, as seconds or as dates.

#include <cstdint>
#include <io/formats/dates.hpp>
#include <optional>
#include <sphaera/scene_file.hpp>
#include <string>
#include <tools/options/declare.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// A time that an option gives.
struct GivenTime {
  std::string option{};
  std::string text{};  ///< as given
  double seconds = 0;  ///< unless there is a date
  std::optional<io::Instant> date{};

  /// In the scene's time. Throws UsageError for a date where the scene has no "epoch".
  double in(const SceneFile& scene) const;
};

/// Declares an option that takes a finite number, or a date.
DeclaredOption add_time(CLI::App& app, const std::string& name, std::optional<GivenTime>& time,
                        const std::string& description);

/// Times FROM, FROM + STEP, … up to TO.
struct TimeSteps {
  double from, to, step;
  std::uint64_t count;

  /// Precondition: from ≤ to, step > 0. TO is one of them where it is a whole number of steps away, up to the
  /// rounding of the three numbers.
  TimeSteps(double from, double to, double step);
  double operator[](std::uint64_t i) const;

 private:
  bool ends_at_to_;
};

/// Times that `--times FROM:TO:STEP` gives.
struct GivenTimes {
  GivenTime from, to;
  double step = 0;

  bool have_dates() const { return from.date || to.date; }
  /// In the scene's time. Throws UsageError as GivenTime, for an end before the start, and for more than 2^32
  /// times.
  TimeSteps in(const SceneFile& scene) const;
};

/// Declares the option.
DeclaredOption add_times(CLI::App& app, const std::string& name, std::optional<GivenTimes>& times,
                         const std::string& description);

/// The scene's epoch. Throws UsageError where there is none: "OPTION needs a scene with …".
io::Instant epoch_of(const SceneFile& scene, const std::string& option);

/// The date of a time of a scene with this epoch; empty for NaN and where it is outside the years 1 to 9999.
std::string date_after(const io::Instant& epoch, double time);

/// For a run that converts dates up to this time: notes that their leap seconds are unknown, or those of the
/// epoch. Precondition: the scene has an epoch.
void note_late_dates(const Console& console, const SceneFile& scene, double latest);

/// What a date is, for help texts.
std::string dates_help();

}  // namespace sphaera::tool
