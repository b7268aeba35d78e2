#include "picture.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "house.hpp"

namespace level {
namespace {

using sphaera::Vec3;

Vec3 unit(const Vec3& v) { return 1 / std::sqrt(dot(v, v)) * v; }
Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// Looks down on the house from beyond its southern wall.
class Camera {
 public:
  Camera(std::uint32_t w, std::uint32_t h) : width_(w), height_(h) {
    forward_ = unit(Vec3{24, 13.2, 0} - eye_);
    right_ = unit(cross(forward_, Vec3{0, 0, 1}));
    up_ = cross(right_, forward_);
  }
  sphaera::Ray ray(double x, double y) const {
    const double u = (x - width_ / 2) / width_, v = (height_ / 2 - y) / width_;
    return {eye_, unit(forward_ + field_ * (u * right_ + v * up_))};
  }
  /// Pixel coordinates of a point, and its distance from the eye.
  Vec3 project(const Vec3& point) const {
    const Vec3 to = point - eye_;
    const double depth = dot(to, forward_) * field_ / width_;
    return {width_ / 2 + dot(to, right_) / depth, height_ / 2 - dot(to, up_) / depth, std::sqrt(dot(to, to))};
  }

 private:
  static constexpr double field_ = 0.92;  // width of the picture ÷ distance
  double width_, height_;
  Vec3 eye_{24, -27, 52}, forward_, right_, up_;
};

constexpr std::array<Vec3, 7> shirts{{{.70, .16, .14},
                                      {.13, .30, .62},
                                      {.16, .46, .28},
                                      {.78, .55, .16},
                                      {.42, .22, .52},
                                      {.16, .50, .56},
                                      {.72, .72, .70}}};

Vec3 color_of(const LevelHit& seen) {
  switch (seen.part) {
    case Part::floor: {
      const bool odd = (int(std::floor(seen.point.x)) + int(std::floor(seen.point.y))) & 1;
      return odd ? Vec3{.50, .47, .43} : Vec3{.56, .53, .49};
    }
    case Part::statue:
      return {.95, .70, .30};
    case Part::people: {
      const auto person = static_cast<std::size_t>(seen.sphere) / spheres_per_person;
      const std::size_t part = static_cast<std::size_t>(seen.sphere) % spheres_per_person;
      if (part == spheres_per_person - 1) return {.80, .60, .47};  // the head
      return part < 2 ? 0.45 * shirts[(3 * person + 1) % shirts.size()] : shirts[person % shirts.size()];
    }
    default:
      return {.74, .72, .69};
  }
}

/// Light on a point of the level: of the sky, of each lamp that is in sight.
Vec3 shade(const World& world, std::span<const Vec3> lamps, const LevelHit& seen, Random& random) {
  constexpr double reach = 17, lamp_size = 0.12, start_off = 1e-3;  // meters
  const Vec3 color = color_of(seen);
  if (seen.part == Part::walls && seen.point.z > double(height) - 1e-3) return {.30, .31, .34};  // a cut wall
  Vec3 light{.065, .073, .093};
  const Vec3 from = seen.point + start_off * seen.normal;
  for (const Vec3& lamp : lamps) {
    const Vec3 position =
        lamp + lamp_size * Vec3{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    const Vec3 to = position - from;
    const double square = dot(to, to), facing = dot(to, seen.normal);
    if (facing <= 0 || square > reach * reach) continue;
    const double fade = 1 - square / (reach * reach);
    if (world.blocked({from, to, 0, 1}, View::open)) continue;
    light = light + 11 * fade * fade * facing / std::sqrt(square) / (1.5 + square) * Vec3{1, .84, .62};
  }
  return times(color, light);
}

/// The color and the distance of every pixel.
struct Image {
  std::uint32_t width, height;
  std::vector<Vec3> color;
  std::vector<double> distance;
};

void draw_pixel(const World& world, std::span<const Vec3> lamps, const Camera& camera, int samples,
                std::uint32_t x, std::uint32_t y, Image& image) {
  const std::size_t pixel = std::size_t{y} * image.width + x;
  Random random(pixel);
  Vec3 sum;
  double nearest = sphaera::infinity;
  for (int row = 0; row < samples; ++row) {
    for (int column = 0; column < samples; ++column) {
      const double u = x + (column + random.between(0, 1)) / samples,
                   v = y + (row + random.between(0, 1)) / samples;
      const LevelHit seen = world.first(camera.ray(u, v), View::open);
      sum = sum + (seen.part == Part::nothing ? Vec3{.012, .014, .02} : shade(world, lamps, seen, random));
      nearest = std::min(nearest, seen.t);
    }
  }
  image.color[pixel] = 1.0 / (samples * samples) * sum;
  image.distance[pixel] = nearest;
}

Image render(const World& world, std::span<const Vec3> lamps, const Camera& camera,
             const PictureOptions& options) {
  const std::size_t pixels = std::size_t{options.width} * options.height;
  Image image{options.width, options.height, std::vector<Vec3>(pixels), std::vector<double>(pixels)};
  std::atomic<std::uint32_t> next{0};
  const auto work = [&] {
    for (std::uint32_t y; (y = next++) < image.height;)
      for (std::uint32_t x = 0; x < image.width; ++x)
        draw_pixel(world, lamps, camera, options.samples, x, y, image);
  };
  std::vector<std::thread> threads;
  for (unsigned k = 1; k < std::max(1u, std::thread::hardware_concurrency()); ++k) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return image;
}

void blend(Image& image, long x, long y, const Vec3& color, double share) {
  if (x < 0 || y < 0 || x >= long(image.width) || y >= long(image.height)) return;
  Vec3& pixel = image.color[std::size_t(y) * image.width + std::size_t(x)];
  pixel = (1 - share) * pixel + share * color;
}

/// A line of light; where walls or people hide it, it is faint.
void draw_line(Image& image, const Vec3& a, const Vec3& b, double wide, const Vec3& color) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  if (!(square > 0)) return;
  const double edge = wide + 1;
  for (long y = long(std::min(a.y, b.y) - edge); y <= long(std::max(a.y, b.y) + edge); ++y) {
    for (long x = long(std::min(a.x, b.x) - edge); x <= long(std::max(a.x, b.x) + edge); ++x) {
      if (x < 0 || y < 0 || x >= long(image.width) || y >= long(image.height)) continue;
      const double px = double(x) + .5 - a.x, py = double(y) + .5 - a.y;
      const double s = std::clamp((px * dx + py * dy) / square, 0.0, 1.0);
      const double cover = wide / 2 + .5 - std::hypot(px - s * dx, py - s * dy);
      if (cover <= 0) continue;
      const bool hidden =
          a.z + s * (b.z - a.z) > image.distance[std::size_t(y) * image.width + std::size_t(x)] + .05;
      blend(image, x, y, color, std::min(1.0, cover) * (hidden ? .25 : 1));
    }
  }
}

void draw_dot(Image& image, const Vec3& center, double radius, const Vec3& color) {
  for (long y = long(center.y - radius - 1); y <= long(center.y + radius + 1); ++y) {
    for (long x = long(center.x - radius - 1); x <= long(center.x + radius + 1); ++x) {
      const double cover = radius + .5 - std::hypot(double(x) + .5 - center.x, double(y) + .5 - center.y);
      if (cover > 0) blend(image, x, y, color, std::min(1.0, cover));
    }
  }
}

void draw_hit(Image& image, const Vec3& at, double scale) {
  draw_dot(image, at, 3.4 * scale, {2.2, .1, .1});
  draw_dot(image, at, 2 * scale, {3, 3, 3});
}

/// Bullets: yellow first, redder after each bounce; a white dot with a red rim where one hits a person.
void draw_bullets(Image& image, const Camera& camera, std::span<const std::vector<Leg>> bullets) {
  const double scale = image.width / 960.0;
  for (const std::vector<Leg>& legs : bullets) {
    for (std::size_t k = 0; k < legs.size(); ++k) {
      const double warm = 1.0 / (1 + double(k));
      draw_line(image, camera.project(legs[k].from), camera.project(legs[k].to), 1.5 * scale,
                {2.2, .12 + 1.6 * warm * warm, .10});
    }
    for (const Leg& leg : legs)
      if (leg.end == Part::people) draw_hit(image, camera.project(leg.to), scale);
    if (!legs.empty()) draw_dot(image, camera.project(legs[0].from), 3.2 * scale, {.1, 2.2, .5});
  }
}

/// Light as a byte of sRGB, with bright parts compressed.
std::uint8_t byte_of(double light) {
  const double mapped = 1 - std::exp(-1.9 * std::max(light, 0.0));
  const double encoded = mapped <= .0031308 ? 12.92 * mapped : 1.055 * std::pow(mapped, 1 / 2.4) - .055;
  return static_cast<std::uint8_t>(std::lround(255 * encoded));
}

}  // namespace

Pixels draw(const World& world, std::span<const Vec3> lamps, std::span<const std::vector<Leg>> bullets,
            const PictureOptions& options) {
  const Camera camera(options.width, options.height);
  Image image = render(world, lamps, camera, options);
  for (const Vec3& lamp : lamps)
    draw_dot(image, camera.project(lamp), 2.2 * options.width / 960, {3, 2.5, 1.5});
  draw_bullets(image, camera, bullets);
  Pixels pixels{options.width, options.height, {}};
  for (const Vec3& light : image.color)
    for (int axis = 0; axis < 3; ++axis) pixels.rgb.push_back(byte_of(light[axis]));
  return pixels;
}

}  // namespace level
