/// \file Prints the color of each receiver in a picture of `map` over a plane: map_colors PICTURE COLUMNS
/// ROWS [ACROSS DOWN MAP]. One line a receiver, by its number: the color at the middle of its cell, as
/// RRGGBB. Of ACROSS × DOWN maps on a sheet it takes number MAP, from 0.

#include <cairo.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace {

// The margins around a map in tools/drawing/map_picture.cpp.
constexpr int left = 78, top = 70, right = 132, bottom = 62, top_on_sheet = 34, sheet_head = 62;

int count_of(std::string_view text) {
  int count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  const bool on_sheet = argc == 7;
  if (argc != 4 && !on_sheet) return 2;
  cairo_surface_t* picture = cairo_image_surface_create_from_png(argv[1]);
  if (cairo_surface_status(picture) != CAIRO_STATUS_SUCCESS) return 1;
  const int columns = count_of(argv[2]), rows = count_of(argv[3]);
  const int across = on_sheet ? count_of(argv[4]) : 1, down = on_sheet ? count_of(argv[5]) : 1;
  const int number = on_sheet ? count_of(argv[6]) : 0, head = on_sheet ? sheet_head : 0;
  if (across < 1 || down < 1) return 2;
  const int cell_width = cairo_image_surface_get_width(picture) / across;
  const int cell_height = (cairo_image_surface_get_height(picture) - head) / down;
  const int above = on_sheet ? top_on_sheet : top;
  const int width = cell_width - left - right, height = cell_height - above - bottom;
  const int first_x = number % across * cell_width + left;
  const int first_y = head + number / across * cell_height + above;
  if (columns < 1 || rows < 1 || width < 3 * columns || height < 3 * rows) return 2;  // cells end in a frame
  const unsigned char* data = cairo_image_surface_get_data(picture);
  const int stride = cairo_image_surface_get_stride(picture);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int x = first_x + (2 * column + 1) * width / (2 * columns);
      const int y = first_y + (2 * (rows - 1 - row) + 1) * height / (2 * rows);
      const auto* line =
          reinterpret_cast<const std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
      std::printf("%06x\n", static_cast<unsigned>(line[x] & 0xffffff));
    }
  }
  cairo_surface_destroy(picture);
}
