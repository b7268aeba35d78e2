#pragma once
/// \file A shoot-out as a PNG picture: spheres and the ways of bullets, seen from above.

#include <cstdint>
#include <span>
#include <sphaera/scene.hpp>
#include <string>
#include <vector>

namespace sphaera::tool {

/// A bullet and what it hits, in order of time.
struct ShotPath {
  Bullet bullet;
  double end = infinity;  ///< of its flight, in the scene's time
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
  std::vector<std::int64_t> ids;  ///< of the bodies, ascending
  std::vector<ShotPath> paths;
  Vec3 gravity;

  std::size_t body_of(std::int64_t sphere) const;
};

/// What bullets do in a scene whose flights end at `horizon_end`; title and unit are left to the caller.
ShotPicture shot_picture(const Scene& scene, LayerMask layers, std::span<const Bullet> bullets,
                         const ImpactLists& impacts, double horizon_end);

/// x goes to the right, y up, and z towards the eye. The part of the plane is the one where shots are fired
/// and hit, with the bodies around. As Canvas for the rest.
std::string png_of(const ShotPicture& picture);

}  // namespace sphaera::tool
