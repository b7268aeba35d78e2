#pragma once
/// \file Stars of a scene and of the command line.

#include <optional>
#include <span>
#include <sphaera/irradiance.hpp>
#include <sphaera/scene_file.hpp>
#include <sphaera/scene_options.hpp>
#include <string>
#include <tools/options/declare.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/console.hpp>
#include <vector>

namespace sphaera::tool {

/// A star at its position at the scene's time.
struct NamedStar {
  std::string name;  ///< may be empty
  Star star;
  std::optional<double> luminosity;  ///< watts

  /// Watts per square unit on a surface that faces the star; empty without a luminosity or for a star at
  /// infinity.
  std::optional<double> normal_irradiance(const Vec3& position, double flux) const;
  bool shines() const { return luminosity && star.distance == Star::Distance::finite; }
  Source source() const { return {star, *luminosity}; }
};

/// `--star x,y,z,r`, can be repeated.
struct StarOptions {
  std::vector<SceneStar> stars;

  void declare(CLI::App& app);
};

/// The star of a scene file. If it is one of `spheres`, the file's spheres, it has the center and radius of
/// that sphere.
Star placed(const SceneStar& star, std::span<const Sphere> spheres);

/// The file's stars, then the stars of the options. Throws Error bad_file if there are none or a star is
/// invalid.
std::vector<NamedStar> stars_of(const LoadedScene& file, const StarOptions& options,
                                const std::filesystem::path& scene);

/// "star 0 'Sun'".
std::string star_text(std::size_t number, const std::string& name);

/// "radius 695700000 m", "angular radius 0.01 rad".
std::string radius_text(const Star& star, const std::string& unit);

/// Prints the radii of the first eight stars, and the number of the bodies on the layers with their least and
/// largest radius.
void note_radii(const std::vector<NamedStar>& stars, const LoadedScene& file, LayerMask layers,
                const Console& console);

}  // namespace sphaera::tool
