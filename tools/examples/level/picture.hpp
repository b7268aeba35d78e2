#pragma once
/// \file A picture of the level from above: walls and people in the light of the lamps, and the paths of
/// bullets.

#include <span>
#include <sphaera/vec3.hpp>
#include <vector>

#include "bullets.hpp"
#include "png_file.hpp"
#include "world.hpp"

namespace level {

struct PictureOptions {
  std::uint32_t width = 960, height = 480;
  int samples = 2;  ///< a pixel is the mean of samples² rays
};

Pixels draw(const World& world, std::span<const sphaera::Vec3> lamps,
            std::span<const std::vector<Leg>> bullets, const PictureOptions& options);

}  // namespace level
