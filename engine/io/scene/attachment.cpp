#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <base/files/saved_scene.hpp>
#include <base/validate.hpp>
#include <cstring>
#include <fstream>
#include <io/ephemeris/ephemeris_samples.hpp>
#include <io/formats/lattice.hpp>
#include <io/scene/attachment.hpp>
#include <io/scene/scene_check.hpp>
#include <io/streams/file_error.hpp>
#include <iterator>
#include <type_traits>

namespace sphaera::io {
namespace {

/// The first bytes; the last counts the changes of what follows.
constexpr std::array<char, 8> mark{'s', 'c', 'e', 'n', 'e', '\0', '\0', '\1'};

template <class Item>
concept Plain =
    std::is_trivially_copyable_v<Item> &&
    (std::has_unique_object_representations_v<Item> || std::is_same_v<Item, double> ||
     std::is_same_v<Item, Vec3> || std::is_same_v<Item, Lattice> || std::is_same_v<Item, MotionSample> ||
     std::is_same_v<Item, SceneFile::Rotation> || std::is_same_v<Item, SceneFile::Ellipsoid>);
static_assert(sizeof(MotionSample) == 56 && sizeof(SceneFile::Rotation) == 64 &&
              sizeof(SceneFile::Ellipsoid) == 24);

class AttachmentWriter {
 public:
  static constexpr bool reads = false;
  std::vector<std::byte> bytes;

  void raw(const void* from, std::size_t n) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + n);
  }
  template <Plain Item>
  void items(const std::vector<Item>& list) {
    items(std::span<const Item>(list));
  }
  template <Plain Item>
  void items(std::span<const Item> list) {
    one(std::uint64_t{list.size()});
    raw(list.data(), list.size_bytes());
  }
  void one(const Plain auto& item) { raw(&item, sizeof item); }
  void one(const std::string& text) { items(std::span<const char>(text)); }
  void one(const Motion& motion) { items(motion.samples()); }
};

/// Reads the same, and no more than there is.
class AttachmentReader {
 public:
  static constexpr bool reads = true;

  AttachmentReader(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  bool at_end() const { return bytes_.empty(); }
  [[noreturn]] void refuse() const {
    fail(name_, "is damaged: its names and properties do not end where they should");
  }
  void raw(void* to, std::size_t n) {
    if (n > bytes_.size()) refuse();
    if (n > 0) std::memcpy(to, bytes_.data(), n);
    bytes_ = bytes_.subspan(n);
  }
  /// The length of a list of items that take at least so many bytes each.
  std::size_t length(std::size_t least) {
    std::uint64_t n = 0;
    one(n);
    if (n > bytes_.size() / least) refuse();
    return n;
  }
  template <Plain Item>
  void items(std::vector<Item>& list) {
    list.resize(length(sizeof(Item)));
    raw(list.data(), list.size() * sizeof(Item));
  }
  void one(Plain auto& item) { raw(&item, sizeof item); }
  void one(std::string& text) {
    text.resize(length(1));
    raw(text.data(), text.size());
  }
  Motion motion() {
    std::vector<MotionSample> samples;
    items(samples);
    EphemerisSamples checked(name_);
    for (const MotionSample& sample : samples) checked.add(sample, 0);
    return std::move(checked).finish(0);
  }

 private:
  std::span<const std::byte> bytes_;
  const std::string& name_;
};

/// Calls each(item) for each item of a list; a reader makes them first, from `made`.
template <class Archive, class List, class Each, class Made>
void each_of(Archive& archive, List& list, std::size_t least, const Made& made, const Each& each) {
  if constexpr (Archive::reads) {
    for (std::size_t n = archive.length(least); n > 0; --n) {
      list.push_back(made());
      each(list.back());
    }
  } else {
    archive.one(std::uint64_t{list.size()});
    for (const auto& item : list) each(item);
  }
}

/// A value that may be absent.
template <class Archive, class Value>
void maybe(Archive& archive, Value& value) {
  auto there = static_cast<std::uint8_t>(value.has_value());
  archive.one(there);
  if (there == 0) return;
  if constexpr (!Archive::reads) {
    archive.one(*value);
  } else if constexpr (std::is_same_v<Value, std::optional<Motion>>) {
    value = archive.motion();
  } else {
    archive.one(value.emplace());
  }
}

template <class Archive, class OneStar>
void star(Archive& archive, OneStar& s) {
  archive.one(s.star.distance);
  archive.one(s.star.center), archive.one(s.star.radius);
  archive.one(s.star.direction), archive.one(s.star.angular_radius);
  archive.one(s.star.limb_darkening.law);
  for (auto& coefficient : s.star.limb_darkening.coefficients) archive.one(coefficient);
  archive.one(s.sphere), archive.one(s.name), archive.one(s.velocity);
  maybe(archive, s.luminosity), maybe(archive, s.ephemeris);
}

template <class Archive>
void names(Archive& archive, auto& all) {
  if constexpr (Archive::reads) {
    std::vector<std::uint64_t> ends;
    std::string characters;
    archive.items(ends), archive.one(characters);
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
      if (end < begin || end > characters.size()) archive.refuse();
      all.push_back(std::string_view(characters).substr(begin, end - begin));
      begin = end;
    }
  } else {
    archive.items(all.ends()), archive.items(std::span<const char>(all.characters()));
  }
}

