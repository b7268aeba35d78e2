#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tools/drawing/canvas.hpp>
#include <tools/drawing/map_picture.hpp>
#include <tools/drawing/power_of_ten.hpp>

namespace sphaera::tool {
namespace {

constexpr double least_long_edge = 480, least_short_edge = 160;

struct Size {
  int width, height;
};

/// The size of the map without axes and key: at least one pixel per receiver and large enough to read, unless
/// cairo's limit makes it smaller.
Size map_size(const Picture& picture) {
  const double columns = static_cast<double>(picture.pixels.columns),
               rows = static_cast<double>(picture.pixels.rows);
  const double least_width = least_long_edge * std::min(1.0, picture.aspect);
  const double true_width = std::max({least_width, columns, rows * picture.aspect});
  const double width = std::max(least_short_edge, true_width),
               height = std::max(least_short_edge, true_width / picture.aspect);
  constexpr double most = 30000;  // leaves room for axes within longest_edge
  const double shrink = std::min({1.0, most / width, most / height});
  return {static_cast<int>(std::lround(width * shrink)), static_cast<int>(std::lround(height * shrink))};
}

std::string superscript(int number) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

/// Large and small numbers share a power of ten, given in the label.
struct Scale {
  double unit = 1;
  std::string suffix;

  explicit Scale(double most) {
    const int digits = most > 0 ? decimal_exponent(most) : 0, exponent = digits - (digits % 3 + 3) % 3;
    if (exponent >= -3 && exponent <= 3) return;
    unit = power_of_ten(exponent);
    suffix = ", × 10" + superscript(exponent);
  }
  std::string text(double value) const {
    std::string number = fmt::format("{:.9g}", value / unit);
    return number == "-0" ? "0" : number;
  }
};

/// The room around a map for axes, key and titles.
struct Margins {
  double left = 78, top = 70, right = 132, bottom = 62;

  double width(const Size& map) const { return left + map.width + right; }
  double height(const Size& map) const { return top + map.height + bottom; }
};
constexpr Margins alone{}, on_sheet{.top = 34};
constexpr double sheet_head = 62;  // the room of the titles of a sheet

/// Columns and rows of the maps on a sheet, which is about half as wide again as high.
struct Layout {
  std::uint64_t columns, rows;

  Layout(std::uint64_t count, std::uint64_t group, const Size& map) {
    constexpr std::uint64_t most_in_a_row = 3;
    constexpr double shape = 1.6;
    const std::uint64_t groups = (count + group - 1) / group;
    std::uint64_t across = groups;
    if (count > most_in_a_row) {
      const double ideal = std::sqrt(shape * static_cast<double>(groups) * on_sheet.height(map) /
                                     (on_sheet.width(map) * static_cast<double>(group)));
      across = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::llround(ideal)), 1, groups);
    }
    rows = (groups + across - 1) / across;
    columns = (groups + rows - 1) / rows * group;  // the last row is as full as possible
  }
  double width(const Size& map) const { return static_cast<double>(columns) * on_sheet.width(map); }
  double height(const Size& map) const {
    return sheet_head + static_cast<double>(rows) * on_sheet.height(map);
  }
};

/// A map with its axes and its key.
class Drawing {
 public:
  /// `left` and `top`: of the map, whole numbers. Nothing is drawn below `lowest`.
  Drawing(Canvas& canvas, const Picture& picture, const Size& map, double left, double top, double lowest)
      : canvas_(canvas), picture_(picture), map_(map), left_(left), top_(top), lowest_(lowest) {}

  void draw() {
    draw_map();
    draw_bodies();
    picture_.disc ? draw_disc() : draw_axes();
    picture_.bar ? draw_bar() : draw_key();
  }

 private:
  using Align = Canvas::Align;

  void draw_map() {
    cairo_surface_flush(canvas_.surface());
    unsigned char* data = cairo_image_surface_get_data(canvas_.surface());
    const std::ptrdiff_t stride = cairo_image_surface_get_stride(canvas_.surface());
    const auto& [columns, rows] = picture_.pixels;
    for (int y = 0; y < map_.height; ++y) {
      auto* line = reinterpret_cast<std::uint32_t*>(data + (y + static_cast<int>(top_)) * stride) +
                   static_cast<int>(left_);
      const auto from_top = static_cast<std::uint64_t>(y) * rows / static_cast<std::uint64_t>(map_.height);
      const Color* row = picture_.colors.data() + (rows - 1 - from_top) * columns;
      for (int x = 0; x < map_.width; ++x) {
        const Color& c =
            row[static_cast<std::uint64_t>(x) * columns / static_cast<std::uint64_t>(map_.width)];
        line[x] = std::uint32_t{c.red} << 16 | std::uint32_t{c.green} << 8 | c.blue;
      }
    }
    cairo_surface_mark_dirty(canvas_.surface());
  }

