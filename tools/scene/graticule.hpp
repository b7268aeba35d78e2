#pragma once
/// \file Longitude and latitude on spheres that may turn.

#include <io/scene/scene_file.hpp>
#include <span>

namespace sphaera::tool {

/// How longitude and latitude lie: longitude counts eastwards (counter-clockwise seen from the north).
struct Graticule {
  Vec3 north{0, 0, 1};     ///< towards latitude 90°
  Vec3 meridian{1, 0, 0};  ///< towards longitude 0, as far as it is at right angles to `north`
};

using Rotations = std::span<const io::SceneFile::Rotation>;  ///< of a scene's spheres, ascending

/// Of a sphere, by its spin if it has one, as it has turned by now.
Graticule graticule_of(Rotations rotations, std::size_t sphere);

/// The sphere's rotation; null: none.
const io::SceneFile::Rotation* rotation_of(Rotations rotations, std::size_t sphere);

/// v of length 1. Throws Error invalid_argument with that text for a v that is zero or not finite.
Vec3 unit(const Vec3& v, const char* what);

/// Throws Error invalid_argument, naming the options of `map`, for directions that are zero or parallel.
void check_options(const Graticule& graticule);

/// Where up is on the ground.
class Uprights {
 public:
  /// Of directions that are not geometry::parallel, which those of a spin are not at any time.
  explicit Uprights(const Graticule& graticule);

  /// Degrees; of length 1.
  Vec3 at(double longitude, double latitude) const;

 private:
  Vec3 north_, east_, zero_;  ///< `zero_` is the direction of longitude 0 on the equator, `east_` of 90°
};

}  // namespace sphaera::tool
