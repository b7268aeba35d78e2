#include "png_file.hpp"

#include <zlib.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

namespace level {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append_number(Bytes& bytes, std::uint32_t number) {  // the most significant byte first
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(number >> shift));
}

/// A chunk: its length, its name and content, and their check sum.
void append_chunk(Bytes& png, const char* name, const Bytes& content) {
  append_number(png, static_cast<std::uint32_t>(content.size()));
  const std::size_t start = png.size();
  png.insert(png.end(), name, name + 4);
  png.insert(png.end(), content.begin(), content.end());
  append_number(
      png, static_cast<std::uint32_t>(crc32(0, png.data() + start, static_cast<uInt>(png.size() - start))));
}

/// The predictor of Paeth: of left, up and corner the one nearest to left + up − corner.
std::uint8_t predicted(int left, int up, int corner) {
  const int guess = left + up - corner;
  const int a = std::abs(guess - left), b = std::abs(guess - up), c = std::abs(guess - corner);
  return static_cast<std::uint8_t>(a <= b && a <= c ? left : b <= c ? up : corner);
}

/// Every row as differences from the prediction, which packs better.
Bytes filtered(const Pixels& pixels) {
  constexpr std::size_t pixel = 3;
  const std::size_t row = pixel * pixels.width;
  Bytes bytes;
  for (std::size_t y = 0; y < pixels.height; ++y) {
    bytes.push_back(4);  // the filter of Paeth
    for (std::size_t x = 0; x < row; ++x) {
      const std::uint8_t* here = &pixels.rgb[y * row + x];
      const int left = x >= pixel ? here[-3] : 0, up = y > 0 ? *(here - row) : 0;
      const int corner = x >= pixel && y > 0 ? *(here - row - pixel) : 0;
      bytes.push_back(static_cast<std::uint8_t>(*here - predicted(left, up, corner)));
    }
  }
  return bytes;
}

}  // namespace

void write_png(const std::filesystem::path& file, const Pixels& pixels) {
  Bytes header;
  append_number(header, pixels.width);
  append_number(header, pixels.height);
  header.insert(header.end(), {8, 2, 0, 0, 0});  // 8 bits a colour, RGB
  const Bytes rows = filtered(pixels);
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  Bytes packed(size);
  if (compress2(packed.data(), &size, rows.data(), static_cast<uLong>(rows.size()), 9) != Z_OK)
    throw std::runtime_error("zlib cannot pack the picture");
  packed.resize(size);

  Bytes png{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", packed);
  append_chunk(png, "IEND", {});
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace level
