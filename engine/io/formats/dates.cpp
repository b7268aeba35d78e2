#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <io/formats/dates.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <sphaera/error.hpp>

namespace sphaera::io {
namespace {

using std::chrono::day, std::chrono::month, std::chrono::year, std::chrono::year_month_day,
    std::chrono::sys_days;

constexpr std::int64_t day_seconds = 86400;
constexpr sys_days first_day = year(2000) / 1 / 1;

constexpr std::int64_t days_to(sys_days date) { return (date - first_day).count(); }

/// The first day of UTC on which it is so many seconds behind TAI. From leap-seconds.list of Debian's tzdata
/// 2026f, after IERS Bulletin C, which also tells leap_seconds_known_until.
struct Leap {
  std::int64_t day;  ///< days since 2000-01-01
  int behind;
};
constexpr Leap leap(int y, unsigned m, int behind) { return {days_to(year(y) / month(m) / 1), behind}; }
constexpr std::array leaps{leap(1972, 1, 10), leap(1972, 7, 11), leap(1973, 1, 12), leap(1974, 1, 13),
                           leap(1975, 1, 14), leap(1976, 1, 15), leap(1977, 1, 16), leap(1978, 1, 17),
                           leap(1979, 1, 18), leap(1980, 1, 19), leap(1981, 7, 20), leap(1982, 7, 21),
                           leap(1983, 7, 22), leap(1985, 7, 23), leap(1988, 1, 24), leap(1990, 1, 25),
                           leap(1991, 1, 26), leap(1992, 7, 27), leap(1993, 7, 28), leap(1994, 7, 29),
                           leap(1996, 1, 30), leap(1997, 7, 31), leap(1999, 1, 32), leap(2006, 1, 33),
                           leap(2009, 1, 34), leap(2012, 7, 35), leap(2015, 7, 36), leap(2017, 1, 37)};

/// Null before 1972.
const Leap* leap_of(std::int64_t day) {
  const auto after = std::ranges::upper_bound(leaps, day, {}, &Leap::day);
  return after == leaps.begin() ? nullptr : &*std::prev(after);
}

/// True for a day of UTC that has a second 23:59:60.
bool has_leap_second(std::int64_t day) {
  return day + 1 != leaps.front().day && std::ranges::find(leaps, day + 1, &Leap::day) != leaps.end();
}

/// TT minus the scale, in thousandths of a second; UTC: at 10 s behind TAI less.
constexpr std::int64_t milliseconds_behind_tt(TimeScale scale) {
  switch (scale) {
    case TimeScale::tt:
    case TimeScale::tdb:
      return 0;
    case TimeScale::gps:
      return 51184;
    case TimeScale::utc:
    case TimeScale::tai:
      break;
  }
  return 32184;
}

struct ScaleName {
  std::string_view name;
  TimeScale scale;
};
constexpr std::array<ScaleName, 6> scale_names{{{"Z", TimeScale::utc},
                                                {"UTC", TimeScale::utc},
                                                {"TAI", TimeScale::tai},
                                                {"TT", TimeScale::tt},
                                                {"TDB", TimeScale::tdb},
                                                {"GPS", TimeScale::gps}}};

/// A date and a time of day.
struct Moment {
  std::int64_t day = 0;  ///< days since 2000-01-01
  std::int64_t second = 0;
  double fraction = 0;
};

/// `second` + `fraction`, the fraction of any size.
Instant carried(std::int64_t second, double fraction) {
  const double whole = std::floor(fraction);
  const double rest = fraction - whole;
  second += static_cast<std::int64_t>(whole);
  return rest < 1 ? Instant{second, rest} : Instant{second + 1, 0};
}

Instant instant_of(const Moment& moment, TimeScale scale) {
  std::int64_t behind = milliseconds_behind_tt(scale);
  if (scale == TimeScale::utc) behind += std::int64_t{1000} * leap_of(moment.day)->behind;
  const std::int64_t second = moment.day * day_seconds - day_seconds / 2 + moment.second + behind / 1000;
  return carried(second, moment.fraction + static_cast<double>(behind % 1000) / 1000);
}

class DateReader {
 public:
  explicit DateReader(std::string_view text) : text_(text), rest_(trimmed(text)) {}

  Instant read(std::optional<TimeScale> scale) {
    const bool julian = took("JD");
    if (julian) {
      julian_ = digits("Julian day", 1, 7);
      fraction_ = decimals();
    } else {
      calendar_date();
      if (took("T") || (rest_.size() > 1 && rest_[0] == ' ' && is_digit(rest_[1]) && took(" ")))
        time_of_day();
    }
    const TimeScale own = scale_behind(scale);
    if (julian) julian_date(own);
    check(own);
    return instant_of(moment_, own);
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::invalid_argument, "date " + shown(text_), why);
  }

