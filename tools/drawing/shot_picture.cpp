#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exact/numbers/length.hpp>
#include <numbers>
#include <optional>
#include <tools/drawing/canvas.hpp>
#include <tools/drawing/shot_picture.hpp>
#include <tools/scene/scene_layers.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

using std::numbers::pi;

constexpr double legend_width = 228, map_width = 952;  // 1200 in all
constexpr double lost_opacity = 0.4;                   // opacity of a leg that ends without a hit
constexpr double least_aspect = 0.75, max_aspect = 2.2;

// Distinct also for red-green color-blind readers (P. Tol, "bright", 2021, but for the grays).
constexpr Color backdrop{247, 247, 244}, standing{219, 224, 230}, outline{128, 138, 150}, tick{88, 98, 112},
    hit_fill{250, 214, 205}, hit_outline{196, 78, 62}, flight{68, 119, 170}, bounced{228, 133, 19},
    pierced{136, 68, 153}, impact_dot{190, 22, 52}, muzzle_dot{30, 32, 36};

/// A rectangle of the plane, in the scene's unit.
struct Rectangle {
  double x0 = infinity, y0 = infinity, x1 = -infinity, y1 = -infinity;

  void add(const Vec3& p, double around) {
    x0 = std::min(x0, p.x - around), x1 = std::max(x1, p.x + around);
    y0 = std::min(y0, p.y - around), y1 = std::max(y1, p.y + around);
  }
  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
  void grow(double across, double up) { x0 -= across, x1 += across, y0 -= up, y1 += up; }
};

/// The part of the plane that the picture shows: starts, impacts and hit spheres, or all spheres if none is
/// hit. An edge is added on each side, and the aspect ratio is limited.
Rectangle window_of(const ShotPicture& picture) {
  Rectangle window;
  for (const ShotPath& path : picture.paths) {
    window.add(path.bullet.origin, path.bullet.radius);
    for (const Impact& impact : path.impacts)
      if (impact.outcome != Outcome::refused) window.add(impact.center, path.bullet.radius);
  }
  const bool nobody_hit = std::ranges::none_of(picture.bodies, [](const auto& body) { return body.is_hit; });
  for (const ShotPicture::Body& body : picture.bodies)
    if (body.is_hit || nobody_hit) window.add(body.sphere.center, body.sphere.radius);
  if (!(window.width() >= 0)) return {-1, -1, 1, 1};
  constexpr double edge = 0.04;
  const double longest = std::max({window.width(), window.height(), 1e-300});
  window.grow(edge * longest, edge * longest);
  const double too_flat = window.width() / max_aspect - window.height(),
               too_narrow = window.height() * least_aspect - window.width();
  window.grow(std::max(0.0, too_narrow / 2), std::max(0.0, too_flat / 2));
  return window;
}

struct Point {
  double x, y;
};

/// The part of a segment inside a rectangle (Liang, Barsky, 1984): cairo's coordinates end at 2^23.
std::optional<std::array<Point, 2>> clipped(const Point& a, const Point& b, double width, double height) {
  double from = 0, to = 1;
  const auto cut = [&](double start, double step, double room) {
    if (step == 0) return start >= 0 && start <= room;
    const double s = -start / step, t = (room - start) / step;
    from = std::max(from, std::min(s, t)), to = std::min(to, std::max(s, t));
    return from <= to;
  };
  const double dx = b.x - a.x, dy = b.y - a.y;
  if (!cut(a.x, dx, width) || !cut(a.y, dy, height)) return std::nullopt;
  return std::array{Point{a.x + from * dx, a.y + from * dy}, Point{a.x + to * dx, a.y + to * dy}};
}

/// What came before a leg of a flight. It gives the leg its color.
enum class After : std::uint8_t { muzzle, ricochet, passage };

class ShotDrawing {
  static constexpr double left_margin = 20, top_margin = 68, bottom_margin = 52;

 public:
  explicit ShotDrawing(const ShotPicture& picture)
      : picture_(picture),
        window_(window_of(picture)),
        scale_(map_width / window_.width()),
        height_(std::round(window_.height() * scale_)),
        canvas_(static_cast<int>(left_margin + map_width + legend_width),
                static_cast<int>(top_margin + height_ + bottom_margin)) {}