  /// Outlines, dark around light, so that they are seen on any color.
  void draw_bodies() {
    cairo_t* const cairo = canvas_.cairo();
    cairo_save(cairo);
    cairo_rectangle(cairo, left_, top_, map_.width, map_.height);
    cairo_clip(cairo);
    for (const auto& [center, first, second] : picture_.bodies) {
      cairo_save(cairo);
      // From the unit circle to the map, whose y points down.
      cairo_matrix_t place{first.across * map_.width,          -first.up * map_.height,
                           second.across * map_.width,         -second.up * map_.height,
                           left_ + center.across * map_.width, top_ + (1 - center.up) * map_.height};
      cairo_transform(cairo, &place);
      cairo_new_path(cairo);
      cairo_arc(cairo, 0, 0, 1, 0, 2 * std::numbers::pi);
      cairo_restore(cairo);  // the pen stays round
      canvas_.ink(0);
      cairo_set_line_width(cairo, 2);
      cairo_stroke_preserve(cairo);
      canvas_.ink(1);
      cairo_set_line_width(cairo, 1);
      cairo_stroke(cairo);
    }
    cairo_restore(cairo);
  }

  /// Calls place(value, share) for every tick of an axis, which may descend; `share` is its position, 0 … 1
  /// along the axis.
  template <class Place>
  static void ticks(const Axis& axis, const Place& place) {
    const double length = axis.to - axis.from, least = std::min(axis.from, axis.to);
    const double step = axis.step > 0 ? axis.step : nice_step(std::fabs(length), 6);
    const double rounding = 1e-9 * std::fabs(length);
    for (double i = std::ceil((least - rounding) / step); i * step <= least + std::fabs(length) + rounding;
         ++i)
      place(i * step, (i * step - axis.from) / length);
  }

  void draw_axes() {
    const double left = left_, top = top_, right = left + map_.width, bottom = top + map_.height;
    canvas_.font(Canvas::text_size);
    const Scale across(std::max(std::fabs(picture_.across.from), std::fabs(picture_.across.to)));
    ticks(picture_.across, [&](double value, double share) {
      const double x = left + share * map_.width;
      graticule(x, top, x, bottom);
      canvas_.ink(0.2);
      canvas_.line(x, bottom, x, bottom + 5);
      canvas_.text(x, bottom + 20, across.text(value), Align::middle);
    });
    const Scale up(std::max(std::fabs(picture_.up.from), std::fabs(picture_.up.to)));
    ticks(picture_.up, [&](double value, double share) {
      const double y = bottom - share * map_.height;
      graticule(left, y, right, y);
      canvas_.ink(0.2);
      canvas_.line(left - 6, y, left - 1, y);
      canvas_.text(left - 9, y + 4.5, up.text(value), Align::right);
    });
    canvas_.ink(0.2);
    canvas_.box(left, top, map_.width, map_.height);
    canvas_.text((left + right) / 2, bottom + 44, picture_.across.label + across.suffix, Align::middle);
    canvas_.text_upwards(left - alone.left + 24, top, bottom, lowest_, picture_.up.label + up.suffix);
  }

  void graticule(double x0, double y0, double x1, double y1) {
    if (!picture_.graticule) return;
    canvas_.ink(0.55, 0.45);
    canvas_.line(x0, y0, x1, y1);
  }

  double x_of(const MapPoint& at) const { return left_ + at.across * map_.width; }
  double y_of(const MapPoint& at) const { return top_ + (1 - at.up) * map_.height; }