  bool took(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::int64_t digits(const std::string& what, std::size_t least, std::size_t most) {
    std::size_t n = 0;
    while (n < rest_.size() && is_digit(rest_[n])) ++n;
    if (n < least || n > most) {
      refuse("the " + what + " is missing or has not " + std::to_string(most) +
             " digits; write it as 2024-04-08T18:10:36Z or JD2460409.25 TT");
    }
    std::int64_t value = 0;
    std::from_chars(rest_.data(), rest_.data() + n, value);
    rest_.remove_prefix(n);
    return value;
  }

  std::int64_t two(const std::string& what, std::int64_t least, std::int64_t most) {
    const std::int64_t value = digits(what, 2, 2);
    if (value < least || value > most) {
      refuse("there is no " + what + ' ' + std::to_string(value) + "; give " + std::to_string(least) +
             " to " + std::to_string(most));
    }
    return value;
  }

  /// A point and digits, if they follow.
  double decimals() {
    if (!rest_.starts_with('.')) return 0;
    std::size_t n = 1;
    while (n < rest_.size() && is_digit(rest_[n])) ++n;
    double value = 0;
    const std::string number = '0' + std::string(rest_.substr(0, n));
    if (parse_number(number, value) != Parse::ok) value = 0;  // too small for a double
    rest_.remove_prefix(n);
    return value < 1 ? value : std::nextafter(1, 0);
  }

  void calendar_date() {
    const auto y = static_cast<int>(digits("year", 4, 4));
    if (y == 0) refuse("there is no year 0; give 0001 to 9999");
    if (!took("-")) refuse("behind the year there is no '-'; write it as 2024-04-08T18:10:36Z");
    if (rest_.size() >= 3 && std::all_of(rest_.begin(), rest_.begin() + 3, is_digit)) {
      const std::int64_t number = digits("day of the year", 3, 3), length = year(y).is_leap() ? 366 : 365;
      if (number < 1 || number > length)
        refuse("there is no such day of the year; it has " + std::to_string(length));
      moment_.day = days_to(year(y) / 1 / 1) + number - 1;
      return;
    }
    const auto m = static_cast<unsigned>(two("month", 1, 12));
    if (!took("-")) refuse("behind the month there is no '-'; write it as 2024-04-08T18:10:36Z");
    const auto d = static_cast<unsigned>(two("day", 1, 31));
    const year_month_day date = year(y) / month(m) / day(d);
    if (!date.ok()) {
      const year_month_day last = sys_days(year(y) / month(m) / std::chrono::last);
      refuse("that month has " + std::to_string(static_cast<unsigned>(last.day())) + " days");
    }
    moment_.day = days_to(date);
  }

  void time_of_day() {
    moment_.second = 3600 * two("hour", 0, 23);
    if (!took(":")) refuse("behind the hour there is no ':'; write it as 2024-04-08T18:10:36Z");
    moment_.second += 60 * two("minute", 0, 59);
    if (!took(":")) return;
    const std::int64_t second = two("second", 0, 60);
    leap_second_ = second == 60;
    moment_.second += second;
    moment_.fraction = decimals();
  }

  TimeScale scale_behind(std::optional<TimeScale> scale) {
    const std::string_view name = trimmed(rest_);
    if (name.empty() && scale) return *scale;
    if (const std::optional<TimeScale> known = time_scale(name)) return *known;
    if (name.empty()) refuse("it names no time scale; put Z behind it for UTC, or TT, TDB, TAI or GPS");
    refuse(shown(name) + " behind it is no time scale; put Z there for UTC, or TT, TDB, TAI or GPS");
  }

  /// A Julian day begins at noon. One of UTC with a leap second has 86401 seconds.
  void julian_date(TimeScale scale) {
    constexpr std::int64_t day_2000 = 2451544;  // begins at noon before 2000-01-01
    moment_.day = julian_ - day_2000 - (fraction_ < 0.5);
    const double share = fraction_ < 0.5 ? fraction_ + 0.5 : fraction_ - 0.5;
    const bool longer = scale == TimeScale::utc && has_leap_second(moment_.day);
    const double seconds = share * static_cast<double>(day_seconds + longer);
    moment_.second = static_cast<std::int64_t>(seconds);
    moment_.fraction = seconds - static_cast<double>(moment_.second);
    if (moment_.day < days_to(year(1) / 1 / 1) || moment_.day > days_to(year(9999) / 12 / 31))
      refuse("it is outside the years 1 to 9999");
  }

  void check(TimeScale scale) const {
    if (scale == TimeScale::utc && leap_of(moment_.day) == nullptr)
      refuse("UTC has seconds of one length since 1972 only; give an earlier date in TT");
    const bool last_minute = moment_.second >= day_seconds && scale == TimeScale::utc;
    if (leap_second_ && !(last_minute && has_leap_second(moment_.day)))
      refuse("there is no leap second then; seconds go from 00 to 59");
  }

  std::string_view text_, rest_;
  Moment moment_;
  bool leap_second_ = false;
  std::int64_t julian_ = 0;  // with fraction_, for JD
  double fraction_ = 0;
};

std::int64_t floor_divided(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

/// A time of a scale: seconds since its 2000-01-01T00:00:00, and parts of a second.
struct Ticks {
  std::int64_t second, tick;
};

/// Rounded to 10^-decimals s. Precondition: decimals from 3 to 9.
Ticks ticks_of(const Instant& instant, TimeScale scale, std::int64_t unit) {
  const std::int64_t behind = milliseconds_behind_tt(scale);
  Ticks t{instant.second + day_seconds / 2 - behind / 1000,
          static_cast<std::int64_t>(std::floor(static_cast<double>(unit) * instant.fraction + 0.5)) -
              behind % 1000 * (unit / 1000)};
  const std::int64_t carry = floor_divided(t.tick, unit);
  return {t.second + carry, t.tick - carry * unit};
}

/// Precondition: the date is in years 1 to 9999.
std::string text_of(const Ticks& t, int decimals, bool leap_second, const char* scale) {
  const std::int64_t day = floor_divided(t.second, day_seconds);
  const auto second = static_cast<int>(t.second - day * day_seconds);
  const year_month_day date(first_day + std::chrono::days(day));
  char text[64];
  const int n = std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%0*lld%s",
                              static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                              static_cast<unsigned>(date.day()), second / 3600, second / 60 % 60,
                              second % 60 + leap_second, decimals, static_cast<long long>(t.tick), scale);
  return {text, static_cast<std::size_t>(n)};
}

}  // namespace

Instant Instant::since_2000(double seconds, TimeScale scale) {
  const double whole = std::floor(seconds);
  const std::int64_t behind = milliseconds_behind_tt(scale);
  return carried(static_cast<std::int64_t>(whole) + behind / 1000,
                 seconds - whole + static_cast<double>(behind % 1000) / 1000);
}

double seconds_between(const Instant& from, const Instant& to) {
  return static_cast<double>(to.second - from.second) + (to.fraction - from.fraction);
}

std::optional<Instant> later(const Instant& from, double seconds) {
  constexpr std::int64_t first = days_to(year(1) / 1 / 2) * day_seconds,
                         last = days_to(year(9999) / 12 / 31) * day_seconds;
  if (!(std::fabs(seconds) < 2.0 * static_cast<double>(last - first))) return std::nullopt;
  const double whole = std::floor(seconds);
  const Instant to =
      carried(from.second + static_cast<std::int64_t>(whole), from.fraction + (seconds - whole));
  if (to.second < first || to.second >= last) return std::nullopt;
  return to;
}

bool leap_seconds_are_known(const Instant& instant) {
  static const Instant end = parse_date(leap_seconds_known_until, TimeScale::utc);
  return instant.second < end.second || (instant.second == end.second && instant.fraction <= end.fraction);
}

std::string leap_seconds_note() {
  return "leap seconds are known until " + std::string(leap_seconds_known_until) +
         "; later dates assume that no more follow";
}

bool looks_like_date(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("JD")) return true;
  return text.size() > 5 && text[4] == '-' &&
         std::all_of(text.begin(), text.begin() + 4, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<TimeScale> time_scale(std::string_view name) {
  const auto found = std::ranges::find(scale_names, name, &ScaleName::name);
  return found == scale_names.end() ? std::nullopt : std::optional(found->scale);
}

Instant parse_date(std::string_view text, std::optional<TimeScale> scale) {
  return DateReader(text).read(scale);
}

std::string date_text(const Instant& instant, int decimals) {
  const auto unit = static_cast<std::int64_t>(std::pow(10, decimals));
  Ticks t = ticks_of(instant, TimeScale::tai, unit);
  const Leap* now = nullptr;
  bool leap_second = false;
  for (const Leap& each : leaps) {
    const std::int64_t begin = each.day * day_seconds + each.behind;
    leap_second = t.second == begin - 1 && &each != &leaps.front();
    if (leap_second || t.second < begin) break;
    now = &each;
  }
  if (now == nullptr) return text_of(ticks_of(instant, TimeScale::tt, unit), decimals, false, " TT");
  // The leap second has the date and time of the second before it.
  t.second -= now->behind + leap_second;
  return text_of(t, decimals, leap_second, "Z");
}

}  // namespace sphaera::io
