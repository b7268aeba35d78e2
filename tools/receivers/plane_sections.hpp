#pragma once
/// \file Where spheres are cut by the plane of a map.

#include <optional>
#include <sphaera/sphere.hpp>
#include <tools/receivers/surface.hpp>

namespace sphaera::tool {

/// The points center + first · cos t + second · sin t.
struct MapEllipse {
  MapPoint center, first, second;
};

/// The circle in which the plane cuts the sphere, as the map shows it; empty if it does not, or only touches.
std::optional<MapEllipse> section(const Plane& plane, const Sphere& sphere);

}  // namespace sphaera::tool
