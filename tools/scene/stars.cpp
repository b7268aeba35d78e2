#include <fmt/core.h>

#include <algorithm>
#include <base/validate.hpp>
#include <io/scene/scene_read.hpp>
#include <io/streams/file_error.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/stars.hpp>

namespace sphaera::tool {
namespace {

std::string length_text(double length, const std::string& unit) {
  return fmt::format("{}{}{}", length, unit.empty() ? "" : " ", unit);
}

void note_bodies(const LoadedScene& file, LayerMask layers, const Console& console) {
  std::uint64_t count = 0;
  double least = infinity, most = 0;
  const std::span<const Sphere> spheres = file.bodies();
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    if (!on_layers(file, layers, i)) continue;
    ++count;
    least = std::min(least, spheres[i].radius), most = std::max(most, spheres[i].radius);
  }
  if (count == 0) return console.note("no bodies");
  const std::string range = least == most ? length_text(most, file.unit)
                                          : fmt::format("{} to {}", least, length_text(most, file.unit));
  console.note(fmt::format("{} bod{} of radius {}", count, count == 1 ? "y" : "ies", range));
}

}  // namespace

Star placed(const SceneStar& star, std::span<const Sphere> spheres) {
  if (!star.is_sphere()) return star.star;
  const Sphere& body = spheres[static_cast<std::size_t>(star.sphere)];
  return Star::at(body.center, body.radius, star.star.limb_darkening);
}

std::optional<double> NamedStar::normal_irradiance(const Vec3& position, double flux) const {
  if (!shines()) return std::nullopt;
  return sphaera::normal_irradiance(source(), position, flux);
}

void StarOptions::declare(CLI::App& app) {
  add_repeated(
      app, "--star",
      [this](const std::string& text) {
        try {
          stars.push_back(io::parse_star(text));
        } catch (const Error& error) {
          refuse_value("--star", error.what());
        }
      },
      "One more star, of uniform brightness: center and radius. It hides nothing. May be repeated")
      .type_name("X,Y,Z,R");
}

std::vector<NamedStar> stars_of(const LoadedScene& file, const StarOptions& options,
                                const std::filesystem::path& scene) {
  std::vector<NamedStar> stars;
  const auto take = [&](const SceneStar& star) {
    stars.push_back({star.name, placed(star, file.bodies()), star.luminosity});
    try {
      base::check(stars.back().star, static_cast<std::int64_t>(stars.size()) - 1);
    } catch (const Error& error) {
      io::fail(scene.string(), error);
    }
  };
  std::ranges::for_each(file.stars, take);
  std::ranges::for_each(options.stars, take);
  if (stars.empty()) {
    io::fail(scene.string(), "the scene has no star; give --star x,y,z,r, or \"stars\" in a JSON scene");
  }
  return stars;
}

std::string star_text(std::size_t number, const std::string& name) {
  return fmt::format("star {}{}{}", number, name.empty() ? "" : " ", name.empty() ? "" : io::shown(name));
}

std::string radius_text(const Star& star, const std::string& unit) {
  if (star.distance == Star::Distance::finite) return "radius " + length_text(star.radius, unit);
  return fmt::format("angular radius {} rad", star.angular_radius);
}

void note_radii(const std::vector<NamedStar>& stars, const LoadedScene& file, LayerMask layers,
                const Console& console) {
  constexpr std::size_t max_listed = 8;
  for (std::size_t i = 0; i < std::min(stars.size(), max_listed); ++i) {
    console.note(fmt::format("{}: {}", star_text(i, stars[i].name), radius_text(stars[i].star, file.unit)));
  }
  if (stars.size() > max_listed) console.note(fmt::format("and {} more stars", stars.size() - max_listed));
  note_bodies(file, layers, console);
}

}  // namespace sphaera::tool
