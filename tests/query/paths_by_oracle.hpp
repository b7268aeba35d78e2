#pragma once
/// \file Rays and segments in scenes of every character, compared with the oracle.

#include <sphaera/scene.hpp>
#include <tests/inputs/scenes.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera::test {

/// count_wrong(scene, spheres, paths), for so many rays and segments, must be 0.
template <class CountWrong>
void check_paths_on_every_character(std::size_t sphere_count, std::size_t paths,
                                    const CountWrong& count_wrong) {
  Random random(seed());
  for (int c = 0; c < character_count; ++c) {
    const auto character = static_cast<Character>(c);
    INFO(name(character));
    const std::vector<Sphere> spheres = make_spheres(character, sphere_count, random);
    const Scene scene = Scene::build(spheres);
    CHECK(count_wrong(scene, spheres, make_rays(spheres, paths, random)) == 0);
    CHECK(count_wrong(scene, spheres, make_segments(spheres, paths, random)) == 0);
  }
}

}  // namespace sphaera::test