  std::string draw() {
    canvas_.titles(picture_.title, picture_.subtitle);
    choose_tick();
    draw_map();
    draw_scale();
    draw_legend();
    return canvas_.png();
  }

 private:
  using Align = Canvas::Align;

  cairo_t* cairo() const { return canvas_.cairo(); }

  /// In pixels of the map, from its upper left.
  Point place(const Vec3& p) const { return {(p.x - window_.x0) * scale_, (window_.y1 - p.y) * scale_}; }

  bool in_sight(const Point& p, double around) const {
    return p.x > -around && p.y > -around && p.x < map_width + around && p.y < height_ + around;
  }

  /// Sets tick_time_ so that in this time the fastest body moves 1/32 to 1/13 of the map's width.
  void choose_tick() {
    double fastest = 0;
    for (const auto& body : picture_.bodies)
      fastest = std::max(fastest, exact::length({body.velocity.x, body.velocity.y, 0}));
    if (fastest > 0) tick_time_ = nice_step(window_.width() / fastest, 32);
  }

  void draw_map() {
    cairo_save(cairo());
    cairo_translate(cairo(), left_margin, top_margin);
    cairo_rectangle(cairo(), 0, 0, map_width, height_);
    cairo_clip(cairo());
    canvas_.ink(backdrop);
    cairo_paint(cairo());
    for (const auto& body : picture_.bodies) draw_body(body);
    for (const ShotPath& path : picture_.paths) draw_path(path);
    for (const ShotPath& path : picture_.paths) draw_dots(path);
    cairo_restore(cairo());
    canvas_.ink(0.2);
    canvas_.box(left_margin, top_margin, map_width, height_);
  }

  void circle(const Point& p, double radius) {
    cairo_new_path(cairo());
    cairo_arc(cairo(), p.x, p.y, radius, 0, 2 * pi);
  }

  void disc(const Point& p, double radius, const Color& fill) {
    circle(p, radius);
    canvas_.ink(fill);
    cairo_fill(cairo());
  }

  void ring(const Point& p, double radius, const Color& color, double alpha = 1) {
    circle(p, radius);
    canvas_.ink(color, alpha);
    cairo_set_line_width(cairo(), 1);
    cairo_stroke(cairo());
  }

  void draw_sphere(const Point& p, double radius) { disc(p, radius, standing), ring(p, radius, outline); }
  void draw_hit_sphere(const Point& p, double radius) {
    disc(p, radius, hit_fill);
    ring(p, radius, hit_outline);
  }

  void dot(const Point& p, double radius, const Color& color) {
    disc(p, radius + 0.9, {255, 255, 255});
    disc(p, radius, color);
  }

  void stroke(const Point& a, const Point& b, const Color& color, double width, double alpha) {
    canvas_.ink(color, alpha);
    cairo_set_line_width(cairo(), width);
    cairo_new_path(cairo());
    cairo_move_to(cairo(), a.x, a.y);
    cairo_line_to(cairo(), b.x, b.y);
    cairo_stroke(cairo());
  }

  /// A line with a head, where there is room for one.
  void arrow(const Point& a, const Point& b) {
    constexpr double head = 4, narrow = 0.5;
    const double length = exact::length({b.x - a.x, b.y - a.y, 0});
    stroke(a, b, tick, 1.4, 1);
    if (length < 1.5 * head) return;
    const double x = head * (b.x - a.x) / length, y = head * (b.y - a.y) / length;
    stroke({b.x - x - narrow * y, b.y - y + narrow * x}, b, tick, 1.4, 1);
    stroke({b.x - x + narrow * y, b.y - y - narrow * x}, b, tick, 1.4, 1);
  }

  void draw_body(const ShotPicture::Body& body) {
    constexpr double least_radius = 0.75, longest_tick = map_width / 10;
    const Point p = place(body.sphere.center);
    const double radius = std::max(least_radius, body.sphere.radius * scale_);
    if (!in_sight(p, radius + longest_tick)) return;
    body.is_hit ? draw_hit_sphere(p, radius) : draw_sphere(p, radius);
    if (body.velocity != Vec3{}) arrow(p, place(body.sphere.center + tick_time_ * body.velocity));
  }

