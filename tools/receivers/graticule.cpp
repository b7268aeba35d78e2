#include <base/validate.hpp>
#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/length.hpp>
#include <exact/numbers/parallel_vectors.hpp>
#include <sphaera/error.hpp>
#include <tools/receivers/graticule.hpp>

namespace sphaera::tool {

Vec3 unit(const Vec3& v, const char* what) {
  if (base::is_zero(v) || !base::is_finite(v)) throw Error(ErrorCode::invalid_argument, what);
  const Vec3 s = exact::inverse_scale(v) * v;
  const double length = exact::length(s);
  return {s.x / length, s.y / length, s.z / length};
}

const SceneFile::Rotation* rotation_of(Rotations rotations, std::size_t sphere) {
  return item_of(rotations, static_cast<std::int64_t>(sphere));
}

Graticule graticule_of(Rotations rotations, std::size_t sphere) {
  const SceneFile::Rotation* rotation = rotation_of(rotations, sphere);
  return rotation == nullptr ? Graticule{} : Graticule{rotation->spin.axis, rotation->meridian};
}

void check_options(const Graticule& graticule) {
  const Vec3 north = unit(graticule.north, "--north is zero; give a direction");
  const Vec3 meridian = unit(graticule.meridian, "--meridian is zero; give a direction");
  if (!exact::are_parallel(north, meridian)) return;
  throw Error(ErrorCode::invalid_argument,
              "--meridian (or that of the spin) points along --north; give a direction across it");
}

Uprights::Uprights(const Graticule& graticule) {
  constexpr const char* unchecked = "the directions of a graticule are zero or parallel";
  north_ = unit(graticule.north, unchecked);
  east_ = unit(cross(north_, unit(graticule.meridian, unchecked)), unchecked);
  zero_ = cross(east_, north_);
}

Vec3 Uprights::at(double longitude, double latitude) const {
  const double phi = degree * std::remainder(latitude, 360);
  return along(longitude, exact::cosine(phi), exact::sine(phi));
}

Vec3 Uprights::along(double longitude, double level, double north) const {
  const double lambda = degree * std::remainder(longitude, 360);
  return level * (exact::cosine(lambda) * zero_ + exact::sine(lambda) * east_) + north * north_;
}

}  // namespace sphaera::tool
