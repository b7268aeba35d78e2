#include <algorithm>
#include <c/rows.hpp>
#include <c/sized.hpp>
#include <c_scene_file/object.hpp>
#include <cmath>
#include <cstddef>

// What scene files hold.

namespace sphaera::c {

/// As rows.cpp does for those of sphaera.h.
template <>
struct Cpp<SphaeraRotation> {
  using Type = SceneFile::Rotation;
};
static_assert(sizeof(SphaeraRotation) == sizeof(SceneFile::Rotation));
static_assert(offsetof(SphaeraRotation, spin) == offsetof(SceneFile::Rotation, spin));
static_assert(offsetof(SphaeraRotation, meridian) == offsetof(SceneFile::Rotation, meridian));

template <>
struct Cpp<SphaeraEllipsoid> {
  using Type = SceneFile::Ellipsoid;
};
static_assert(sizeof(SphaeraEllipsoid) == sizeof(SceneFile::Ellipsoid));
static_assert(offsetof(SphaeraEllipsoid, polar_radius) == offsetof(SceneFile::Ellipsoid, polar_radius));

template <>
SphaeraSceneFileArrays defaults() {
  SphaeraSceneFileArrays arrays{};
  arrays.size = sizeof arrays;
  return arrays;
}

namespace {

/// Calls look(object) while no call changes it.
SphaeraStatus look(const SphaeraSceneFile* file, auto look_at) noexcept {
  return call([&] { look_at(std::as_const(readable<SceneFileObject>(file))); });
}

/// Calls work(scene) while no other call uses it.
SphaeraStatus change(SphaeraSceneFile* file, auto work) noexcept {
  return call([&] {
    const Sole<SceneFileObject> object(file);
    work(object->file);
    object->renew();
  });
}

template <class Row, class Items>
void put_rows(const Items& items, const Row** rows, std::size_t* count) {
  place(rows, "the place for rows") = reinterpret_cast<const Row*>(items.data());
  place(count, "count") = items.size();
}

/// Null for an array that the file does not have.
template <class Row, class Item>
const Row* array(const std::vector<Item>& items) {
  static_assert(sizeof(Row) == sizeof(Item));
  return items.empty() ? nullptr : reinterpret_cast<const Row*>(items.data());
}

auto copy_of(auto* rows, std::size_t count, const char* name) {
  const auto given = optional_rows(rows, count, name);
  return std::vector(given.begin(), given.end());
}

std::span<const MotionSample> samples_of(const Motion* ephemeris) {
  return ephemeris != nullptr ? ephemeris->samples() : std::span<const MotionSample>();
}

const Motion* ephemeris_of(const SceneFile& file, std::int64_t sphere) {
  const auto orbit = std::ranges::lower_bound(file.orbits, sphere, {}, &SceneFile::Orbit::sphere);
  return orbit != file.orbits.end() && orbit->sphere == sphere ? &orbit->ephemeris : nullptr;
}

/// The caller's texts. Refuses null, if there are some, and one that is null.
std::vector<std::string> texts_of(const char* const* texts, const std::size_t* lengths, std::size_t count) {
  std::vector<std::string> result;
  for (const char* const text : span_of<const char* const>(texts, count, "texts")) {
    const std::size_t length = lengths != nullptr ? lengths[result.size()] : 0;
    if (text == nullptr && (lengths == nullptr || length > 0))
      refuse("text " + std::to_string(result.size()), "is NULL");
    lengths != nullptr ? result.emplace_back(text, length) : result.emplace_back(text);
  }
  return result;
}

void set_one(std::string& place, std::vector<std::string>& texts, const char* what) {
  if (texts.size() != 1) refuse("texts", "are " + std::to_string(texts.size()) + "; give one " + what);
  place = std::move(texts[0]);
}

void set_texts(SceneFile& file, std::int32_t kind, std::vector<std::string> texts) {
  switch (kind) {
    case SPHAERA_TEXT_NAMES:
      file.names = names_of(texts);
      return;
    case SPHAERA_TEXT_LAYERS:
      file.layer_names = std::move(texts);
      return;
    case SPHAERA_TEXT_STARS:
      if (texts.size() != file.stars.size())
        refuse("texts", "are " + std::to_string(texts.size()) + ", for " + std::to_string(file.stars.size()) +
                            " stars");
      for (std::size_t i = 0; i < texts.size(); ++i) file.stars[i].name = std::move(texts[i]);
      return;
    case SPHAERA_TEXT_UNIT:
      return set_one(file.unit, texts, "unit");
    case SPHAERA_TEXT_EPOCH:
      return set_one(file.epoch, texts, "epoch");
    default:
      refuse("kind", "is none that can be set");
  }
}

void set_star(SceneStar& star, const SphaeraSceneStar& given) {
  star.star = row_of(&given.star, "star");
  star.sphere = given.sphere;
  star.luminosity = std::isnan(given.luminosity) ? std::nullopt : std::optional(given.luminosity);
  star.velocity = row_of(&given.velocity, "velocity");
}

}  // namespace
}  // namespace sphaera::c

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_scene_file_arrays(const SphaeraSceneFile* file, SphaeraSceneFileArrays* arrays) {
  return look(file, [&](const SceneFileObject& object) {
    SphaeraSceneFileArrays& out = sized_place(arrays, "arrays");
    const SceneFile& scene = object.file;
    out.count = scene.spheres.size();
    out.spheres = array<SphaeraSphere>(scene.spheres);
    out.velocities = array<SphaeraVec3>(scene.velocities);
    out.layers = array<std::uint8_t>(scene.layers);
    out.resistances = array<double>(scene.resistances);
  });
}
SphaeraStatus sphaera_scene_file_set_arrays(SphaeraSceneFile* file, const SphaeraSceneFileArrays* arrays) {
  return change(file, [&](SceneFile& scene) {
    const SphaeraSceneFileArrays given = read(&place(arrays, "arrays"), "arrays");
    const auto spheres = rows_of(given.spheres, given.count, "spheres");
    auto velocities = copy_of(given.velocities, given.count, "velocities");
    auto layers = copy_of(given.layers, given.count, "layers");
    auto resistances = copy_of(given.resistances, given.count, "resistances");
    scene.spheres = {spheres.begin(), spheres.end()};  // the last step that can fail
    scene.velocities = std::move(velocities), scene.layers = std::move(layers);
    scene.resistances = std::move(resistances);
    std::erase_if(scene.orbits, [&](const SceneFile::Orbit& orbit) {
      return static_cast<std::size_t>(orbit.sphere) >= given.count;
    });
  });
}

