#include <cairo.h>
#include <fmt/core.h>
#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <sphaera/error.hpp>
#include <tools/picture.hpp>

namespace sphaera::tool {
namespace {

constexpr double left_margin = 78, top_margin = 70, right_margin = 132, bottom_margin = 62;
constexpr double text_size = 13, title_size = 18;
constexpr double least_width = 480, least_height = 160;
constexpr double pi = 3.14159265358979323846;

struct Free {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};

/// What cairo and fontconfig keep for the next text goes with this, so that a leak checker finds nothing.
struct FontCaches {
  FontCaches() = default;
  FontCaches(const FontCaches&) = delete;
  FontCaches& operator=(const FontCaches&) = delete;
  ~FontCaches() {
    cairo_debug_reset_static_data();
    FcFini();
  }
};

struct Size {
  int width, height;
};

/// Of the map alone: a pixel a receiver at least, and large enough to be read.
Size map_size(const Picture& picture) {
  const double columns = static_cast<double>(picture.pixels.columns),
               rows = static_cast<double>(picture.pixels.rows);
  const double width = std::max({least_width, columns, rows * picture.aspect});
  const double height = std::max(least_height, width / picture.aspect);
  constexpr double most = 30000;  // cairo's pictures end at 32767
  const double shrink = std::min({1.0, most / width, most / height});
  return {static_cast<int>(std::lround(width * shrink)), static_cast<int>(std::lround(height * shrink))};
}

/// 1, 2 or 5 times a power of ten: about `wanted` steps on the length.
double nice_step(double length, int wanted) {
  const double raw = length / wanted, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double times : {1.0, 2.0, 5.0})
    if (raw <= times * power * (1 + 1e-9)) return times * power;
  return 10 * power;
}

std::string superscript(int number) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

/// Large and small numbers share a power of ten that stands in the label.
struct Scale {
  double unit = 1;
  std::string suffix;

