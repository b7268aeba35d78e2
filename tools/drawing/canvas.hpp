#pragma once
/// \file A drawing surface for pictures, based on cairo.

#include <cairo.h>

#include <memory>
#include <string>
#include <tools/drawing/color_map.hpp>

namespace sphaera::tool {

/// Returns 1, 2 or 5 times a power of ten that divides the length into 0.4 · wanted to `wanted` steps.
double nice_step(double length, int wanted);

/// Lengths are in pixels, y points down. The same drawing gives the same bytes in every run on one machine,
/// with that machine's fonts (DejaVu Sans if installed). Text is drawn as io::printable shows it, because
/// cairo requires UTF-8. Only one canvas may exist at a time. Throws Error out_of_memory.
class Canvas {
 public:
  enum class Align { left, middle, right };
  enum class Weight { normal, bold };
  static constexpr double text_size = 13, title_size = 18;
  static constexpr double margin = 16;  ///< least distance of text from the edges

  Canvas(int width, int height);  ///< white

  cairo_t* cairo() const { return context_.get(); }
  cairo_surface_t* surface() const { return surface_.get(); }

  void ink(double gray, double alpha = 1);
  void ink(const Color& color, double alpha = 1);
  void font(double size, Weight weight = Weight::normal);
  double width_of(const std::string& words) const;
  void text(double x, double y, const std::string& words, Align align);
  /// Draws light text with a dark edge, to be read on any color.
  void text_on_map(double x, double y, const std::string& words, Align align);
  /// Draws text from the left, smaller if it is longer than `room`.
  void fitted_text(double x, double y, const std::string& words, double room, double size, Weight weight);
  /// Draws upward text in text_size, centered between top and bottom. Long text continues below and is made
  /// smaller if it reaches `lowest`.
  void text_upwards(double x, double top, double bottom, double lowest, const std::string& words);
  void line(double x0, double y0, double x1, double y1);  ///< aligned to whole pixels, so that it is sharp
  void box(double x, double y, double width, double height);  ///< outline around these pixels
  /// Draws the title and subtitle at the top, smaller if they do not fit.
  void titles(const std::string& title, const std::string& subtitle);

  std::string png() const;

 private:
  struct Free {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
  };
  /// Frees the caches of cairo and fontconfig, so that a leak checker finds nothing.
  struct FontCaches {
    FontCaches() = default;
    FontCaches(const FontCaches&) = delete;
    FontCaches& operator=(const FontCaches&) = delete;
    ~FontCaches();
  };

  void check() const;
  void choose_sharp_text();
  void move_to_text(double x, double y, const std::string& words, Align align);
  /// Sets this font size, or a smaller one if the text is longer than `room`.
  void fitting_font(const std::string& words, double room, double size, Weight weight);

  const FontCaches caches_;
  const int width_;
  std::unique_ptr<cairo_surface_t, Free> surface_;
  std::unique_ptr<cairo_t, Free> context_;
};

}  // namespace sphaera::tool
