#pragma once
/// \file Dates of several time scales, as text and as instants.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sphaera::io {

/// TDB is taken as TT, from which it differs by less than 2 ms.
enum class TimeScale : std::uint8_t { utc, tai, tt, tdb, gps };

/// An instant, in seconds of TT since 2000-01-01T12:00:00 TT: second + fraction, 0 ≤ fraction < 1.
struct Instant {
  std::int64_t second = 0;
  double fraction = 0;

  /// Seconds of a uniform scale (not UTC) since its 2000-01-01T12:00:00. Precondition: below 2^62.
  static Instant since_2000(double seconds, TimeScale scale);
};

/// Off by half an ulp of the result.
double seconds_between(const Instant& from, const Instant& to);
/// Empty for a time outside the years 1 to 9999.
std::optional<Instant> later(const Instant& from, double seconds);

/// The date that UTC's leap seconds are known until; later dates have as many as then.
inline constexpr std::string_view leap_seconds_known_until = "2027-06-28";
/// Is the instant at most that date, so that UTC is known then?
bool leap_seconds_are_known(const Instant& instant);
/// What to say once where dates are later.
std::string leap_seconds_note();

/// True for a text that can only be a date: 2024-… or JD….
bool looks_like_date(std::string_view text);

/// Reads "2024-04-08T18:10:36.5Z", "2024-04-08 18:10", "2024-099", "JD2460409.25": years 0001 to 9999 of the
/// Gregorian calendar, the time 00:00 if there is none, with a scale behind it: Z or UTC (from 1972), TAI,
/// TT, TDB, GPS. A text without one is in `scale`. Throws Error invalid_argument with the date as the
/// subject.
Instant parse_date(std::string_view text, std::optional<TimeScale> scale = {});
/// The scale of a name such as "UTC".
std::optional<TimeScale> time_scale(std::string_view name);

/// "2024-04-08T18:10:36.500Z", rounded to so many decimals, 3 to 9; before 1972 in TT:
/// "1969-07-20T20:18:23.184 TT". Precondition: in years 1 to 9999.
std::string date_text(const Instant& instant, int decimals = 3);

}  // namespace sphaera::io
