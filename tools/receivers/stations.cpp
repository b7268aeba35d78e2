#include <exact/numbers/elementary.hpp>
#include <exact/numbers/length.hpp>
#include <tools/receivers/graticule.hpp>
#include <tools/receivers/stations.hpp>

namespace sphaera::tool {

const std::string_view stations_help =
    R"(A station of --stations is fixed at a longitude and latitude in degrees, and a height, on the sphere `on`,
or on its "ellipsoid" about the same axis (without a "spin": north is towards 0,0,1, longitude 0 towards
1,0,0). There the latitude is geodetic, as on maps, or what --latitude says. The horizon is perpendicular to the line
from the sphere's center: on the Earth 0.19 degrees off at most. Air and mountains are left out: refraction
lets the sun rise some minutes earlier. Light takes no time, but for what an ephemeris or --light-time allows for.
)";

Vec3 StationPlaces::from_center(const files::Station& station, double radius) const {
  const auto& [longitude, latitude, on, height] = station;
  const Uprights uprights(graticule_of(rotations_, static_cast<std::size_t>(on)));
  const SceneFile::Ellipsoid* const ellipsoid = item_of<SceneFile::Ellipsoid>(ellipsoids_, on);
  if (ellipsoid == nullptr) return (radius + height) * uprights.at(longitude, latitude);
  const double level = exact::cosine(degree * latitude), north = exact::sine(degree * latitude);
  const double ratio = ellipsoid->polar_radius / ellipsoid->equatorial_radius;
  if (latitude_ == Latitude::geocentric) {
    const double reach = ellipsoid->polar_radius / exact::length({ratio * level, north, 0}) + height;
    return uprights.along(longitude, reach * level, reach * north);
  }
  // The normal's length between the surface and the axis.
  const double normal = ellipsoid->equatorial_radius / exact::length({level, ratio * north, 0});
  return uprights.along(longitude, (normal + height) * level, (ratio * ratio * normal + height) * north);
}

void add_latitude(CLI::App& app, Latitude& latitude) {
  add_word<Latitude>(
      app, "--latitude", latitude, {{"geodetic", Latitude::geodetic}, {"geocentric", Latitude::geocentric}},
      "Of --stations on an ellipsoid: from the equator to the normal of the ellipsoid, which is "
      "the default, or to the line from the center; height counts along it")
      .type_name("KIND");
}

}  // namespace sphaera::tool
