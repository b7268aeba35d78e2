#pragma once
/// \file A sheet to draw on: what pictures share, on top of cairo.

#include <cairo.h>

#include <memory>
#include <string>
#include <tools/drawing/color_map.hpp>

namespace sphaera::tool {

/// 1, 2 or 5 times a power of ten: about `wanted` steps on the length.
double nice_step(double length, int wanted);

/// Lengths are in pixels, y goes down. The same drawing gives the same bytes in every run on a machine: fonts
/// are its own (DejaVu Sans, if there is one). Words are drawn as io::printable shows them, since cairo draws
/// nothing but UTF-8. One canvas at a time. Throws Error out_of_memory.
class Canvas {
 public:
  enum class Align { left, middle, right };
  enum class Weight { normal, bold };
  static constexpr double text_size = 13, title_size = 18;

  Canvas(int width, int height);  ///< white

  cairo_t* cairo() const { return context_.get(); }
  cairo_surface_t* surface() const { return surface_.get(); }

  void ink(double grey, double alpha = 1);
  void ink(const Color& color, double alpha = 1);
  void font(double size, Weight weight = Weight::normal);
  double width_of(const std::string& words) const;
  void text(double x, double y, const std::string& words, Align align);
  /// text_size words, in the middle between top and bottom. Longer ones go on below, made smaller where the
  /// canvas ends.
  void text_upwards(double x, double top, double bottom, const std::string& words);
  void line(double x0, double y0, double x1, double y1);      ///< on whole pixels, so that it is sharp
  void box(double x, double y, double width, double height);  ///< around these pixels
  /// At the top, made smaller where they do not fit.
  void titles(const std::string& title, const std::string& subtitle);

  std::string png() const;

 private:
  struct Free {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
  };
  /// What cairo and fontconfig keep for the next text goes with this, so that a leak checker finds nothing.
  struct FontCaches {
    FontCaches() = default;
    FontCaches(const FontCaches&) = delete;
    FontCaches& operator=(const FontCaches&) = delete;
    ~FontCaches();
  };

  void check() const;
  void choose_sharp_text();
  /// Of this size, or smaller where the words would be longer than `room`.
  void fitting_font(const std::string& words, double room, double size, Weight weight);

  const FontCaches caches_;
  const int width_, height_;
  std::unique_ptr<cairo_surface_t, Free> surface_;
  std::unique_ptr<cairo_t, Free> context_;
};

}  // namespace sphaera::tool
