#pragma once
/// \file Questions of all kinds about the spheres of a scene.

#include <tests/inputs/moving_scene.hpp>
#include <tests/queries/questions.hpp>

namespace sphaera::test {

/// `paths` rays, segments and bullets, most of them at the edge of an answer; `others` points, balls,
/// observers and receivers; a few bullets that fall; four stars, three of them sources. Bullets start within
/// the horizon. All are valid.
Questions draw_questions(const MovingScene& world, std::size_t paths, std::size_t others, Random& random);

/// The same among spheres at rest.
Questions draw_questions(const std::vector<Sphere>& spheres, std::size_t paths, std::size_t others,
                         Random& random);

}  // namespace sphaera::test