SphaeraStatus sphaera_scene_file_texts(const SphaeraSceneFile* file, int32_t kind, const char** characters,
                                       const uint64_t** ends, size_t* count) {
  return look(file, [&](const SceneFileObject& object) {
    const Names& texts = object.texts(kind);
    place(characters, "characters") = texts.characters().data();
    put_rows(texts.ends(), ends, count);
  });
}
SphaeraStatus sphaera_scene_file_text(const SphaeraSceneFile* file, int32_t kind, size_t i, const char** text,
                                      size_t* length) {
  return look(file, [&](const SceneFileObject& object) {
    const Names& texts = object.texts(kind);
    if (i >= texts.size()) refuse("text " + std::to_string(i), "is not there");
    place(text, "text") = texts[i].data();
    place(length, "length") = texts[i].size();
  });
}
SphaeraStatus sphaera_scene_file_set_texts(SphaeraSceneFile* file, int32_t kind, const char* const* texts,
                                           const size_t* lengths, size_t count) {
  return change(file, [&](SceneFile& scene) { set_texts(scene, kind, texts_of(texts, lengths, count)); });
}
SphaeraStatus sphaera_scene_file_find_layer(const SphaeraSceneFile* file, const char* name, int32_t* layer) {
  return look(file, [&](const SceneFileObject& object) {
    place(layer, "layer") = object.file.find_layer(&row_of(name, "name"));
  });
}

SphaeraStatus sphaera_scene_file_stars(const SphaeraSceneFile* file, const SphaeraSceneStar** stars,
                                       size_t* count) {
  return look(file, [&](const SceneFileObject& object) { put_rows(object.stars(), stars, count); });
}
SphaeraStatus sphaera_scene_file_set_stars(SphaeraSceneFile* file, const SphaeraSceneStar* stars,
                                           size_t count) {
  return change(file, [&](SceneFile& scene) {
    const auto given = span_of<const SphaeraSceneStar>(stars, count, "stars");
    scene.stars.resize(count);
    for (std::size_t i = 0; i < count; ++i) set_star(scene.stars[i], given[i]);
  });
}

SphaeraStatus sphaera_scene_file_rotations(const SphaeraSceneFile* file, const SphaeraRotation** rotations,
                                           size_t* count) {
  return look(file,
              [&](const SceneFileObject& object) { put_rows(object.file.rotations, rotations, count); });
}
SphaeraStatus sphaera_scene_file_set_rotations(SphaeraSceneFile* file, const SphaeraRotation* rotations,
                                               size_t count) {
  return change(file, [&](SceneFile& scene) { scene.rotations = copy_of(rotations, count, "rotations"); });
}

SphaeraStatus sphaera_scene_file_ellipsoids(const SphaeraSceneFile* file, const SphaeraEllipsoid** ellipsoids,
                                            size_t* count) {
  return look(file,
              [&](const SceneFileObject& object) { put_rows(object.file.ellipsoids, ellipsoids, count); });
}
SphaeraStatus sphaera_scene_file_set_ellipsoids(SphaeraSceneFile* file, const SphaeraEllipsoid* ellipsoids,
                                                size_t count) {
  return change(file, [&](SceneFile& scene) { scene.ellipsoids = copy_of(ellipsoids, count, "ellipsoids"); });
}

SphaeraStatus sphaera_scene_file_orbits(const SphaeraSceneFile* file, const int64_t** spheres,
                                        size_t* count) {
  return look(file, [&](const SceneFileObject& object) { put_rows(object.orbits(), spheres, count); });
}
SphaeraStatus sphaera_scene_file_sphere_samples(const SphaeraSceneFile* file, int64_t sphere,
                                                const SphaeraMotionSample** samples, size_t* count) {
  return look(file, [&](const SceneFileObject& object) {
    if (sphere < 0 || static_cast<std::size_t>(sphere) >= object.file.spheres.size())
      refuse("sphere " + std::to_string(sphere), "is not in the file");
    put_rows(samples_of(ephemeris_of(object.file, sphere)), samples, count);
  });
}
SphaeraStatus sphaera_scene_file_star_samples(const SphaeraSceneFile* file, size_t star,
                                              const SphaeraMotionSample** samples, size_t* count) {
  return look(file, [&](const SceneFileObject& object) {
    if (star >= object.file.stars.size()) refuse("star " + std::to_string(star), "is not in the file");
    const std::optional<Motion>& ephemeris = object.file.stars[star].ephemeris;
    put_rows(samples_of(ephemeris ? &*ephemeris : nullptr), samples, count);
  });
}