  /// Longitudes and latitudes, and a limb that is round where pixels are large.
  void draw_disc() {
    cairo_t* const cairo = canvas_.cairo();
    cairo_save(cairo);
    cairo_new_path(cairo);
    canvas_.ink(0.6, 0.5);
    for (const std::vector<MapPoint>& line : picture_.disc->lines) {
      for (const MapPoint& at : line) cairo_line_to(cairo, x_of(at), y_of(at));
      cairo_stroke(cairo);
    }
    const double radius = map_.width / 2.;
    cairo_arc(cairo, left_ + radius, top_ + radius, radius, 0, 2 * std::numbers::pi);
    cairo_path_t* const limb = cairo_copy_path(cairo);
    cairo_rectangle(cairo, left_, top_, map_.width, map_.height);
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD);
    canvas_.ink(1);
    cairo_fill(cairo);
    cairo_append_path(cairo, limb);
    cairo_path_destroy(limb);
    canvas_.ink(0.2);
    cairo_stroke(cairo);
    cairo_restore(cairo);
    canvas_.font(Canvas::text_size);
    for (const auto& [at, text] : picture_.disc->labels) {
      constexpr double gap = 4;
      const bool is_far_right = at.across > 0.8;  // to the right it would leave the disc
      canvas_.text_on_map(x_of(at) + (is_far_right ? -gap : gap), y_of(at) - gap, text,
                          is_far_right ? Align::right : Align::left);
    }
  }

  void draw_bar() {
    constexpr double width = 18;
    const double x = left_ + map_.width + 22, top = top_, bottom = top + map_.height;
    for (int y = 0; y < map_.height; ++y) {
      const Color c = number_color(1 - (y + 0.5) / map_.height);
      canvas_.ink(c);
      cairo_rectangle(canvas_.cairo(), x, top + y, width, 1);
      cairo_fill(canvas_.cairo());
    }
    canvas_.ink(0.2);
    canvas_.box(x, top, width, map_.height);
    const Scale scale(picture_.bar->most);
    const Axis axis{"", 0, picture_.bar->most, nice_step(picture_.bar->most, map_.height > 300 ? 10 : 5)};
    ticks(axis, [&](double value, double share) {
      const double y = bottom - share * map_.height;
      canvas_.line(x + width + 1, y, x + width + 6, y);
      canvas_.text(x + width + 10, y + 4.5, scale.text(value), Align::left);
    });
    canvas_.text_upwards(x + width + 62, top, bottom, lowest_, picture_.bar->label + scale.suffix);
  }

  void draw_key() {
    constexpr double side = 14, step = 26;
    const double x = left_ + map_.width + 18;
    double y = top_;
    for (const ColorKey& entry : picture_.key) {
      const Color& c = entry.color;
      canvas_.ink(c);
      cairo_rectangle(canvas_.cairo(), x, y, side, side);
      cairo_fill(canvas_.cairo());
      canvas_.ink(0.2);
      canvas_.box(x, y, side, side);
      canvas_.text(x + side + 7, y + 12, entry.label, Align::left);
      y += step;
    }
  }

  Canvas& canvas_;
  const Picture& picture_;
  const Size map_;
  const double left_, top_, lowest_;
};

int whole_pixels(double length) { return static_cast<int>(length); }

}  // namespace

bool fit_on_sheet(const Picture& map, std::uint64_t count, std::uint64_t group) {
  const Size size = map_size(map);
  const Layout layout(count, group, size);
  return layout.width(size) <= longest_edge && layout.height(size) <= longest_edge;
}

std::string png_of(const Picture& picture) {
  const Size map = map_size(picture);
  const double height = alone.height(map);
  Canvas canvas(whole_pixels(alone.width(map)), whole_pixels(height));
  Drawing(canvas, picture, map, alone.left, alone.top, height - Canvas::margin).draw();
  canvas.titles(picture.title, picture.subtitle);
  return canvas.png();
}

std::string png_of(const Sheet& sheet) {
  const Size map = map_size(sheet.maps.front());
  const Layout layout(sheet.maps.size(), sheet.group, map);
  Canvas canvas(whole_pixels(layout.width(map)), whole_pixels(layout.height(map)));
  canvas.titles(sheet.title, sheet.subtitle);
  for (std::size_t i = 0; i < sheet.maps.size(); ++i) {
    const std::uint64_t row = i / layout.columns, column = i % layout.columns;
    const double left = static_cast<double>(column) * on_sheet.width(map) + on_sheet.left;
    const double above = sheet_head + static_cast<double>(row) * on_sheet.height(map);
    const double room = map.width + on_sheet.right - Canvas::margin;
    canvas.ink(0.1);
    canvas.fitted_text(left, above + 22, sheet.maps[i].title, room, Canvas::text_size, Canvas::Weight::bold);
    Drawing(canvas, sheet.maps[i], map, left, above + on_sheet.top, above + on_sheet.height(map)).draw();
  }
  return canvas.png();
}

}  // namespace sphaera::tool
