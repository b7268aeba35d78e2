#include <base/errors.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <io/scene/scene_builder.hpp>
#include <io/scene/scene_check.hpp>
#include <io/streams/printable.hpp>
#include <span>
#include <unordered_set>

namespace sphaera::io {
namespace {

[[noreturn, gnu::cold]] void refuse(std::string_view what, std::size_t number, std::string_view why) {
  const auto element = static_cast<std::int64_t>(number);
  throw Error(ErrorCode::invalid_argument, base::numbered(what, element), why, element);
}

void check_length(std::string_view list, std::size_t length, std::size_t spheres) {
  if (length == 0 || length == spheres) return;
  throw Error(ErrorCode::invalid_argument, list,
              "has " + std::to_string(length) + " items for " + std::to_string(spheres) +
                  " spheres; give none, or one for each");
}

void check_text(std::string_view text, std::string_view what, std::size_t number) {
  if (find_bad_utf8(text) != std::string_view::npos) refuse(what, number, "its name is not UTF-8");
}

void check_layers(const SceneFile& scene) {
  const std::vector<std::string>& names = scene.layer_names;
  if (names.empty() || names.size() > max_layers) {
    throw Error(ErrorCode::invalid_argument, "layer_names",
                "has " + std::to_string(names.size()) + " items; give 1 to 64");
  }
  std::unordered_set<std::string_view> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    check_text(names[i], "layer", i);
    if (names[i].empty()) refuse("layer", i, "it has no name");
    if (!known.insert(names[i]).second) refuse("layer", i, "another layer has its name");
  }
  for (std::size_t i = 0; i < scene.layers.size(); ++i)
    if (scene.layers[i] >= names.size()) refuse("sphere", i, "its layer is not one of layer_names");
}

void check_properties(const SceneFile& scene, std::size_t n) {
  check_length("velocities", scene.velocities.size(), n);
  check_length("names", scene.names.size(), n);
  check_length("layers", scene.layers.size(), n);
  check_length("resistances", scene.resistances.size(), n);
  for (std::size_t i = 0; i < scene.velocities.size(); ++i)
    if (!base::in_domain(scene.velocities[i])) refuse("sphere", i, "its velocity is not within 2^200");
  for (std::size_t i = 0; i < scene.names.size(); ++i) check_text(scene.names[i], "sphere", i);
  for (std::size_t i = 0; i < scene.resistances.size(); ++i) {
    const double resistance = scene.resistances[i];
    if (!std::isnan(resistance) && !valid_resistance(resistance))
      refuse("sphere", i, "its resistance is not NaN or finite and 0 or more");
  }
}

void check_star(const SceneStar& star, std::size_t number, std::size_t spheres) {
  if (star.sphere < -1 || (star.is_sphere() && static_cast<std::size_t>(star.sphere) >= spheres))
    refuse("star", number, "its sphere is not an id of the scene; give -1 for none");
  Star light = star.star;
  if (star.is_sphere()) light = Star::at({}, 0, light.limb_darkening);
  base::check(light, static_cast<std::int64_t>(number));
  if (!base::in_domain(star.velocity)) refuse("star", number, "its velocity is not within 2^200");
  if (star.luminosity && !(*star.luminosity >= 0 && base::is_finite(*star.luminosity)))
    refuse("star", number, "its luminosity is not finite and 0 or more");
  check_text(star.name, "star", number);
}

/// Throws unless `sphere` is an id of the scene greater than `last`, which it becomes.
void check_next(std::int64_t sphere, std::int64_t& last, std::size_t spheres, std::string_view what,
                std::size_t number) {
  if (sphere <= last || static_cast<std::size_t>(sphere) >= spheres)
    refuse(what, number, "its sphere is not an id of the scene greater than the one before");
  last = sphere;
}

void check_rotations(const SceneFile& scene, std::size_t spheres) {
  std::int64_t last = -1;
  for (std::size_t i = 0; i < scene.rotations.size(); ++i) {
    const auto& [sphere, spin, meridian] = scene.rotations[i];
    check_next(sphere, last, spheres, "rotation", i);
    if (!base::is_finite(spin.axis) || !base::is_finite(meridian))
      refuse("rotation", i, "its axis or meridian is not finite");
    if (const char* const fault = spin_fault(spin, meridian)) refuse("rotation", i, fault);
  }
}

void check_ellipsoids(const SceneFile& scene, std::size_t spheres) {
  std::int64_t last = -1;
  for (std::size_t i = 0; i < scene.ellipsoids.size(); ++i) {
    const auto& [sphere, equatorial_radius, polar_radius] = scene.ellipsoids[i];
    check_next(sphere, last, spheres, "ellipsoid", i);
    if (!valid_ellipsoid(equatorial_radius, polar_radius))
      refuse("ellipsoid", i, "a radius is not from 2^-200 to 2^200");
  }
}

}  // namespace

void check_scene(const SceneFile& scene) {
  base::check_all<Sphere>(scene.spheres);
  check_all_but_spheres(scene, scene.spheres.size());
}

void check_all_but_spheres(const SceneFile& scene, std::size_t spheres) {
  check_layers(scene);
  check_properties(scene, spheres);
  for (std::size_t i = 0; i < scene.stars.size(); ++i) check_star(scene.stars[i], i, spheres);
  check_rotations(scene, spheres);
  check_ellipsoids(scene, spheres);
  if (!scene.epoch.empty()) (void)parse_date(scene.epoch);
  if (find_bad_utf8(scene.unit) != std::string::npos)
    throw Error(ErrorCode::invalid_argument, "unit", "is not UTF-8");
}

}  // namespace sphaera::io
