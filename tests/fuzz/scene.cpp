/// Any bytes are a valid scene or a bad file, never anything else.

#include <base/validate.hpp>
#include <cstdint>
#include <exact/numbers/power_of_two.hpp>
#include <io/scene/scene_read.hpp>
#include <sphaera/error.hpp>
#include <sphaera/scene_options.hpp>
#include <string_view>
#include <tests/fuzz/file_name.hpp>

using namespace sphaera;

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

bool fits(std::size_t size, std::size_t spheres) { return size == 0 || size == spheres; }

void check(const SceneFile& scene) {
  const std::size_t n = scene.spheres.size();
  for (const Sphere& sphere : scene.spheres) require(base::valid(sphere));
  require(fits(scene.names.size(), n) && fits(scene.velocities.size(), n));
  require(fits(scene.layers.size(), n) && fits(scene.resistances.size(), n));
  require(!scene.layer_names.empty() && scene.layer_names.size() <= static_cast<std::size_t>(max_layers));
  for (std::size_t i = 0; i < n; ++i) require(!scene.layer_name(i).empty());
  for (const SceneStar& star : scene.stars) {
    require(!star.is_sphere() || static_cast<std::size_t>(star.sphere) < n);
    require(base::valid(star.star));
  }
  for (const auto& [sphere, spin, meridian] : scene.rotations) {
    require(base::valid(spin) && static_cast<std::size_t>(sphere) < n);
    require(base::is_finite(spin.turned(exact::inverse_scale(meridian) * meridian, 1e9)));
  }
  for (const auto& [sphere, equatorial_radius, polar_radius] : scene.ellipsoids)
    require(equatorial_radius > 0 && polar_radius > 0 && static_cast<std::size_t>(sphere) < n);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const std::int64_t frame : {0, -1}) {
    try {
      check(io::read_scene(*io::memory_source(fuzz::file_name(), text), io::scene_format(fuzz::file_name()),
                           "/nowhere", {.frame = frame}));
    } catch (const Error& error) {
      require(error.code() == ErrorCode::bad_file);
      require(error.subject().starts_with(fuzz::file_name()));
    }
  }
  return 0;
}
