#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cmath>
#include <io/streams/printable.hpp>
#include <numbers>
#include <sphaera/error.hpp>
#include <tools/drawing/canvas.hpp>
#include <tools/drawing/power_of_ten.hpp>

namespace sphaera::tool {
namespace {

using std::numbers::pi;

[[noreturn]] void throw_out_of_memory() {
  throw Error(ErrorCode::out_of_memory, "not enough memory for the picture");
}

}  // namespace

double nice_step(double length, int wanted) {
  const double raw = length / wanted, power = power_of_ten(decimal_exponent(raw));
  for (const double times : {1.0, 2.0, 5.0})
    if (raw <= times * power * (1 + 1e-9)) return times * power;
  return 10 * power;
}

Canvas::FontCaches::~FontCaches() {
  cairo_debug_reset_static_data();
  FcFini();
}

Canvas::Canvas(int width, int height)
    : width_(width),
      surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
      context_(cairo_create(surface_.get())) {
  check();
  choose_sharp_text();
  cairo_set_source_rgb(cairo(), 1, 1, 1);
  cairo_paint(cairo());
  cairo_set_line_width(cairo(), 1);
}

void Canvas::check() const {
  if (cairo_surface_status(surface_.get()) != CAIRO_STATUS_SUCCESS ||
      cairo_status(cairo()) != CAIRO_STATUS_SUCCESS)
    throw_out_of_memory();
}

void Canvas::choose_sharp_text() {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo(), options);
  cairo_font_options_destroy(options);
}

void Canvas::ink(double gray, double alpha) { cairo_set_source_rgba(cairo(), gray, gray, gray, alpha); }

void Canvas::ink(const Color& c, double alpha) {
  cairo_set_source_rgba(cairo(), c.red / 255., c.green / 255., c.blue / 255., alpha);
}

void Canvas::font(double size, Weight weight) {
  cairo_select_font_face(cairo(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         weight == Weight::bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo(), size);
}

double Canvas::width_of(const std::string& words) const {
  cairo_text_extents_t extents;
  cairo_text_extents(cairo(), io::printable(words).c_str(), &extents);
  return extents.x_advance;
}

void Canvas::move_to_text(double x, double y, const std::string& words, Align align) {
  const double width = width_of(words);
  cairo_move_to(cairo(), align == Align::left ? x : align == Align::right ? x - width : x - width / 2, y);
}

void Canvas::text(double x, double y, const std::string& words, Align align) {
  move_to_text(x, y, words, align);
  cairo_show_text(cairo(), io::printable(words).c_str());
}

void Canvas::text_on_map(double x, double y, const std::string& words, Align align) {
  move_to_text(x, y, words, align);
  cairo_text_path(cairo(), io::printable(words).c_str());
  cairo_save(cairo());
  cairo_set_line_width(cairo(), 2.5);
  cairo_set_line_join(cairo(), CAIRO_LINE_JOIN_ROUND);
  ink(0.1);
  cairo_stroke_preserve(cairo());
  ink(1);
  cairo_fill(cairo());
  cairo_restore(cairo());
}

void Canvas::fitted_text(double x, double y, const std::string& words, double room, double size,
                         Weight weight) {
  fitting_font(words, room, size, weight);
  text(x, y, words, Align::left);
}

void Canvas::text_upwards(double x, double top, double bottom, double lowest, const std::string& words) {
  cairo_save(cairo());
  fitting_font(words, lowest - top, text_size, Weight::normal);
  cairo_translate(cairo(), x, std::max((top + bottom) / 2, top + width_of(words) / 2));
  cairo_rotate(cairo(), -pi / 2);
  text(0, 0, words, Align::middle);
  cairo_restore(cairo());
}

void Canvas::line(double x0, double y0, double x1, double y1) {
  cairo_move_to(cairo(), std::round(x0) + 0.5, std::round(y0) + 0.5);
  cairo_line_to(cairo(), std::round(x1) + 0.5, std::round(y1) + 0.5);
  cairo_stroke(cairo());
}

void Canvas::box(double x, double y, double width, double height) {
  cairo_rectangle(cairo(), std::round(x) - 0.5, std::round(y) - 0.5, std::round(width) + 1,
                  std::round(height) + 1);
  cairo_stroke(cairo());
}

void Canvas::fitting_font(const std::string& words, double room, double size, Weight weight) {
  font(size, weight);
  font(size * std::min(1.0, room / std::max(1.0, width_of(words))), weight);
}

void Canvas::titles(const std::string& title, const std::string& subtitle) {
  const double room = width_ - 2 * margin;
  ink(0.1);
  fitted_text(margin, 28, title, room, title_size, Weight::bold);
  ink(0.35);
  fitted_text(margin, 50, subtitle, room, text_size, Weight::normal);
}

std::string Canvas::png() const {
  check();
  std::string png;
  const auto append = [](void* to, const unsigned char* data, unsigned int length) {
    try {
      static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
      return CAIRO_STATUS_SUCCESS;
    } catch (const std::exception&) {  // none may cross cairo
      return CAIRO_STATUS_WRITE_ERROR;
    }
  };
  if (cairo_surface_write_to_png_stream(surface_.get(), append, &png) != CAIRO_STATUS_SUCCESS)
    throw_out_of_memory();
  return png;
}

}  // namespace sphaera::tool
