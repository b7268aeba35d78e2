#include <cmath>
#include <exact/numbers/arithmetic.hpp>
#include <io/formats/numbers.hpp>
#include <sphaera/error.hpp>
#include <tools/options/given_time.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {

std::string dates_help() {
  return R"(
Where a JSON scene has an "epoch", the date of time 0, times count seconds from it, and --from, --to, --time and
the column t take dates: 2024-04-08T18:10:36.5Z, 2024-099T18:10Z or JD2460409.25Z, with Z for UTC, or TT, TDB,
TAI or GPS. TDB is taken as TT, which it follows within 2 ms. Here )" +
         io::leap_seconds_note() + ".\n";
}

std::string date_after(const io::Instant& epoch, double time) {
  if (std::isnan(time)) return {};
  const auto date = io::later(epoch, time);
  return date ? io::date_text(*date) : std::string();
}

void note_late_dates(const Console& console, const SceneFile& scene, double latest) {
  const io::Instant epoch = io::parse_date(scene.epoch);
  const io::Instant last = io::later(epoch, latest).value_or(epoch);
  if (!io::leap_seconds_are_known(epoch) || !io::leap_seconds_are_known(last))
    console.note(io::leap_seconds_note());
}

double GivenTime::in(const SceneFile& scene) const {
  return date ? io::seconds_between(epoch_of(scene, option), *date) : seconds;
}

io::Instant epoch_of(const SceneFile& scene, const std::string& option) {
  if (!scene.epoch.empty()) return io::parse_date(scene.epoch);
  throw UsageError(option + ": dates need a scene with an \"epoch\", the date of time 0, in its JSON");
}

namespace {

/// Reads a finite number or a date. Empty: it is neither. Throws the error of the option for a bad date.
std::optional<GivenTime> parsed_time(const std::string& name, const std::string& text) {
  GivenTime given{name, text};
  if (io::looks_like_date(text)) {
    try {
      given.date = io::parse_date(text);
    } catch (const Error& error) {
      refuse_value(name, error.what());
    }
  } else if (io::parse_number(text, given.seconds) != io::Parse::ok || !std::isfinite(given.seconds)) {
    return {};
  }
  return given;
}

bool can_be_time(const std::string& text) {
  double number = 0;
  if (io::parse_number(text, number) == io::Parse::ok) return std::isfinite(number);
  try {
    io::parse_date(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

DeclaredOption add_time(CLI::App& app, const std::string& name, std::optional<GivenTime>& time,
                        const std::string& description) {
  return add_parsed(app, name, description, "a finite number, or a date such as 2024-04-08T18:10Z",
                    [&time, name](const std::string& text) {
                      const std::optional<GivenTime> given = parsed_time(name, text);
                      if (given) time = given;
                      return given.has_value();
                    })
      .type_name("T");
}

TimeSteps::TimeSteps(double first, double last, double width) : from(first), to(last), step(width) {
  const double steps = (to - from) / step, whole = std::round(steps);
  // Each number may be off by half an ulp, the difference and the quotient, too.
  const double rounding = exact::u * (2 * steps + (std::fabs(from) + std::fabs(to)) / step);
  ends_at_to_ = std::fabs(steps - whole) <= rounding;
  count = static_cast<std::uint64_t>(ends_at_to_ ? whole : std::floor(steps)) + 1;
}

double TimeSteps::operator[](std::uint64_t i) const {
  if (ends_at_to_ && i + 1 == count) return to;
  return from + static_cast<double>(i) * step;
}

TimeSteps GivenTimes::in(const SceneFile& scene) const {
  const double first = from.in(scene), last = to.in(scene);
  if (!(first <= last)) throw UsageError(from.option + ": the end is before the start");
  constexpr double most = 4294967296;
  if (!((last - first) / step < most)) throw UsageError(from.option + ": these are more than 2^32 times");
  return {first, last, step};
}

DeclaredOption add_times(CLI::App& app, const std::string& name, std::optional<GivenTimes>& times,
                         const std::string& description) {
  const auto read = [&times, name](const std::string& text) {
    GivenTimes given;
    const std::size_t last = text.rfind(':');
    if (last == std::string::npos || io::parse_number(text.substr(last + 1), given.step) != io::Parse::ok ||
        !(given.step > 0) || !std::isfinite(given.step))
      return false;
    // Dates have colons, too: of the places at which both sides can be times, there is one.
    for (std::size_t at = text.find(':'); at < last; at = text.find(':', at + 1)) {
      const std::string from = text.substr(0, at), to = text.substr(at + 1, last - at - 1);
      if (!can_be_time(from) || !can_be_time(to)) continue;
      given.from = *parsed_time(name, from), given.to = *parsed_time(name, to);
      times = given;
      return true;
    }
    return false;
  };
  return add_parsed(app, name, description,
                    "FROM:TO:STEP, each a finite number, FROM and TO perhaps dates, STEP more than 0", read)
      .type_name("FROM:TO:STEP");
}

}  // namespace sphaera::tool
