#include <array>
#include <base/errors.hpp>
#include <base/validate.hpp>
#include <deque>
#include <io/scene/scene_json.hpp>
#include <io/scene/scene_read.hpp>
#include <unordered_map>

namespace sphaera::io {
namespace {

constexpr std::array<std::string_view, 6> scene_keys{"sphaera", "unit", "stars", "spheres", "files", "epoch"};
enum SceneKey : std::size_t { key_sphaera, key_unit, key_stars, key_spheres, key_files, key_epoch };

constexpr std::array<std::string_view, 9> sphere_keys{"center",     "radius",    "name", "velocity", "layer",
                                                      "resistance", "ephemeris", "spin", "ellipsoid"};
enum SphereKey : std::size_t {
  sphere_center,
  sphere_radius,
  sphere_name,
  sphere_velocity,
  sphere_layer,
  sphere_resistance,
  sphere_ephemeris,
  sphere_spin,
  sphere_ellipsoid
};

constexpr std::array<std::string_view, 3> spin_keys{"axis", "period", "meridian"};
enum SpinKey : std::size_t { spin_axis, spin_period, spin_meridian };

constexpr std::array<std::string_view, 5> ephemeris_keys{"file", "target", "center", "from", "to"};
enum EphemerisKey : std::size_t {
  ephemeris_file,
  ephemeris_target,
  ephemeris_center,
  ephemeris_from,
  ephemeris_to
};

constexpr std::array<std::string_view, 2> ellipsoid_keys{"equatorial_radius", "polar_radius"};

constexpr std::array<std::string_view, 10> star_keys{
    "center", "radius",   "direction", "angular_radius", "sphere",
    "name",   "velocity", "ephemeris", "limb_darkening", "luminosity"};
enum StarKey : std::size_t {
  star_center,
  star_radius,
  star_direction,
  star_angular_radius,
  star_sphere,
  star_name,
  star_velocity,
  star_ephemeris,
  star_limb_darkening,
  star_luminosity
};

constexpr std::array<std::string_view, 2> file_keys{"path", "layer"};
enum FileKey : std::size_t { file_path, file_layer };

constexpr bool has(SeenKeys seen, std::size_t key) { return seen >> key & 1; }

constexpr SeenKeys bits(auto... each) { return ((SeenKeys{1} << each) | ...); }

/// Reference of a star to a sphere: the sphere's id, counted from the first sphere of this scene, or its
/// name.
struct StarReference {
  std::size_t star;
  std::int64_t id;
  std::string_view name;  ///< used if the id is −1
  const char* place;
};

/// An ephemeris that a sphere or star names. It is read when the scene's epoch is known.
struct EphemerisOf {
  std::size_t item;  ///< id of the sphere, or number of the star
  bool is_star;
  EphemerisReference reference;
};

/// A sphere's "spin".
struct JsonSpin {
  Spin spin{};
  Vec3 meridian{1, 0, 0};
  const char* place = nullptr;
};

/// A sphere's "ellipsoid".
struct JsonEllipsoid {
  std::array<double, ellipsoid_keys.size()> radii{};  ///< by key
  const char* place = nullptr;
};

/// What an item of "spheres" holds.
struct JsonSphere {
  Sphere sphere{};
  Vec3 velocity{};
  std::string_view name{}, layer{};
  double resistance = 0;
  std::optional<EphemerisReference> ephemeris{};
  JsonSpin spin{};
  JsonEllipsoid ellipsoid{};
};

/// A JSON example of each law, in the order of limb_law_names.
constexpr std::array<std::string_view, limb_law_names.size()> limb_law_examples{
    R"({"uniform": []})",        R"({"linear": [0.6]})",       R"({"quadratic": [0.4, 0.26]})",
    R"({"sqrt": [0.15, 0.55]})", R"({"power2": [0.65, 0.7]})", R"({"claret4": [0.5, -0.2, 0.6, -0.3]})"};
constexpr std::string_view limb_law_example = limb_law_examples[2];

class Reader {
 public:
  Reader(ByteSource& source, std::string_view layer, SceneBuilder& builder, JsonFiles& files)
      : document_(source, {}),
        layer_(layer),
        builder_(builder),
        files_(files),
        first_sphere_(builder.size()) {}

