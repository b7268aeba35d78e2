#pragma once
/// \file What good files of every format hold, beside those of tests/fuzz/corpus.

#include <io/scene/scene_file.hpp>
#include <string>
#include <vector>

namespace sphaera::attack {

std::vector<io::SceneFile> example_scenes();
std::vector<std::string> example_ephemerides();
/// CSV of rays, observers, stations, receivers, bullets, points or balls.
std::vector<std::string> example_queries(const std::string& kind);
/// NPY of some rows.
std::string example_matrix(std::size_t columns);

}  // namespace sphaera::attack