  /// Where the sphere is at the time of an impact; empty if it is within 1.5 pixels of its place at time 0.
  std::optional<Point> place_then(const Impact& impact) const {
    const auto& body = picture_.bodies[picture_.body_of(impact.sphere)];
    const Vec3 way = impact.time * body.velocity;
    if (!(exact::length({way.x, way.y, 0}) * scale_ > 1.5)) return std::nullopt;
    return place(body.sphere.center + way);
  }

  static const Color& color_of(After after) {
    return after == After::muzzle ? flight : after == After::ricochet ? bounced : pierced;
  }

  /// A flight of `time`, straight or bent, as it is seen from above.
  void leg(const Vec3& from, const Vec3& velocity, double time, After after, double alpha) {
    const Vec3& g = picture_.gravity;
    const int parts = g.x == 0 && g.y == 0 ? 1 : 64;
    const auto at = [&](double t) { return place(from + t * velocity + (0.5 * t * t) * g); };
    for (int i = 0; i < parts; ++i) {
      const auto seen = clipped(at(time * i / parts), at(time * (i + 1) / parts), map_width, height_);
      if (seen) stroke((*seen)[0], (*seen)[1], color_of(after), 1.4, alpha);
    }
  }

  void draw_path(const ShotPath& path) {
    Vec3 from = path.bullet.origin, velocity = path.bullet.velocity;
    double time = path.bullet.start;
    After after = After::muzzle;
    for (const Impact& impact : path.impacts) {
      if (impact.outcome == Outcome::refused) return;
      leg(from, velocity, impact.time - time, after, 1);
      if (impact.outcome == Outcome::stops || impact.outcome == Outcome::stuck) return;
      from = impact.center, velocity = impact.velocity, time = impact.time;
      after = impact.outcome == Outcome::passes ? After::passage : After::ricochet;
    }
    const double speed = exact::length({velocity.x, velocity.y, 0});
    if (!(speed > 0)) return;
    const double beyond = 2 * (window_.width() + window_.height()) / speed;
    leg(from, velocity, std::clamp(path.end - time, 0.0, beyond), after, lost_opacity);
  }

  void draw_dots(const ShotPath& path) {
    dot(place(path.bullet.origin), 2.5, muzzle_dot);
    for (const Impact& impact : path.impacts) {
      if (impact.outcome == Outcome::refused) continue;
      const double radius = picture_.bodies[picture_.body_of(impact.sphere)].sphere.radius * scale_;
      if (const auto then = place_then(impact)) ring(*then, radius, hit_outline, 0.6), has_moved_ = true;
      dot(place(impact.point), 2.8, impact_dot);
    }
  }

  /// The scale bar: a round length of 1/6 to 5/12 of the map's width.
  void draw_scale() {
    const double length = nice_step(window_.width() / 6, 1), pixels = length * scale_;
    const double y = top_margin + height_ + 20;
    canvas_.ink(0.15);
    cairo_set_line_width(cairo(), 2);
    canvas_.line(left_margin, y, left_margin + pixels, y);
    cairo_set_line_width(cairo(), 1);
    for (const double x : {left_margin, left_margin + pixels}) canvas_.line(x, y - 4, x, y + 4);
    canvas_.font(Canvas::text_size);
    const std::string unit = picture_.unit.empty() ? "units of length" : picture_.unit;
    canvas_.text(left_margin, y + 20, fmt::format("{:.6g} {}", length, unit), Align::left);
    canvas_.ink(0.35);
    canvas_.text(left_margin + map_width, y + 20,
                 "seen from above, x to the right, y up: a line across a circle may pass over or under it",
                 Align::right);
  }

  bool any(Outcome outcome) const {
    return std::ranges::any_of(picture_.paths, [&](const ShotPath& path) {
      return std::ranges::any_of(path.impacts, [&](const Impact& i) { return i.outcome == outcome; });
    });
  }

  /// A row of the legend: a sample drawn at (x, y), and words.
  template <class Sample>
  void entry(double& y, const std::string& words, const Sample& sample) {
    constexpr double step = 27, sample_width = 30;
    const double x = left_margin + map_width + 18;
    sample(Point{x, y}, Point{x + sample_width, y});
    canvas_.ink(0.15);
    canvas_.font(Canvas::text_size);
    canvas_.text(x + sample_width + 10, y + 4.5, words, Align::left);
    y += step;
  }

