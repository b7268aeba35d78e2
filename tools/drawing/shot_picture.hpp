#pragma once
/// \file Bullets and spheres as a PNG picture, seen from above.

#include <cstdint>
#include <span>
#include <sphaera/scene.hpp>
#include <string>
#include <vector>

namespace sphaera::tool {

/// A bullet and its hits in order of time.
struct ShotPath {
  Bullet bullet;
  double end = infinity;  ///< end of its flight, in the scene's time
  std::vector<Impact> impacts;
};

struct ShotPicture {
  struct Body {
    Sphere sphere;  ///< at time 0
    Vec3 velocity;
    bool is_hit = false;
  };
  std::string title, subtitle, unit;  ///< unit of length; may be empty
  std::vector<Body> bodies;
  std::vector<std::int64_t> ids;  ///< ids of the bodies, ascending
  std::vector<ShotPath> paths;
  Vec3 gravity;

  std::size_t body_of(std::int64_t sphere) const;
};

/// Collects the bodies on the layers and the flights with these impacts; flights end at `horizon_end` at the
/// latest. The caller sets title and unit.
ShotPicture shot_picture(const Scene& scene, LayerMask layers, std::span<const Bullet> bullets,
                         const ImpactLists& impacts, double horizon_end);

/// Draws the picture: x points right, y up, z towards the viewer. The picture covers the starts and hits of
/// all shots and the bodies around. See Canvas for the limits.
std::string png_of(const ShotPicture& picture);

}  // namespace sphaera::tool
