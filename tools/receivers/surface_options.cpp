#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/receivers/surface_options.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {
namespace {

bool parse_vector(const std::string& text, std::optional<Vec3>& vector) {
  std::array<double, 3> v{};
  if (!parse_numbers(text, v)) return false;
  vector = Vec3{v[0], v[1], v[2]};
  return true;
}

bool parse_plane(const std::string& text, std::optional<Plane>& plane) {
  std::array<double, 9> v{};
  if (!parse_numbers(text, v)) return false;
  plane = Plane{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}};
  return true;
}

bool parse_window(const std::string& text, std::optional<Window>& given) {
  std::array<double, 4> v{};
  if (!parse_numbers(text, v)) return false;
  const Window window{v[0], v[1], v[2], v[3]};
  given = window;
  const bool ordered = window.west < window.east && window.south < window.north;
  return ordered && window.east - window.west <= 360 && window.south >= -90 && window.north <= 90 &&
         std::fabs(window.west) <= 360 && std::fabs(window.east) <= 360;
}

bool parse_pixels(const std::string& text, std::optional<Pixels>& pixels) {
  const std::size_t times = text.find('x');
  std::int64_t columns = 0, rows = 0;
  if (times == std::string::npos || io::parse_integer(text.substr(0, times), columns) != io::Parse::ok ||
      io::parse_integer(text.substr(times + 1), rows) != io::Parse::ok) {
    return false;
  }
  constexpr auto most = static_cast<std::int64_t>(max_pixels);
  if (columns < 1 || rows < 1 || columns > most || rows > most) return false;
  pixels = Pixels{static_cast<std::uint64_t>(columns), static_cast<std::uint64_t>(rows)};
  return true;
}

/// A grid of nearly square pixels: `along` on the longer edge, at least `least` on each edge. A plane without
/// area may have no aspect (NaN); it gets some valid grid here and is refused later.
Pixels square_pixels(double along, double aspect) {
  constexpr double least = 16;
  const auto whole = [](double edge) {
    return static_cast<std::uint64_t>(std::fmax(std::round(edge), least));
  };
  return {whole(along * std::fmin(aspect, 1)), whole(along * std::fmin(1 / aspect, 1))};
}

Pixels pixels_of(const Plane& plane) { return square_pixels(640, length(plane.across) / length(plane.up)); }

Pixels pixels_of(const Window& window) {
  return square_pixels(720, (window.east - window.west) / (window.north - window.south));
}

constexpr Pixels disc_pixels{640, 640};

}  // namespace

bool SurfaceOptions::parse_seen_from(const std::string& text, std::optional<SeenFrom>& from) {
  from = SeenFrom{.text = text};
  std::array<double, 2> above{};
  if (text.find(',') == std::string::npos) {
    from->word = text;
  } else if (parse_numbers(text, above)) {
    from->above = above;
    return std::fabs(above[0]) <= 360 && std::fabs(above[1]) <= 90;
  } else {
    return parse_vector(text, from->place);
  }
  return !text.empty();
}

void SurfaceOptions::declare(CLI::App& app) {
  add_parsed(
      app, "--plane",
      "A rectangle: a corner O and the edges U and V from it, three numbers each; lit from the side of U × V",
      "nine numbers, ox,oy,oz,ux,uy,uz,vx,vy,vz",
      [this](const std::string& text) { return parse_plane(text, plane_); })
      .type_name("O,U,V");
  add_text(app, "--globe", globe_, "A sphere, by id or name, that the receivers stand on")
      .type_name("SPHERE");
  add_query_file(app, "--observers", observers_, "Receivers of a file",
                 files::query_columns<Receiver>().text());
  add_parsed(app, "--pixels",
             "Number of receivers across and up; default 720 along the longer edge of a globe's map, 640 of "
             "a plane's and a disc's. With --observers: the rows of the file fill the picture line by line, "
             "from below",
             fmt::format("WxH with numbers from 1 to {}", max_pixels),
             [this](const std::string& text) { return parse_pixels(text, pixels_); })
      .type_name("WxH");
  add_parsed(app, "--north",
             "Of a globe: the direction of its north pole; default: the axis of its \"spin\", else 0,0,1",
             "three numbers", [this](const std::string& text) { return parse_vector(text, north_); })
      .type_name("X,Y,Z");
  add_parsed(
      app, "--meridian",
      "Of a globe: the direction in which longitude is 0; default: that of its \"spin\" at --time, else "
      "1,0,0",
      "three numbers", [this](const std::string& text) { return parse_vector(text, meridian_); })
      .type_name("X,Y,Z");
  add_parsed(app, "--window",
             "Of a globe: only this part, longitude and latitude in degrees; default -180,-90,180,90",
             "degrees, west < east within 360 of each other, south < north within ±90",
             [this](const std::string& text) { return parse_window(text, window_); })
      .type_name("W,S,E,N");
  add_parsed(app, "--disc",
             "Of a globe: its near half as seen from far away, north up: from above LON,LAT in degrees, from "
             "the direction of a place X,Y,Z, of a sphere by id or name, or of `star`, that of --of",
             "LON,LAT with latitudes within ±90, X,Y,Z, a sphere, or star",
             [this](const std::string& text) { return parse_seen_from(text, disc_); })
      .type_name("FROM");
}

