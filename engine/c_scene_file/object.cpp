#include <c/rows.hpp>
#include <c_scene_file/object.hpp>
#include <limits>

namespace sphaera::c {
namespace {

SphaeraSceneStar c_star(const SceneStar& star, std::span<const Sphere> spheres) {
  Star placed = star.star;
  if (star.is_sphere() && static_cast<std::size_t>(star.sphere) < spheres.size()) {
    const Sphere& body = spheres[static_cast<std::size_t>(star.sphere)];
    placed = Star::at(body.center, body.radius, star.star.limb_darkening);
  }
  return {*c_rows<SphaeraStar>(&placed), star.sphere,
          star.luminosity.value_or(std::numeric_limits<double>::quiet_NaN()),
          *c_rows<SphaeraVec3>(&star.velocity)};
}

}  // namespace

void SceneFileObject::renew() {
  stars_.clear(), orbits_.clear();
  for (const SceneStar& star : file.stars) stars_.push_back(c_star(star, file.spheres));
  for (const SceneFile::Orbit& orbit : file.orbits) orbits_.push_back(orbit.sphere);
  layers_ = names_of(file.layer_names), star_names_ = names_of(file.stars, &SceneStar::name);
  unit_ = names_of(std::span(&file.unit, 1)), epoch_ = names_of(std::span(&file.epoch, 1));
  warnings_ = names_of(file.warnings);
  sources_ = names_of(file.sources, [](const std::filesystem::path& path) { return path.string(); });
}

const Names& SceneFileObject::texts(std::int32_t kind) const {
  switch (kind) {
    case SPHAERA_TEXT_NAMES:
      return file.names;
    case SPHAERA_TEXT_LAYERS:
      return layers_;
    case SPHAERA_TEXT_STARS:
      return star_names_;
    case SPHAERA_TEXT_UNIT:
      return unit_;
    case SPHAERA_TEXT_WARNINGS:
      return warnings_;
    case SPHAERA_TEXT_SOURCES:
      return sources_;
    case SPHAERA_TEXT_EPOCH:
      return epoch_;
    case SPHAERA_TEXT_LEFT_OUT:
      return left_out;
    default:
      refuse("kind", "is unknown; give SPHAERA_TEXT_NAMES or another");
  }
}

}  // namespace sphaera::c
