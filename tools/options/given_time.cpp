#include <cmath>
#include <io/formats/numbers.hpp>
#include <sphaera/error.hpp>
#include <tools/options/given_time.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {

std::string dates_help() {
  return R"(
Where a JSON scene has an "epoch", the date of time 0, times count seconds from it, and --from, --to, --time and
the column t take dates: 2024-04-08T18:10:36.5Z, 2024-099T18:10Z or JD2460409.25Z, with Z for UTC, or TT, TDB,
TAI or GPS. TDB is taken as TT, which it follows within 2 ms. Leap seconds are known until )" +
         std::string(io::leap_seconds_known_until) + ".\n";
}

double GivenTime::in(const SceneFile& scene) const {
  return date ? io::seconds_between(epoch_of(scene, option), *date) : seconds;
}

io::Instant epoch_of(const SceneFile& scene, const std::string& option) {
  if (!scene.epoch.empty()) return io::parse_date(scene.epoch);
  throw UsageError(option + ": dates need a scene with an \"epoch\", the date of time 0, in its JSON");
}

DeclaredOption add_time(CLI::App& app, const std::string& name, std::optional<GivenTime>& time,
                        const std::string& description) {
  return add_parsed(app, name, description, "a finite number or a date",
                    [&time, name](const std::string& text) {
                      GivenTime given{name};
                      if (io::looks_like_date(text)) {
                        try {
                          given.date = io::parse_date(text);
                        } catch (const Error& error) {
                          refuse_value(name, error.what());
                        }
                      } else if (io::parse_number(text, given.seconds) != io::Parse::ok ||
                                 !std::isfinite(given.seconds)) {
                        return false;
                      }
                      time = given;
                      return true;
                    })
      .type_name("T");
}

}  // namespace sphaera::tool