void SurfaceOptions::check() const {
  if (plane_.has_value() + !globe_.empty() + !observers_.empty() != 1)
    throw UsageError("give one surface: --plane, --globe or --observers; see 'sphaera map --help'");
  if (disc_ && globe_.empty()) throw UsageError("--disc: only a globe has one; give --globe SPHERE");
  if (disc_ && window_) throw UsageError("--disc: it shows a whole half of the globe; leave out --window");
}

PlacedSurface SurfaceOptions::place(const LoadedScene& file, const NamedStar* star, const CsvOptions& csv,
                                    const Console& console, const std::stop_token& stop,
                                    std::vector<io::FileDigest>* digests) const {
  if (plane_) return place_plane(file);
  return globe_.empty() ? place_listed(file, csv, console, stop, digests) : place_globe(file, star);
}

PlacedSurface SurfaceOptions::place_plane(const LoadedScene& file) const {
  return {plane_surface(*plane_, pixels_.value_or(pixels_of(*plane_)), file.unit), "on a plane"};
}

PlacedSurface SurfaceOptions::place_globe(const LoadedScene& file, const NamedStar* star) const {
  const std::size_t id = sphere_called("--globe", globe_, file);
  const bool named = !file.names.empty() && !file.names[id].empty();
  Graticule graticule = graticule_of(file.rotations, id);
  if (north_) graticule.north = *north_;
  if (meridian_) graticule.meridian = *meridian_;
  if (north_ || meridian_) check_options(graticule);
  const Globe globe{file.bodies()[id], static_cast<std::int64_t>(id), graticule};
  const std::string where = named ? "on " + std::string(file.names[id]) : fmt::format("on sphere {}", id);
  if (disc_)
    return {disc_surface(globe, view_of(globe, file, star), pixels_.value_or(disc_pixels)), where,
            view_text(star)};
  const Window window = window_.value_or(Window{});
  return {globe_surface(globe, window, pixels_.value_or(pixels_of(window))), where};
}

std::string SurfaceOptions::view_text(const NamedStar* star) const {
  if (disc_->above)
    return fmt::format("seen from above longitude {}, latitude {}", (*disc_->above)[0], (*disc_->above)[1]);
  if (is_seen_from_star()) return "seen from " + (star->name.empty() ? "the star" : star->name);
  const bool is_id = disc_->text.find_first_not_of("0123456789") == std::string::npos;
  return (is_id ? "seen from sphere " : "seen from ") + disc_->text;
}

DiscView SurfaceOptions::view_of(const Globe& globe, const LoadedScene& file, const NamedStar* star) const {
  if (disc_->above) return DiscView::above(globe.graticule, (*disc_->above)[0], (*disc_->above)[1]);
  if (is_seen_from_star() && star->star.distance == Star::Distance::infinite)
    return DiscView::from(globe.graticule, star->star.direction);
  const Vec3 place = disc_->place          ? *disc_->place
                     : is_seen_from_star() ? star->star.center
                                           : file.bodies()[sphere_called("--disc", disc_->word, file)].center;
  const Vec3 direction = place - globe.sphere.center;
  if (direction == Vec3{})
    throw UsageError("--disc: " + disc_->text + " is the center of the globe; give another place");
  return DiscView::from(globe.graticule, direction);
}

PlacedSurface SurfaceOptions::place_listed(const LoadedScene& file, const CsvOptions& csv,
                                           const Console& console, const std::stop_token& stop,
                                           std::vector<io::FileDigest>* digests) const {
  Progress progress(console, "reading " + observers_.string());
  files::QueryReader<Receiver> reader(
      observers_, {.spheres = file.bodies().size(),
                   .grounds = file.bodies(),
                   .rows = {.names = &file.names, .csv = csv},
                   .control = {stop, [&](double done) { progress.set_fraction(done); }, digests}});
  std::vector<Receiver> receivers;
  files::QueryChunk<Receiver> chunk;
  while (reader.next(chunk, 1 << 14)) {
    for (const Receiver& receiver : chunk.queries) {
      io::check_growth(receivers, 0, observers_.string());
      receivers.push_back(receiver);
    }
  }
  progress.clear();
  for (const std::string& warning : reader.take_warnings()) console.warn(warning);
  const std::uint64_t count = receivers.size();
  if (pixels_ && pixels_->count() != count) {
    throw UsageError(
        fmt::format("--pixels: {} x {} is not the number of receivers in {}, {}; give WxH with that product",
                    pixels_->columns, pixels_->rows, observers_.string(), count));
  }
  return {listed_surface(std::move(receivers), pixels_.value_or(Pixels{count, 1})),
          "at " + observers_.filename().string()};
}

}  // namespace sphaera::tool
