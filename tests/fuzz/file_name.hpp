#pragma once
/// \file The file that a fuzzed reader takes its input for.

#include <string>

namespace sphaera::fuzz {

/// "s.json" in a program that was started as fuzz_scene_json, "s.csv.gz" as fuzz_scene_gz.
const std::string& file_name();

}  // namespace sphaera::fuzz
