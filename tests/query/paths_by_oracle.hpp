#pragma once
/// \file Rays and segments in scenes of every kind, compared with the oracle.

#include <sphaera/scene.hpp>
#include <tests/inputs/scenes.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera::test {

/// Checks that count_wrong(scene, spheres, paths) is 0 for `paths` rays and as many segments.
template <class CountWrong>
void check_paths_on_every_kind(std::size_t sphere_count, std::size_t paths, const CountWrong& count_wrong) {
  Random random(seed());
  for (const SceneKind scene_kind : kinds_to_try()) {
    INFO(name(scene_kind));
    const std::vector<Sphere> spheres = make_spheres(scene_kind, sphere_count, random);
    const Scene scene = Scene::build(spheres);
    CHECK(count_wrong(scene, spheres, make_rays(spheres, paths, random)) == 0);
    CHECK(count_wrong(scene, spheres, make_segments(spheres, paths, random)) == 0);
  }
}

}  // namespace sphaera::test
