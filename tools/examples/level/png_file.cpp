#include "png_file.hpp"

#include <cairo.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace level {

void write_png(const std::filesystem::path& file, const Pixels& pixels) {
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(pixels.width),
                                 static_cast<int>(pixels.height)),
      cairo_surface_destroy);
  unsigned char* const data = cairo_image_surface_get_data(surface.get());
  if (!data) throw std::runtime_error("no memory for the picture");
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const std::uint8_t* rgb = pixels.rgb.data();
  for (std::size_t y = 0; y < pixels.height; ++y) {
    for (std::size_t x = 0; x < pixels.width; ++x, rgb += 3) {
      const std::uint32_t pixel = std::uint32_t{rgb[0]} << 16 | std::uint32_t{rgb[1]} << 8 | rgb[2];
      std::memcpy(data + y * stride + x * sizeof pixel, &pixel, sizeof pixel);
    }
  }
  cairo_surface_mark_dirty(surface.get());
  if (cairo_surface_write_to_png(surface.get(), file.c_str()) != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error("cannot write " + file.string());
}

}  // namespace level
