#pragma once
/// \file A picture as a PNG file.

#include <cstdint>
#include <filesystem>
#include <vector>

namespace level {

struct Pixels {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< three bytes per pixel, row by row from the top, sRGB
};

/// Throws std::runtime_error if the file cannot be written.
void write_png(const std::filesystem::path& file, const Pixels& pixels);

}  // namespace level
