#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <limits>
#include <tools/options/flight_options.hpp>
#include <tools/options/shared_options.hpp>

namespace sphaera::tool {
namespace {

bool parse_horizon(const std::string& text, std::optional<Horizon>& horizon) {
  std::array<double, 2> v{};
  if (!parse_numbers(text, v) || !(v[0] <= v[1])) return false;
  if (std::fabs(v[0]) > domain_limit || std::fabs(v[1]) > domain_limit) return false;
  horizon = Horizon{v[0], v[1]};
  return true;
}

constexpr std::int64_t max_impacts = std::numeric_limits<std::uint32_t>::max();

bool parse_number_of_impacts(const std::string& text, std::uint32_t& number) {
  std::int64_t n = 0;
  if (io::parse_integer(text, n) != io::Parse::ok || n < 0 || n > max_impacts) return false;
  number = static_cast<std::uint32_t>(n);
  return true;
}

/// N or N,BUDGET.
bool parse_pierce(const std::string& text, FlightOptions& rules) {
  const std::size_t comma = text.find(',');
  if (!parse_number_of_impacts(text.substr(0, comma), rules.pierces)) return false;
  if (comma == std::string::npos) return true;
  return io::parse_number(text.substr(comma + 1), rules.budget) == io::Parse::ok && rules.budget >= 0;
}

}  // namespace

void add_horizon(CLI::App& app, std::optional<Horizon>& horizon, const std::string& description) {
  add_parsed(app, "--horizon", description, "two finite numbers, A ≤ B", [&horizon](const std::string& text) {
    return parse_horizon(text, horizon);
  }).type_name("A,B");
}

void FlightSettings::declare(CLI::App& app) {
  add_horizon(
      app, horizon,
      "Time range of all flights: no bullet may start before A, and every flight ends at B at the "
      "latest. Default: where spheres move, from the earliest start to the latest end of the bullets, "
      "each of which then needs an end; else no limit");
  add_parsed(app, "--bounces", "Number of ricochets to follow; default 0: the first impact only",
             fmt::format("an integer from 0 to {}", max_impacts),
             [this](const std::string& text) { return parse_number_of_impacts(text, rules.bounces); })
      .type_name("N");
  add_parsed(app, "--pierce",
             "Number of spheres that a bullet may pass through, while the sum of their resistances (1 where "
             "the scene gives none) is within the budget; default 0, with an unlimited budget",
             "N or N,BUDGET, both 0 or more",
             [this](const std::string& text) { return parse_pierce(text, rules); })
      .type_name("N[,BUDGET]");
  add_word<StartInside>(
      app, "--start-inside", rules.start_inside,
      {{"hits", StartInside::hits}, {"leaves", StartInside::leaves}, {"refuses", StartInside::refuses}},
      "For a bullet that starts inside a sphere: hits (default) is an impact at once, and a ricochet only if "
      "the bullet moves inwards; leaves ignores that sphere until the bullet is outside; refuses does not "
      "fire the bullet")
      .type_name("RULE");
  add_amount(app, "--restitution", "Share of the speed along the normal that a ricochet keeps; default 1", 1,
             "a number from 0 to 1", [this](double value) { rules.restitution = value; })
      .type_name("E");
  add_amount(app, "--friction",
             "Coulomb friction: the speed along the surface that a ricochet takes away, divided by the "
             "change of speed along the normal; default 0",
             std::numeric_limits<double>::max(), "a finite number, 0 or more",
             [this](double value) { rules.friction = value; })
      .type_name("MU");
  add_parsed(app, "--gravity",
             "Acceleration of every bullet, which then flies along a parabola; in the scene's units; default "
             "none",
             "three finite numbers",
             [this](const std::string& text) {
               std::array<double, 3> g{};
               if (!parse_numbers(text, g)) return false;
               rules.gravity = {g[0], g[1], g[2]};
               return std::ranges::all_of(g, [](double x) { return std::fabs(x) <= domain_limit; });
             })
      .type_name("GX,GY,GZ");
  add_amount(app, "--near-miss",
             "Adds the sphere that each bullet passes most closely, within DISTANCE, before its first impact",
             domain_limit, "a length, 0 or more and at most 2^200",
             [this](double value) { max_near_miss = value; })
      .type_name("DISTANCE");
}

}  // namespace sphaera::tool
