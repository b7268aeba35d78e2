#include <cmath>
#include <io/formats/json_text.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/scene_formats.hpp>

namespace sphaera::io {
namespace {

/// Writes the members of one object, with braces and commas.
class ObjectText {
 public:
  explicit ObjectText(std::string& text) : text_(text) { text_ += '{'; }

  void number(const char* key, double value) { append_json(member(key), value); }
  void integer(const char* key, std::int64_t value) { append_integer(member(key), value); }
  void text(const char* key, std::string_view value) { append_json(member(key), value); }
  void vector(const char* key, const Vec3& v) {
    append_json(member(key) += '[', v.x);
    append_json(text_ += ", ", v.y);
    append_json(text_ += ", ", v.z);
    text_ += ']';
  }
  /// Appends a key; the caller appends its value.
  std::string& member(const char* key) {
    text_ += between_;
    between_ = ", ";
    append_json(text_, std::string_view(key));
    return text_ += ": ";
  }
  void end() { text_ += '}'; }

 private:
  std::string& text_;
  const char* between_ = "";
};

void append_limb_darkening(std::string& text, const LimbDarkening& limb) {
  append_json(text += '{', limb_law_names[static_cast<std::size_t>(limb.law)]);
  text += ": [";
  for (int i = 0; i < coefficient_count(limb.law); ++i) {
    append_json(text += i > 0 ? ", " : "", limb.coefficients[static_cast<std::size_t>(i)]);
  }
  text += "]}";
}

void append_star(std::string& text, const SceneStar& scene_star) {
  ObjectText object(text);
  const Star& star = scene_star.star;
  if (scene_star.is_sphere()) {
    object.integer("sphere", scene_star.sphere);
  } else if (star.distance == Star::Distance::finite) {
    object.vector("center", star.center);
    object.number("radius", star.radius);
    if (scene_star.velocity != Vec3{}) object.vector("velocity", scene_star.velocity);
  } else {
    object.vector("direction", star.direction);
    object.number("angular_radius", star.angular_radius);
  }
  if (!scene_star.name.empty()) object.text("name", scene_star.name);
  if (star.limb_darkening.law != LimbDarkening::Law::uniform) {
    append_limb_darkening(object.member("limb_darkening"), star.limb_darkening);
  }
  if (scene_star.luminosity) object.number("luminosity", *scene_star.luminosity);
  object.end();
}

void append_spin(std::string& text, const SceneFile::Rotation& rotation) {
  ObjectText object(text);
  object.vector("axis", rotation.spin.axis);
  object.number("period", rotation.spin.period);
  object.vector("meridian", rotation.meridian);
  object.end();
}

void append_ellipsoid(std::string& text, const SceneFile::Ellipsoid& ellipsoid) {
  ObjectText object(text);
  object.number("equatorial_radius", ellipsoid.equatorial_radius);
  object.number("polar_radius", ellipsoid.polar_radius);
  object.end();
}

/// The item of sphere i, if it is the next; then `next` moves on.
template <class Item>
const Item* taken(typename std::vector<Item>::const_iterator& next, const std::vector<Item>& items,
                  std::size_t i) {
  return next != items.end() && static_cast<std::size_t>(next->sphere) == i ? &*next++ : nullptr;
}

/// `rotation` and `ellipsoid` are null for a sphere without.
void append_sphere(std::string& text, const SceneFile& scene, std::size_t i,
                   const SceneFile::Rotation* rotation, const SceneFile::Ellipsoid* ellipsoid) {
  ObjectText object(text);
  object.vector("center", scene.spheres[i].center);
  object.number("radius", scene.spheres[i].radius);
  if (!scene.names.empty() && !scene.names[i].empty()) object.text("name", scene.names[i]);
  if (!scene.velocities.empty()) object.vector("velocity", scene.velocities[i]);
  if (scene.layer_name(i) != "default") object.text("layer", scene.layer_name(i));
  if (!scene.resistances.empty() && !std::isnan(scene.resistances[i])) {
    object.number("resistance", scene.resistances[i]);
  }
  if (rotation != nullptr) append_spin(object.member("spin"), *rotation);
  if (ellipsoid != nullptr) append_ellipsoid(object.member("ellipsoid"), *ellipsoid);
  object.end();
}

}  // namespace

void write_json_scene(const SceneFile& scene, OutputText& out) {
  out.text += "{\"sphaera\": 1";
  if (!scene.unit.empty()) append_json(out.text += ",\n\"unit\": ", scene.unit);
  if (!scene.epoch.empty()) append_json(out.text += ",\n\"epoch\": ", scene.epoch);
  const auto list = [&](const char* key, std::size_t n, auto append_item) {
    out.text += std::string(",\n\"") + key + "\": [";
    for (std::size_t i = 0; i < n; ++i) {
      out.text += i > 0 ? ",\n" : "\n";
      append_item(i);
      out.row_done();
    }
    out.text += "\n]";
  };
  if (!scene.stars.empty()) {
    list("stars", scene.stars.size(), [&](std::size_t i) { append_star(out.text, scene.stars[i]); });
  }
  auto rotation = scene.rotations.begin();
  auto ellipsoid = scene.ellipsoids.begin();
  list("spheres", scene.spheres.size(), [&](std::size_t i) {
    append_sphere(out.text, scene, i, taken(rotation, scene.rotations, i),
                  taken(ellipsoid, scene.ellipsoids, i));
  });
  out.text += "}\n";
}

}  // namespace sphaera::io
