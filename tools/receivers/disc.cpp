#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <exact/numbers/parallel_vectors.hpp>
#include <tools/receivers/disc.hpp>

namespace sphaera::tool {
namespace {

constexpr int spacing = 30;  // of the lines, in degrees

std::string angle_text(int degrees, const char* positive, const char* negative) {
  const char* const side = degrees % 180 == 0 ? "" : degrees > 0 ? positive : negative;
  return fmt::format("{}°{}{}", std::abs(degrees), *side ? " " : "", side);
}
std::string longitude_text(int degrees) { return angle_text(degrees, "E", "W"); }
std::string latitude_text(int degrees) { return angle_text(degrees, "N", "S"); }

/// Adds the visible parts of the line through point(degrees), from degree to degree.
template <class Point>
void add_line(std::vector<std::vector<MapPoint>>& lines, const DiscView& view, int from, int to,
              const Point& point) {
  bool is_seen = false;
  for (int degrees = from; degrees <= to; ++degrees) {
    const std::optional<MapPoint> at = view.place(point(degrees));
    if (at && !is_seen) lines.emplace_back();
    if (at) lines.back().push_back(*at);
    is_seen = at.has_value();
  }
}

/// The longitude of a line that passes nearest to the middle of the disc.
int middle_longitude(const DiscView& view) {
  int best = 0;
  const auto nearness = [&](int longitude) { return dot(view.uprights().at(longitude, 0), view.toward()); };
  for (int longitude = spacing - 180; longitude <= 180; longitude += spacing)
    if (nearness(longitude) > nearness(best)) best = longitude;
  return best;
}

/// The latitude of a line that crosses the middle of the disc widely: the equator, unless it is near the
/// limb.
int label_latitude(const DiscView& view) {
  constexpr double sine_of_45 = 0.7;
  const double sine = dot(view.uprights().at(0, 90), view.toward());
  return std::fabs(sine) < sine_of_45 ? 0 : sine > 0 ? spacing : -spacing;
}

}  // namespace

DiscView::DiscView(const Uprights& uprights, const Vec3& toward, const Vec3& right)
    : uprights_(uprights), toward_(toward) {
  constexpr const char* unchecked = "the frame of a disc has parallel vectors";
  up_ = unit(cross(toward_, right), unchecked);
  right_ = cross(up_, toward_);
}

DiscView DiscView::above(const Graticule& graticule, double longitude, double latitude) {
  const Uprights uprights(graticule);
  return {uprights, uprights.at(longitude, latitude), uprights.at(longitude + 90, 0)};
}

DiscView DiscView::from(const Graticule& graticule, const Vec3& direction) {
  const Uprights uprights(graticule);
  const Vec3 toward = unit(direction, "the direction of a disc is zero"), north = uprights.at(0, 90);
  return {uprights, toward, exact::are_parallel(north, toward) ? uprights.at(90, 0) : cross(north, toward)};
}

std::optional<Vec3> DiscView::upright(const MapPoint& at) const {
  const double x = 2 * at.across - 1, y = 2 * at.up - 1, rest = 1 - (x * x + y * y);
  if (!(rest > 0)) return std::nullopt;
  return x * right_ + y * up_ + std::sqrt(rest) * toward_;
}

std::optional<MapPoint> DiscView::place(const Vec3& upright) const {
  if (!(dot(upright, toward_) >= 0)) return std::nullopt;
  return MapPoint{(1 + dot(upright, right_)) / 2, (1 + dot(upright, up_)) / 2};
}

DiscGraticule graticule_on(const DiscView& view) {
  constexpr double least_height = 0.3;  // labels nearer to the limb would leave the disc
  const Uprights& uprights = view.uprights();
  const int middle = middle_longitude(view), level = label_latitude(view);
  DiscGraticule found;
  const auto label = [&](int longitude, int latitude, const std::string& text) {
    const Vec3 upright = uprights.at(longitude, latitude);
    if (dot(upright, view.toward()) > least_height) found.labels.push_back({*view.place(upright), text});
  };
  for (int longitude = spacing - 180; longitude <= 180; longitude += spacing) {
    add_line(found.lines, view, -90, 90, [&](int latitude) { return uprights.at(longitude, latitude); });
    const bool is_middle = longitude == middle;
    label(longitude, level, (is_middle ? latitude_text(level) + ", " : "") + longitude_text(longitude));
  }
  for (int latitude = spacing - 90; latitude < 90; latitude += spacing) {
    add_line(found.lines, view, -180, 180, [&](int longitude) { return uprights.at(longitude, latitude); });
    if (latitude != level) label(middle, latitude, latitude_text(latitude));
  }
  return found;
}

}  // namespace sphaera::tool