  void read();

 private:
  void read_member(std::size_t key, JsonValue value);
  void read_version(JsonValue value);
  void read_unit(JsonValue value);
  void read_sphere(JsonValue item);
  void read_sphere_member(JsonSphere& found, std::size_t key, JsonValue value);
  void read_star(JsonValue item);
  void read_star_member(SceneStar& star, std::size_t key, JsonValue value);
  void check_star(SceneStar& star, SeenKeys seen, const FileLine& place);
  LimbDarkening limb_darkening(JsonValue value);
  EphemerisReference ephemeris(JsonValue value);
  std::string_view body(JsonValue value, std::string_view key);
  Instant date(JsonValue value, std::string_view key);
  JsonSpin read_spin(JsonValue value);
  JsonEllipsoid read_ellipsoid(JsonValue value);
  void read_file(JsonValue item);
  void read_ephemerides();
  void resolve_star_spheres();

  FileLine where(const char* place) const { return {document_.name(), document_.line(place)}; }

  JsonDocument document_;
  std::string_view layer_;
  SceneBuilder& builder_;
  JsonFiles& files_;
  std::size_t first_sphere_;  // 0 unless another scene names this one; the other's spheres come first
  std::vector<StarReference> star_references_;
  std::vector<JsonReference> named_files_;
  std::vector<EphemerisOf> ephemerides_;
  std::deque<std::string> body_numbers_;  // texts that ephemerides_ refer to
};

void Reader::read() {
  const auto read_one = [&](std::size_t key, JsonValue value) { read_member(key, value); };
  const SeenKeys seen = document_.members(document_.root(), "the scene", scene_keys, read_one);
  document_.expect_end();
  if (!has(seen, key_sphaera))
    fail(document_.name(), 1, "the key 'sphaera' is missing; write \"sphaera\": 1");
  read_ephemerides();
  for (const JsonReference& file : named_files_) files_.scene(document_, file);
  resolve_star_spheres();
}

void Reader::read_member(std::size_t key, JsonValue value) {
  const auto each = [&](auto read_item) {
    document_.items(document_.array(value, scene_keys[key]), read_item);
  };
  switch (key) {
    case key_sphaera:
      return read_version(value);
    case key_unit:
      return read_unit(value);
    case key_stars:
      return each([&](JsonValue item) { read_star(item); });
    case key_spheres:
      return each([&](JsonValue item) { read_sphere(item); });
    case key_files:
      return each([&](JsonValue item) { read_file(item); });
    case key_epoch: {
      const char* place = JsonDocument::place(value);
      return builder_.epoch(document_.text(value, "epoch"), where(place));
    }
  }
}

void Reader::read_version(JsonValue value) {
  const char* place = JsonDocument::place(value);
  if (document_.integer(value, "sphaera") != 1) {
    document_.fail(place, "'sphaera' is the version of the format; this program reads version 1");
  }
}

void Reader::read_unit(JsonValue value) {
  const char* place = JsonDocument::place(value);
  const std::string_view unit = document_.text(value, "unit");
  if (unit.empty()) document_.fail(place, "the unit is empty; leave the key out if it is not known");
  builder_.unit(unit, where(place));
}

void Reader::read_sphere(JsonValue item) {
  const FileLine place = where(JsonDocument::place(item));
  JsonSphere found;
  const auto read_one = [&](std::size_t key, JsonValue value) { read_sphere_member(found, key, value); };
  const SeenKeys seen =
      document_.members(document_.object(item, "a sphere"), "a sphere", sphere_keys, read_one);
  if (!has(seen, sphere_center) || !has(seen, sphere_radius)) {
    const auto id = static_cast<std::int64_t>(builder_.size());
    const std::string lacks = has(seen, sphere_center) ? "'radius'" : "'center'";
    fail(place.name, place.line,
         base::numbered("sphere", id) + " lacks " + lacks + "; give its center and radius", id);
  }
  const std::string_view layer = found.layer.empty() ? layer_ : found.layer;
  builder_.sphere(found.sphere, builder_.layer(layer, place), place);
  if (has(seen, sphere_name)) builder_.name(found.name);
  if (has(seen, sphere_velocity)) builder_.velocity(found.velocity, place);
  if (has(seen, sphere_resistance)) builder_.resistance(found.resistance, place);
  if (found.ephemeris) ephemerides_.push_back({builder_.size() - 1, false, *found.ephemeris});
  if (has(seen, sphere_spin)) builder_.spin(found.spin.spin, found.spin.meridian, where(found.spin.place));
  if (has(seen, sphere_ellipsoid)) {
    const auto& [equatorial_radius, polar_radius] = found.ellipsoid.radii;
    builder_.ellipsoid(equatorial_radius, polar_radius, where(found.ellipsoid.place));
  }
}

void Reader::read_sphere_member(JsonSphere& found, std::size_t key, JsonValue value) {
  switch (key) {
    case sphere_center:
      found.sphere.center = document_.vector(value, "center");
      break;
    case sphere_radius:
      found.sphere.radius = document_.number(value, "radius");
      break;
    case sphere_name:
      found.name = document_.text(value, "name");
      break;
    case sphere_velocity:
      found.velocity = document_.vector(value, "velocity");
      break;
    case sphere_layer:
      found.layer = document_.text(value, "layer");
      break;
    case sphere_resistance:
      found.resistance = document_.number(value, "resistance");
      break;
    case sphere_ephemeris:
      found.ephemeris = ephemeris(value);
      break;
    case sphere_spin:
      found.spin = read_spin(value);
      break;
    case sphere_ellipsoid:
      found.ellipsoid = read_ellipsoid(value);
      break;
  }
}

EphemerisReference Reader::ephemeris(JsonValue value) {
  EphemerisReference reference{{{}, {}, JsonDocument::place(value)}};
  if (*reference.file.place != '{') {
    reference.file.path = document_.text(value, "ephemeris");
    return reference;
  }
  const auto read_one = [&](std::size_t key, JsonValue member) {
    switch (key) {
      case ephemeris_file:
        reference.file.path = document_.text(member, "file");
        break;
      case ephemeris_target:
        reference.target = body(member, "target");
        break;
      case ephemeris_center:
        reference.center = body(member, "center");
        break;
      case ephemeris_from:
        reference.from = date(member, "from");
        break;
      case ephemeris_to:
        reference.to = date(member, "to");
        break;
    }
  };
  const SeenKeys seen =
      document_.members(document_.object(value, "ephemeris"), "an ephemeris", ephemeris_keys, read_one);
  if (!has(seen, ephemeris_file)) document_.fail(reference.file.place, "this ephemeris lacks its 'file'");
  return reference;
}

/// A body by name or number.
std::string_view Reader::body(JsonValue value, std::string_view key) {
  if (*JsonDocument::place(value) == '"') return document_.text(value, key);
  return body_numbers_.emplace_back(std::to_string(document_.integer(value, key)));
}

Instant Reader::date(JsonValue value, std::string_view key) {
  const char* place = JsonDocument::place(value);
  try {
    return parse_date(document_.text(value, key));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_file) throw;
    document_.fail(place, '\'' + std::string(key) + "' is no " + error.what());
  }
}

void Reader::read_ephemerides() {
  for (const EphemerisOf& of : ephemerides_) {
    Motion motion = files_.ephemeris(document_, of.reference);
    if (of.is_star) {
      builder_.scene().stars[of.item].ephemeris = std::move(motion);
    } else {
      builder_.scene().orbits.push_back({static_cast<std::int64_t>(of.item), std::move(motion)});
    }
  }
}

JsonSpin Reader::read_spin(JsonValue value) {
  JsonSpin spin{.place = JsonDocument::place(value)};
  const auto read_one = [&](std::size_t key, JsonValue member) {
    switch (key) {
      case spin_axis:
        spin.spin.axis = document_.vector(member, "axis");
        break;
      case spin_period:
        spin.spin.period = document_.number(member, "period");
        break;
      case spin_meridian:
        spin.meridian = document_.vector(member, "meridian");
        break;
    }
  };
  const SeenKeys seen = document_.members(document_.object(value, "spin"), "a spin", spin_keys, read_one);
  if (!has(seen, spin_axis) || !has(seen, spin_period)) {
    document_.fail(spin.place, "this spin lacks 'axis' or 'period'; give both",
                   static_cast<std::int64_t>(builder_.size()));
  }
  return spin;
}

JsonEllipsoid Reader::read_ellipsoid(JsonValue value) {
  JsonEllipsoid ellipsoid{.place = JsonDocument::place(value)};
  const auto read_one = [&](std::size_t key, JsonValue member) {
    ellipsoid.radii[key] = document_.number(member, ellipsoid_keys[key]);
  };
  const SeenKeys seen =
      document_.members(document_.object(value, "ellipsoid"), "an ellipsoid", ellipsoid_keys, read_one);
  if (!has(seen, 0) || !has(seen, 1)) {
    document_.fail(ellipsoid.place, "this ellipsoid lacks 'equatorial_radius' or 'polar_radius'; give both",
                   static_cast<std::int64_t>(builder_.size()));
  }
  return ellipsoid;
}

void Reader::read_star(JsonValue item) {
  const FileLine place = where(JsonDocument::place(item));
  SceneStar star;
  const auto read_one = [&](std::size_t key, JsonValue value) { read_star_member(star, key, value); };
  const SeenKeys seen = document_.members(document_.object(item, "a star"), "a star", star_keys, read_one);
  check_star(star, seen, place);
  builder_.scene().stars.push_back(std::move(star));
}

void Reader::read_star_member(SceneStar& star, std::size_t key, JsonValue value) {
  switch (key) {
    case star_center:
      star.star.center = document_.vector(value, "center");
      break;
    case star_radius:
      star.star.radius = document_.number(value, "radius");
      break;
    case star_direction:
      star.star.direction = document_.vector(value, "direction");
      break;
    case star_angular_radius:
      star.star.angular_radius = document_.number(value, "angular_radius");
      break;
    case star_sphere: {
      const char* place = JsonDocument::place(value);
      const bool by_name = *place == '"';
      const std::size_t number = builder_.scene().stars.size();
      star_references_.push_back({number, by_name ? -1 : document_.integer(value, "sphere"),
                                  by_name ? document_.text(value, "sphere") : std::string_view{}, place});
      if (!by_name && star_references_.back().id < 0)
        document_.fail(place, "'sphere' is negative; give an id from 0, or a name");
      break;
    }
    case star_name:
      star.name = document_.text(value, "name");
      break;
    case star_velocity:
      star.velocity = document_.vector(value, "velocity");
      break;
    case star_ephemeris:
      ephemerides_.push_back({builder_.scene().stars.size(), true, ephemeris(value)});
      break;
    case star_limb_darkening:
      star.star.limb_darkening = limb_darkening(value);
      break;
    case star_luminosity:
      star.luminosity = document_.number(value, "luminosity");
      break;
  }
}

/// Decides the distance of the star and rejects members that do not belong to its form.
void Reader::check_star(SceneStar& star, SeenKeys seen, const FileLine& place) {
  constexpr SeenKeys ball = bits(star_center, star_radius),
                     remote = bits(star_direction, star_angular_radius), by_sphere = bits(star_sphere),
                     moving = bits(star_velocity, star_ephemeris);
  const auto refuse = [&](const std::string& what) {
    const auto number = static_cast<std::int64_t>(builder_.scene().stars.size());
    fail(place.name, place.line, Error(ErrorCode::bad_file, base::numbered("star", number), what));
  };
  const SeenKeys form = seen & (ball | remote | by_sphere);
  if (form != ball && form != remote && form != by_sphere) {
    refuse("give either 'center' and 'radius', or 'direction' and 'angular_radius', or 'sphere'");
  }
  if (form == remote) star.star.distance = Star::Distance::infinite;
  if (form != ball && (seen & moving)) refuse("only a star with 'center' has a 'velocity' or an 'ephemeris'");
  if (form == ball && !base::valid(Ball{star.star.center, star.star.radius})) {
    refuse("the radius must be 0 or more, and all numbers at most 2^200 in magnitude");
  }
  if (form == remote && base::is_zero(star.star.direction))
    refuse("the direction is zero; give any non-zero direction");
  if (form == remote && !base::valid_angular_radius(star.star.angular_radius)) {
    refuse("'angular_radius' is in radians, from 0 to below π/2");
  }
  if (star.luminosity && *star.luminosity < 0) refuse("'luminosity' is in watts, 0 or more");
  check_velocity(star.velocity, place);
}

LimbDarkening Reader::limb_darkening(JsonValue value) {
  const char* place = JsonDocument::place(value);
  LimbDarkening limb;
  std::size_t laws = 0;
  const auto read_law = [&](std::size_t key, JsonValue coefficients) {
    ++laws;
    limb.law = static_cast<LimbDarkening::Law>(key);
    const std::string law(limb_law_names[key]);
    const auto expected = static_cast<std::size_t>(coefficient_count(limb.law));
    std::size_t n = 0;
    const std::string example(limb_law_examples[key]);
    document_.items(document_.array(coefficients, law, example), [&](JsonValue item) {
      const double c = document_.number(item, law);
      if (n < limb.coefficients.size()) limb.coefficients[n] = c;
      ++n;
    });
    if (n == expected) return;
    document_.fail(place, "the law '" + law + "' has " + std::to_string(expected) +
                              (expected == 1 ? " coefficient" : " coefficients") + ", as in " + example);
  };
  document_.members(document_.object(value, "limb_darkening", limb_law_example), "limb_darkening",
                    limb_law_names, read_law);
  if (laws != 1)
    document_.fail(place, "'limb_darkening' names one law, as in " + std::string(limb_law_example));
  if (!base::valid(limb)) {
    document_.fail(place,
                   "'limb_darkening' has an alpha that is not above 0 and at most 8, or a negative intensity "
                   "somewhere on the disc; check the law's coefficients");
  }
  return limb;
}

void Reader::read_file(JsonValue item) {
  JsonReference file{{}, layer_, JsonDocument::place(item)};
  const auto read_one = [&](std::size_t key, JsonValue value) {
    const std::string_view text = document_.text(value, file_keys[key]);
    if (key == file_path) file.path = text;
    if (key == file_layer && !text.empty()) file.layer = text;
  };
  const SeenKeys seen = document_.members(document_.object(item, "a file"), "a file", file_keys, read_one);
  if (!has(seen, file_path)) document_.fail(file.place, "this file lacks its 'path'");
  named_files_.push_back(file);
}

/// Finds the spheres that stars refer to. Names are resolved in one pass over all spheres of this scene.
void Reader::resolve_star_spheres() {
  const SceneFile& scene = builder_.scene();
  const std::size_t end = scene.spheres.size();
  struct Found {
    std::size_t sphere = 0, times = 0;
  };
  std::unordered_map<std::string_view, Found> wanted;
  for (const StarReference& reference : star_references_) {
    if (reference.id < 0) wanted.try_emplace(reference.name);
  }
  for (std::size_t i = first_sphere_; !wanted.empty() && i < scene.names.size(); ++i) {
    const auto found = wanted.find(scene.names[i]);
    if (found == wanted.end()) continue;
    if (found->second.times++ == 0) found->second.sphere = i;
  }
  for (const StarReference& reference : star_references_) {
    std::size_t sphere = first_sphere_ + static_cast<std::size_t>(reference.id);
    if (reference.id < 0) {
      const Found& found = wanted[reference.name];
      sphere = found.sphere;
      if (found.times == 0)
        document_.fail(reference.place, "no sphere of this scene is named " + shown(reference.name));
      if (found.times > 1) {
        document_.fail(reference.place, std::to_string(found.times) + " spheres are named " +
                                            shown(reference.name) + "; give an id");
      }
    } else if (static_cast<std::uint64_t>(reference.id) >= end - first_sphere_) {
      const std::size_t spheres = end - first_sphere_;
      document_.fail(reference.place, "'sphere' is " + std::to_string(reference.id) +
                                          ", but this scene has " + std::to_string(spheres) +
                                          (spheres == 1 ? " sphere" : " spheres") + "; ids count from 0");
    }
    builder_.scene().stars[reference.star].sphere = static_cast<std::int64_t>(sphere);
  }
}

}  // namespace

void read_json_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  Reader(source, input.layer, builder, input.files).read();
  builder.scene().box = {}, builder.scene().box_corner = {};  // those of one file
}

}  // namespace sphaera::io
