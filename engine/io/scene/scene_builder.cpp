#include <algorithm>
#include <base/errors.hpp>
#include <base/validate.hpp>
#include <exact/numbers/parallel_vectors.hpp>
#include <io/scene/scene_builder.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>

namespace sphaera::io {
namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void SceneBuilder::reserve(std::uint64_t more, bool velocities, const std::string& file) {
  const std::uint64_t all = scene_.spheres.size() + more, old = scene_.spheres.size() * sizeof(Sphere);
  check_memory(all * sizeof(Sphere) + old + held_bytes() + (velocities ? all * sizeof(Vec3) : 0), file);
  scene_.spheres.reserve(all);
  if (velocities) scene_.velocities.reserve(all);
}

/// Bytes of the per-sphere lists except the spheres.
std::uint64_t SceneBuilder::held_bytes() const {
  return scene_.velocities.capacity() * sizeof(Vec3) + scene_.layers.capacity() +
         scene_.resistances.capacity() * sizeof(double) + scene_.names.size() * sizeof(std::uint64_t) +
         name_bytes_;
}

void SceneBuilder::sphere(const Sphere& given, int layer, const FileLine& place) {
  const auto id = static_cast<std::int64_t>(scene_.spheres.size());
  const bool is_point = given.radius == 0;
  const Sphere sphere{given.center, is_point ? point_radius_.value_or(0) : given.radius};
  try {
    base::check(sphere, id);
  } catch (const Error& error) {
    const std::string advice = is_point ? "; --radius R gives points a radius" : "";
    fail(place.name, place.line,
         Error(error.code(), std::string(error.subject()), std::string(error.reason()) + advice, id));
  }
  if (layer != 0 && scene_.layers.empty()) scene_.layers.resize(scene_.spheres.size(), 0);
  if (layer != 0 || !scene_.layers.empty()) scene_.layers.push_back(static_cast<std::uint8_t>(layer));
  check_growth(scene_.spheres, held_bytes(), place.name);
  scene_.spheres.push_back(sphere);
}

void SceneBuilder::velocity(const Vec3& velocity, const FileLine& place) {
  check_velocity(velocity, place);
  scene_.velocities.resize(size() - 1);
  scene_.velocities.push_back(velocity);
}

void SceneBuilder::name(std::string_view name) {
  scene_.names.resize(size() - 1);
  scene_.names.push_back(name);
  name_bytes_ += name.size();
}

void SceneBuilder::resistance(double resistance, const FileLine& place) {
  if (!valid_resistance(resistance)) {
    const auto id = static_cast<std::int64_t>(size()) - 1;
    const std::string why = "resistance is " + base::text_of(resistance) + "; give a finite one, 0 or more";
    fail(place.name, place.line, Error(ErrorCode::bad_file, base::numbered("sphere", id), why, id));
  }
  scene_.resistances.resize(size() - 1, not_given);
  scene_.resistances.push_back(resistance);
}

const char* spin_fault(const Spin& spin, const Vec3& meridian) {
  if (base::is_zero(spin.axis)) return "the spin's 'axis' is zero; give the direction of the north pole";
  if (!base::valid_period(spin.period)) {
    return "the spin's 'period' is the time of one turn, negative for a clockwise one; give a number from "
           "2^-200 to "
           "2^200 in magnitude";
  }
  if (exact::are_parallel(spin.axis, meridian)) {
    return "the spin's 'meridian' (default [1, 0, 0]) is zero or points along the 'axis'; give a direction "
           "across it, "
           "where longitude is 0 at time 0";
  }
  return nullptr;
}

void SceneBuilder::spin(const Spin& spin, const Vec3& meridian, const FileLine& place) {
  const auto id = static_cast<std::int64_t>(size()) - 1;
  if (const char* const fault = spin_fault(spin, meridian))
    fail(place.name, place.line, Error(ErrorCode::bad_file, base::numbered("sphere", id), fault, id));
  scene_.rotations.push_back({id, spin, meridian});
}

void SceneBuilder::ellipsoid(double equatorial_radius, double polar_radius, const FileLine& place) {
  const auto id = static_cast<std::int64_t>(size()) - 1;
  if (!valid_ellipsoid(equatorial_radius, polar_radius)) {
    fail(
        place.name, place.line,
        Error(ErrorCode::bad_file, base::numbered("sphere", id),
              "a radius of the ellipsoid is not from 2^-200 to 2^200; give lengths in the scene's unit", id));
  }
  scene_.ellipsoids.push_back({id, equatorial_radius, polar_radius});
}

int SceneBuilder::layer(std::string_view name, const FileLine& place, std::string_view advice) {
  if (name.empty()) name = "default";
  // A new SceneFile has the layer "default". The first call removes it, because no sphere uses it yet.
  if (!has_layers_) scene_.layer_names.clear();
  has_layers_ = true;
  const int known = scene_.find_layer(name);
  if (known >= 0) return known;
  if (scene_.layer_names.size() == max_layers) {
    fail(place.name, place.line,
         "layer " + shown(name) + " is the 65th; a scene has at most 64 layers" + std::string(advice));
  }
  scene_.layer_names.emplace_back(name);
  return static_cast<int>(scene_.layer_names.size()) - 1;
}

void SceneBuilder::unit(std::string_view unit, const FileLine& place) {
  if (!scene_.unit.empty() && scene_.unit != unit) {
    fail(place.name, place.line,
         "the unit is " + shown(unit) + ", that of the naming scene " + shown(scene_.unit) +
             "; units are never converted: rewrite one of the files");
  }
  scene_.unit = unit;
}

void SceneBuilder::epoch(std::string_view date, const FileLine& place) {
  try {
    epoch_ = parse_date(date);
  } catch (const Error& error) {
    fail(place.name, place.line, "'epoch' is no " + std::string(error.what()));
  }
  if (!scene_.epoch.empty() && scene_.epoch != date) {
    fail(place.name, place.line,
         "the epoch is " + shown(date) + ", that of the naming scene " + shown(scene_.epoch) +
             "; time 0 must be one instant");
  }
  scene_.epoch = date;
}

void SceneBuilder::warn(std::string sentence) {
  if (!sentence.empty()) scene_.warnings.push_back(std::move(sentence));
}

void SceneBuilder::drop_from(std::size_t id) {
  const auto cut = [&](auto& list) {
    if (list.size() > id) list.resize(id);
  };
  cut(scene_.spheres), cut(scene_.velocities), cut(scene_.layers), cut(scene_.names), cut(scene_.resistances);
  name_bytes_ = scene_.names.characters().size();
}

SceneFile SceneBuilder::finish() {
  const std::size_t n = size();
  for (std::string& warning : bad_.take_warnings("; ids count the spheres that are left"))
    warn(std::move(warning));
  if (!scene_.velocities.empty()) scene_.velocities.resize(n);
  if (!scene_.names.empty()) scene_.names.resize(n);
  if (!scene_.resistances.empty()) scene_.resistances.resize(n, not_given);
  return std::move(scene_);
}

/// A missing component is more likely an error than a zero.
const char* velocity_columns_fault(int given) {
  return given == 1 || given == 2 ? "some of the columns 'vx', 'vy', 'vz' are missing; give all three or none"
                                  : nullptr;
}

void check_velocity(const Vec3& velocity, const FileLine& place) {
  if (base::in_domain(velocity)) return;
  fail(place.name, place.line,
       "the velocity is not finite or too large; give numbers of at most 2^200 in magnitude");
}

}  // namespace sphaera::io