/// All but spheres, velocities and layers of them.
template <class Archive, class Scene>
void each_part(Archive& archive, Scene& scene) {
  names(archive, scene.names);
  each_of(
      archive, scene.layer_names, sizeof(std::uint64_t), [] { return std::string(); },
      [&](auto& name) { archive.one(name); });
  archive.items(scene.resistances);
  each_of(
      archive, scene.stars, sizeof(double), [] { return SceneStar(); }, [&](auto& s) { star(archive, s); });
  const auto no_orbit = [] { return SceneFile::Orbit{-1, Motion::at_rest({})}; };
  each_of(archive, scene.orbits, sizeof(std::int64_t) + sizeof(MotionSample), no_orbit, [&](auto& orbit) {
    archive.one(orbit.sphere);
    if constexpr (Archive::reads)
      orbit.ephemeris = archive.motion();
    else
      archive.one(orbit.ephemeris);
  });
  archive.items(scene.rotations), archive.items(scene.ellipsoids);
  archive.one(scene.unit), archive.one(scene.epoch);
}

/// What `save` of a scene file checks, and what it never writes.
void check(const SceneFile& scene, std::size_t spheres, const std::string& name) {
  try {
    check_all_but_spheres(scene, spheres);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument && error.code() != ErrorCode::bad_file) throw;
    fail(name, error);
  }
  std::int64_t last = -1;
  for (const SceneFile::Orbit& orbit : scene.orbits) {
    if (orbit.sphere <= last || static_cast<std::size_t>(orbit.sphere) >= spheres)
      fail(name, "is damaged: an ephemeris is that of no sphere");
    last = orbit.sphere;
  }
  for (const SceneStar& star : scene.stars)
    if (star.ephemeris && !star.is_ball()) fail(name, "is damaged: a star has an ephemeris, but no place");
  if (!is_valid(scene.box) || !base::in_domain(scene.box_corner))
    fail(name, "is damaged: its periodic box is not finite");
}

}  // namespace

std::vector<std::byte> attachment_of(const SceneFile& scene, bool velocities) {
  AttachmentWriter writer;
  writer.one(mark);
  each_part(writer, scene);
  writer.items(velocities ? std::span<const Vec3>(scene.velocities) : std::span<const Vec3>());
  // Files without these are older, or of scenes without a box, or with its corner at 0.
  if (scene.box != decltype(scene.box){}) writer.one(scene.box);
  if (scene.box_corner != Vec3{}) writer.one(scene.box_corner);
  return std::move(writer.bytes);
}

SceneFile scene_of_attachment(std::span<const std::byte> attachment, const SavedArrays& arrays,
                              const std::string& name) {
  SceneFile scene;
  scene.layers.assign(arrays.layers.begin(), arrays.layers.end());
  if (attachment.size() >= mark.size() && std::memcmp(attachment.data(), mark.data(), mark.size()) == 0) {
    scene.layer_names.clear();
    AttachmentReader reader(attachment.subspan(mark.size()), name);
    each_part(reader, scene);
    reader.items(scene.velocities);
    if (!reader.at_end()) reader.one(scene.box);
    if (!reader.at_end()) reader.one(scene.box_corner);
    if (!reader.at_end()) reader.refuse();
  } else {
    const std::uint8_t most = scene.layers.empty() ? 0 : *std::ranges::max_element(scene.layers);
    for (int i = 1; i <= most; ++i) scene.layer_names.push_back("layer " + std::to_string(i));
  }
  if (!arrays.velocities.empty()) scene.velocities.assign(arrays.velocities.begin(), arrays.velocities.end());
  check(scene, arrays.spheres, name);
  return scene;
}

FileDigest digest_of_saved_scene(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string said(sizeof(base::SavedHeader), '\0');
  file.read(said.data(), static_cast<std::streamsize>(said.size()));
  base::SavedHeader header;
  std::memcpy(static_cast<void*>(&header), said.data(), sizeof header);
  file.seekg(static_cast<std::streamoff>(header.checksums_at));
  said.append(std::istreambuf_iterator<char>(file), {});
  if (file.bad() || said.size() < sizeof header) fail(path.string(), "cannot be read");
  const XXH128_hash_t hash = XXH3_128bits(said.data(), said.size());
  return {path.filename().string(), header.file_bytes, {hash.high64, hash.low64}};
}

}  // namespace sphaera::io
