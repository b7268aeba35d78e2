#include <algorithm>
#include <array>
#include <base/files/saved_scene.hpp>
#include <base/huge_array.hpp>
#include <cmath>
#include <io/scene/attachment.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>

namespace sphaera::io {
namespace {

using base::SavedScene, base::Section;

/// All bytes of a source, where arrays can lie.
base::HugeArray<char> bytes_of(ByteSource& source) {
  base::HugeArray<char> bytes(source.remaining().value_or(0) + source.chunk_size());
  std::size_t size = 0;
  for (;;) {
    const std::size_t n = source.read(bytes.items().subspan(size));
    size += n;
    if (n == 0) break;
    if (size < bytes.size()) continue;
    check_memory(3 * size, source.name());
    base::HugeArray<char> larger(2 * size);
    std::copy_n(bytes.data(), size, larger.data());
    bytes = std::move(larger);
  }
  bytes.resize(size);
  return bytes;
}

/// Ids of a file are places in its lists.
void check_presence(const SavedScene& file) {
  constexpr std::uint8_t enabled = 2;  // query::IdState
  for (const std::uint8_t state : file.items<std::uint8_t>(Section::presence))
    if (state != enabled)
      file.fail(
          "has spheres that were erased or disabled, which a scene file cannot; save those that are left");
}

/// Adds stars and what else belongs to spheres, whose ids begin at `first`.
void append_rest(SceneFile&& part, std::int64_t first, SceneBuilder& builder) {
  SceneFile& scene = builder.scene();
  for (SceneStar& star : part.stars) {
    if (star.is_sphere()) star.sphere += first;
    scene.stars.push_back(std::move(star));
  }
  const auto append = [&](auto& to, auto& from) {
    for (auto& item : from) {
      item.sphere += first;
      to.push_back(std::move(item));
    }
  };
  append(scene.orbits, part.orbits), append(scene.rotations, part.rotations);
  append(scene.ellipsoids, part.ellipsoids);
}

}  // namespace

void read_sphi_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  const base::HugeArray<char> bytes = bytes_of(source);
  const SavedScene file(std::as_bytes(bytes.span()), source.name());
  for (const Section section :
       {Section::attachment, Section::spheres, Section::velocities, Section::layers, Section::presence})
    file.check(section);
  check_presence(file);
  const auto spheres = file.items<Sphere>(Section::spheres);
  const auto layers = file.items<std::uint8_t>(Section::layers);
  const auto velocities = file.items<Vec3>(Section::velocities);
  SceneFile part = scene_of_attachment(file.items<std::byte>(Section::attachment),
                                       {spheres.size(), layers, velocities}, source.name());
  const FileLine place{source.name(), 0};
  builder.reserve(spheres.size(), !part.velocities.empty(), source.name());
  std::array<int, 64> numbers{};
  for (std::size_t i = 0; i < part.layer_names.size(); ++i) {
    const bool unnamed = part.layer_names[i] == "default" && !input.layer.empty();
    numbers[i] = builder.layer(unnamed ? input.layer : std::string_view(part.layer_names[i]), place);
  }
  const auto first = static_cast<std::int64_t>(builder.size());
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    builder.sphere(spheres[i], numbers[layers.empty() ? 0 : layers[i]], place);
    if (!part.velocities.empty()) builder.velocity(part.velocities[i], place);
    if (!part.names.empty()) builder.name(part.names[i]);
    if (!part.resistances.empty() && !std::isnan(part.resistances[i]))
      builder.resistance(part.resistances[i], place);
  }
  if (!part.unit.empty()) builder.unit(part.unit, place);
  if (!part.epoch.empty()) builder.epoch(part.epoch, place);
  append_rest(std::move(part), first, builder);
}

}  // namespace sphaera::io
