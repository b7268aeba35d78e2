#pragma once
/// \file Surfaces as grids of receivers of light.

#include <array>
#include <cmath>
#include <cstdint>
#include <exact/numbers/length.hpp>
#include <memory>
#include <optional>
#include <sphaera/irradiance.hpp>
#include <sphaera/sphere.hpp>
#include <string>
#include <tools/receivers/disc.hpp>
#include <vector>

namespace sphaera::tool {

/// Arrangement of receivers in a picture. The pixel's number is row · columns + column, with row 0 at the
/// bottom and column 0 on the left.
struct Pixels {
  std::uint64_t columns = 0, rows = 0;
  std::uint64_t count() const { return columns * rows; }
};

/// Largest number of pixels along an edge of a map.
inline constexpr std::uint64_t max_pixels = 16384;

/// An axis along an edge of a picture.
struct Axis {
  std::string label;
  double from = 0, to = 1;
  double step = 0;  ///< distance of ticks; 0: chosen from the length
};

/// A rectangle or parallelogram. Receivers are at the centers of its cells, lit from the side of across × up.
struct Plane {
  Vec3 origin, across, up;  ///< a corner and the two edges from it
};

class Surface {
 public:
  virtual ~Surface() = default;

  virtual std::uint64_t count() const = 0;
  virtual Receiver receiver(std::uint64_t number) const = 0;
  virtual std::uint64_t pixel(std::uint64_t number) const { return number; }  ///< of this receiver; ascending

  // Properties of the picture:
  virtual Pixels pixels() const = 0;
  virtual double aspect() const = 0;  ///< width / height
  virtual Axis across() const = 0;
  virtual Axis up() const = 0;
  virtual bool has_graticule() const = 0;  ///< lines across the picture at ticks
  virtual std::optional<Plane> plane() const { return std::nullopt; }
  virtual std::optional<DiscView> disc() const { return std::nullopt; }
};

inline double length(const Vec3& edge) { return exact::length(edge); }
/// Throws Error invalid_argument if the edges span no area.
std::unique_ptr<Surface> plane_surface(const Plane& plane, const Pixels& pixels, const std::string& unit);

/// A part of a globe, in degrees.
struct Window {
  double west = -180, south = -90, east = 180, north = 90;
};

struct Globe {
  Sphere sphere;
  std::int64_t id = 0;
  Graticule graticule{};
};
/// A sphere in equirectangular projection. Receivers stand on the sphere.
std::unique_ptr<Surface> globe_surface(const Globe& globe, const Window& window, const Pixels& pixels);

/// The disc of a sphere. Receivers stand on the sphere where the middle of a pixel shows it.
std::unique_ptr<Surface> disc_surface(const Globe& globe, const DiscView& view, const Pixels& pixels);

/// Receivers of a file. In a picture they fill `pixels` row by row.
std::unique_ptr<Surface> listed_surface(std::vector<Receiver> receivers, const Pixels& pixels);

}  // namespace sphaera::tool
