#pragma once
/// \file What good files of every format hold, beside those of tests/fuzz/corpus.

#include <sphaera/scene_file.hpp>
#include <string>
#include <tools/files/queries/query_rows.hpp>
#include <vector>

namespace sphaera::attack {

std::vector<SceneFile> example_scenes();
std::vector<std::string> example_ephemerides();
/// Some rows of the first `width` columns, one of npy_widths.
std::string example_queries(const files::QueryColumns& columns, std::size_t width,
                            const io::MatrixFormat& format);

}  // namespace sphaera::attack