  explicit Scale(double most) {
    const int exponent = most > 0 ? 3 * static_cast<int>(std::floor(std::log10(most) / 3)) : 0;
    if (exponent >= -3 && exponent <= 3) return;
    unit = std::pow(10, exponent);
    suffix = ", × 10" + superscript(exponent);
  }
  std::string text(double value) const {
    std::string number = fmt::format("{:.6g}", value / unit);
    return number == "-0" ? "0" : number;
  }
};

class Canvas {
 public:
  explicit Canvas(const Picture& picture)
      : picture_(picture),
        map_(map_size(picture)),
        surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                            map_.width + static_cast<int>(left_margin + right_margin),
                                            map_.height + static_cast<int>(top_margin + bottom_margin))),
        context_(cairo_create(surface_.get())) {
    check();
    const std::unique_ptr<cairo_font_options_t, Free> options(cairo_font_options_create());
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo(), options.get());
    cairo_set_source_rgb(cairo(), 1, 1, 1);
    cairo_paint(cairo());
    cairo_set_line_width(cairo(), 1);
  }

  std::string draw() {
    draw_map();
    draw_titles();
    draw_axes();
    picture_.bar ? draw_bar() : draw_key();
    return bytes();
  }

 private:
  enum class Align { left, middle, right };

  cairo_t* cairo() const { return context_.get(); }

  void check() const {
    if (cairo_surface_status(surface_.get()) == CAIRO_STATUS_SUCCESS &&
        cairo_status(cairo()) == CAIRO_STATUS_SUCCESS) {
      return;
    }
    throw std::bad_alloc();
  }

  void ink(double grey, double alpha = 1) { cairo_set_source_rgba(cairo(), grey, grey, grey, alpha); }

  void font(double size, cairo_font_weight_t weight = CAIRO_FONT_WEIGHT_NORMAL) {
    cairo_select_font_face(cairo(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, weight);
    cairo_set_font_size(cairo(), size);
  }

  double width_of(const std::string& text) const {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo(), text.c_str(), &extents);
    return extents.x_advance;
  }

  void text(double x, double y, const std::string& words, Align align) {
    const double width = width_of(words);
    cairo_move_to(cairo(), align == Align::left ? x : align == Align::right ? x - width : x - width / 2, y);
    cairo_show_text(cairo(), words.c_str());
  }

  /// Upwards, its middle at (x, y).
  void text_upwards(double x, double y, const std::string& words) {
    cairo_save(cairo());
    cairo_translate(cairo(), x, y);
    cairo_rotate(cairo(), -pi / 2);
    text(0, 0, words, Align::middle);
    cairo_restore(cairo());
  }

  /// On whole pixels, so that it is sharp.
  void line(double x0, double y0, double x1, double y1) {
    cairo_move_to(cairo(), std::round(x0) + 0.5, std::round(y0) + 0.5);
    cairo_line_to(cairo(), std::round(x1) + 0.5, std::round(y1) + 0.5);
    cairo_stroke(cairo());
  }

  void box(double x, double y, double width, double height) {
    cairo_rectangle(cairo(), std::round(x) - 0.5, std::round(y) - 0.5, std::round(width) + 1,
                    std::round(height) + 1);
    cairo_stroke(cairo());
  }

  void draw_map() {
    cairo_surface_flush(surface_.get());
    unsigned char* data = cairo_image_surface_get_data(surface_.get());
    const std::ptrdiff_t stride = cairo_image_surface_get_stride(surface_.get());
    const auto& [columns, rows] = picture_.pixels;
    for (int y = 0; y < map_.height; ++y) {
      auto* line = reinterpret_cast<std::uint32_t*>(data + (y + static_cast<int>(top_margin)) * stride) +
                   static_cast<int>(left_margin);
      const auto from_top = static_cast<std::uint64_t>(y) * rows / static_cast<std::uint64_t>(map_.height);
      const Color* row = picture_.colors.data() + (rows - 1 - from_top) * columns;
      for (int x = 0; x < map_.width; ++x) {
        const Color& c =
            row[static_cast<std::uint64_t>(x) * columns / static_cast<std::uint64_t>(map_.width)];
        line[x] = std::uint32_t{c.red} << 16 | std::uint32_t{c.green} << 8 | c.blue;
      }
    }
    cairo_surface_mark_dirty(surface_.get());
  }

  void draw_titles() {
    const double room = left_margin + map_.width + right_margin - 2 * 16;
    const auto fitting = [&](double y, const std::string& words, double size, cairo_font_weight_t weight) {
      font(size, weight);
      font(size * std::min(1.0, room / std::max(1.0, width_of(words))), weight);
      text(16, y, words, Align::left);
    };
    ink(0.1);
    fitting(28, picture_.title, title_size, CAIRO_FONT_WEIGHT_BOLD);
    ink(0.35);
    fitting(50, picture_.subtitle, text_size, CAIRO_FONT_WEIGHT_NORMAL);
  }

  /// place(tick's value, share of the way) for all ticks of an axis.
  template <class Place>
  static void ticks(const Axis& axis, const Place& place) {
    const double length = axis.to - axis.from, step = axis.step > 0 ? axis.step : nice_step(length, 6);
    const auto first = static_cast<int>(std::ceil(axis.from / step - 1e-9));
    for (int i = first; i * step <= axis.to + 1e-9 * length; ++i)
      place(i * step, (i * step - axis.from) / length);
  }

  void draw_axes() {
    const double left = left_margin, top = top_margin, right = left + map_.width, bottom = top + map_.height;
    font(text_size);
    const Scale across(std::max(std::fabs(picture_.across.from), std::fabs(picture_.across.to)));
    ticks(picture_.across, [&](double value, double share) {
      const double x = left + share * map_.width;
      graticule(x, top, x, bottom);
      ink(0.2);
      line(x, bottom, x, bottom + 5);
      text(x, bottom + 20, across.text(value), Align::middle);
    });
    const Scale up(std::max(std::fabs(picture_.up.from), std::fabs(picture_.up.to)));
    ticks(picture_.up, [&](double value, double share) {
      const double y = bottom - share * map_.height;
      graticule(left, y, right, y);
      ink(0.2);
      line(left - 6, y, left - 1, y);
      text(left - 9, y + 4.5, up.text(value), Align::right);
    });
    ink(0.2);
    box(left, top, map_.width, map_.height);
    text((left + right) / 2, bottom + 44, picture_.across.label + across.suffix, Align::middle);
    text_upwards(24, (top + bottom) / 2, picture_.up.label + up.suffix);
  }

  void graticule(double x0, double y0, double x1, double y1) {
    if (!picture_.graticule) return;
    ink(0.55, 0.45);
    line(x0, y0, x1, y1);
  }

  void draw_bar() {
    constexpr double width = 18;
    const double x = left_margin + map_.width + 22, top = top_margin, bottom = top + map_.height;
    for (int y = 0; y < map_.height; ++y) {
      const Color c = light_color(1 - (y + 0.5) / map_.height);
      cairo_set_source_rgb(cairo(), c.red / 255., c.green / 255., c.blue / 255.);
      cairo_rectangle(cairo(), x, top + y, width, 1);
      cairo_fill(cairo());
    }
    ink(0.2);
    box(x, top, width, map_.height);
    const Scale scale(picture_.bar->most);
    const Axis axis{"", 0, picture_.bar->most, nice_step(picture_.bar->most, map_.height > 300 ? 10 : 5)};
    ticks(axis, [&](double value, double share) {
      const double y = bottom - share * map_.height;
      line(x + width + 1, y, x + width + 6, y);
      text(x + width + 10, y + 4.5, scale.text(value), Align::left);
    });
    text_upwards(x + width + 62, (top + bottom) / 2, picture_.bar->label + scale.suffix);
  }

  void draw_key() {
    constexpr double side = 14, step = 26;
    const double x = left_margin + map_.width + 18;
    double y = top_margin;
    for (const ColorKey& entry : picture_.key) {
      const Color& c = entry.color;
      cairo_set_source_rgb(cairo(), c.red / 255., c.green / 255., c.blue / 255.);
      cairo_rectangle(cairo(), x, y, side, side);
      cairo_fill(cairo());
      ink(0.2);
      box(x, y, side, side);
      text(x + side + 7, y + 12, entry.label, Align::left);
      y += step;
    }
  }

  std::string bytes() const {
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
      throw std::bad_alloc();
    return png;
  }

  const Picture& picture_;
  const Size map_;
  std::unique_ptr<cairo_surface_t, Free> surface_;
  std::unique_ptr<cairo_t, Free> context_;
};

}  // namespace

std::string png_of(const Picture& picture) {
  try {
    const FontCaches caches;
    return Canvas(picture).draw();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for the picture");
  }
}

}  // namespace sphaera::tool
