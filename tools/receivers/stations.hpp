#pragma once
/// \file Observers by longitude, latitude and height.

#include <cstdint>
#include <sphaera/scene_file.hpp>
#include <string_view>
#include <tools/files/queries/query_file.hpp>
#include <tools/options/declare.hpp>
#include <vector>

namespace sphaera::tool {

/// What a station's latitude is the angle of, from the plane of the equator.
enum class Latitude : std::uint8_t {
  geodetic,    ///< the normal of the ellipsoid, along which height counts; on a sphere the same as geocentric
  geocentric,  ///< the vector from the center, along which height counts
};

/// Where stations stand on the bodies of a scene.
class StationPlaces {
 public:
  StationPlaces(const SceneFile& file, Latitude latitude)
      : latitude_(latitude), rotations_(file.rotations), ellipsoids_(file.ellipsoids) {}

  /// The vector to a station from the center of its sphere, of this radius, at the time of the file.
  Vec3 from_center(const files::Station& station, double radius) const;

 private:
  Latitude latitude_;
  std::vector<SceneFile::Rotation> rotations_;
  std::vector<SceneFile::Ellipsoid> ellipsoids_;
};

/// Declares --latitude.
void add_latitude(CLI::App& app, Latitude& latitude);

/// For the help of verbs with --stations.
extern const std::string_view stations_help;

}  // namespace sphaera::tool
