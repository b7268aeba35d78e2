#pragma once
/// \file Good files of every format, beside those of tests/fuzz/corpus.

#include <string>
#include <vector>

namespace sphaera::attack {

std::vector<std::string> example_scenes_json();
std::vector<std::string> example_scenes_csv();
std::vector<std::string> example_scenes_npy();
std::vector<std::string> example_ephemerides();
/// CSV of rays, observers, stations, receivers, bullets, points or balls.
std::vector<std::string> example_queries(const std::string& kind);
/// NPY of some rows.
std::string example_matrix(std::size_t columns);

}  // namespace sphaera::attack
