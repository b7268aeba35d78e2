#pragma once
/// \file Options that say how files are read where the files do not say it: `--columns`, `--delimiter`,
/// `--radius`, `--frame`, `--radii`, `--layer-by`.

#include <sphaera/scene_file.hpp>
#include <string>
#include <string_view>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

struct ReadingOptions : SceneLoadOptions {
  bool frame_is_given = false;

  void declare(CLI::App& app);
};

/// Reads "x=pos_x,y=pos_y": columns and the names that a header has for them, which may contain commas.
/// Throws the error of a bad value.
std::vector<CsvOptions::Column> parse_columns(std::string_view text);

}  // namespace sphaera::tool
