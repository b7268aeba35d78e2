#pragma once
/// \file The disc of a globe as seen from far away: orthographic projection.

#include <optional>
#include <string>
#include <tools/receivers/graticule.hpp>
#include <vector>

namespace sphaera::tool {

/// A point of a map in shares of its edges, from the lower left.
struct MapPoint {
  double across = 0, up = 0;
};

/// The near half of a globe in a square that its limb touches; north is up.
class DiscView {
 public:
  /// As seen from above a place, in degrees.
  static DiscView above(const Graticule& graticule, double longitude, double latitude);
  /// As seen from a direction; from above a pole longitude 90° is on the right. Precondition: the direction
  /// is finite and not zero.
  static DiscView from(const Graticule& graticule, const Vec3& direction);

  /// Unit vector up at a point of the map; empty outside the disc.
  std::optional<Vec3> upright(const MapPoint& at) const;
  /// Where the map shows the place with this unit vector up; empty on the far half.
  std::optional<MapPoint> place(const Vec3& upright) const;

  const Uprights& uprights() const { return uprights_; }
  const Vec3& toward() const { return toward_; }  ///< unit vector towards the viewer

 private:
  DiscView(const Uprights& uprights, const Vec3& toward, const Vec3& right);

  Uprights uprights_;
  Vec3 toward_, right_, up_;
};

/// Lines of longitude and latitude on a disc, and labels where one of each kind crosses the others.
struct DiscGraticule {
  struct Label {
    MapPoint at;
    std::string text;  ///< "30° N"
  };
  std::vector<std::vector<MapPoint>> lines{};
  std::vector<Label> labels{};
};
DiscGraticule graticule_on(const DiscView& view);

}  // namespace sphaera::tool