  void draw_legend() {
    constexpr double radius = 9;
    const auto middle = [](const Point& a, const Point& b) { return Point{(a.x + b.x) / 2, a.y}; };
    const auto line = [&](const Color& color, double alpha) {
      return [=, this](const Point& a, const Point& b) { stroke(a, b, color, 1.8, alpha); };
    };
    double y = top_margin + 14;
    entry(y, "sphere, at time 0", [&](const Point& a, const Point& b) { draw_sphere(middle(a, b), radius); });
    if (tick_time_ > 0) {
      entry(y, fmt::format("its path in a time of {:.6g}", tick_time_),
            [&](const Point& a, const Point& b) { arrow({a.x + 5, a.y}, {b.x - 5, b.y}); });
    }
    const bool ricochets = any(Outcome::ricochets), passages = any(Outcome::passes);
    if (ricochets || passages || any(Outcome::stops) || any(Outcome::stuck)) {
      entry(y, "sphere that is hit",
            [&](const Point& a, const Point& b) { draw_hit_sphere(middle(a, b), radius); });
      if (has_moved_) {
        entry(y, "its position when hit",
              [&](const Point& a, const Point& b) { ring(middle(a, b), radius, hit_outline, 0.6); });
      }
      entry(y, "impact", [&](const Point& a, const Point& b) { dot(middle(a, b), 2.8, impact_dot); });
    }
    entry(y, "muzzle", [&](const Point& a, const Point& b) { dot(middle(a, b), 2.5, muzzle_dot); });
    entry(y, "bullet", line(flight, 1));
    if (ricochets) entry(y, "after a ricochet", line(bounced, 1));
    if (passages) entry(y, "after passing through", line(pierced, 1));
    entry(y, "pale: no further hit", line(flight, lost_opacity));
  }

  const ShotPicture& picture_;
  const Rectangle window_;
  const double scale_, height_;
  double tick_time_ = 0;
  bool has_moved_ = false;  ///< some sphere is hit away from where it is at time 0
  Canvas canvas_;
};

std::string summary(const ShotPicture& picture) {
  std::size_t moving = 0, hit = 0, impacts = 0, hitting = 0;
  for (const auto& body : picture.bodies) moving += body.velocity != Vec3{}, hit += body.is_hit;
  for (const auto& path : picture.paths) impacts += path.impacts.size(), hitting += !path.impacts.empty();
  std::string text = counted(picture.bodies.size(), "sphere");
  if (moving > 0) text += fmt::format(", of which {} move", moving);
  return fmt::format("{}   {}, of which {} hit   {} on {}", text, counted(picture.paths.size(), "bullet"),
                     hitting, counted(impacts, "impact"), counted(hit, "sphere"));
}

}  // namespace

ShotPicture shot_picture(const Scene& scene, LayerMask layers, std::span<const Bullet> bullets,
                         const ImpactLists& impacts, double horizon_end) {
  ShotPicture picture;
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    const double end = std::min(bullets[i].start + bullets[i].duration, horizon_end);
    picture.paths.push_back({bullets[i], end, {impacts[i].begin(), impacts[i].end()}});
  }
  std::vector<bool> hit(scene.spheres().size());
  for (const Impact& impact : impacts.items)
    if (impact.outcome != Outcome::refused) hit[static_cast<std::size_t>(impact.sphere)] = true;
  for (std::size_t i = 0; i < hit.size(); ++i) {
    if (!on_layers(scene, layers, i)) continue;
    const Vec3 velocity = scene.velocities().empty() ? Vec3{} : scene.velocities()[i];
    picture.ids.push_back(static_cast<std::int64_t>(i));
    picture.bodies.push_back({scene.spheres()[i], velocity, hit[i]});
  }
  picture.subtitle = summary(picture);
  return picture;
}

std::size_t ShotPicture::body_of(std::int64_t sphere) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ids, sphere) - ids.begin());
}

std::string png_of(const ShotPicture& picture) { return ShotDrawing(picture).draw(); }

}  // namespace sphaera::tool
