#pragma once
/// \file The data of a SphereGeometry that its callbacks read.

#include <base/floating_point_environment.hpp>
#include <scene/state.hpp>
#include <sphaera/embree.hpp>

namespace sphaera::bridge {

using embree::Contexts, embree::Granularity, embree::QueryContext;
using Data = embree::SphereGeometry::Data;

/// Boxes are inflated by this share of the extent: 24w (proofs.md, section 1).
inline constexpr double inflation = 24 * 0x1p-24;
/// The smallest extent in use. It keeps the inflation far above the numbers that flush to zero.
inline constexpr double least_extent = 0x1p-40;
/// The largest extent. Embree drops boxes beyond 1.844e18 in silence.
inline constexpr double largest_extent = 0x1p60;

/// The scene of a geometry at its last update.
struct SceneView {
  const Scene* scene = nullptr;
  const query::SceneState* state = nullptr;  ///< the scene's
  double extent = 0, margin = 0;             ///< extent in use; margin = inflation · extent
  bool moving = false;                       ///< spheres move; a ray sees them at its own time
};

}  // namespace sphaera::bridge

namespace sphaera::inline SPHAERA_ABI::embree {
inline namespace SPHAERA_EMBREE_ABI {

struct SphereGeometry::Data : bridge::SceneView {
  GeometryOptions options;
  RTCDevice device = nullptr;
  RTCGeometry geometry = nullptr;  ///< owns one reference

  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  ~Data() {
    if (geometry) rtcReleaseGeometry(geometry);
    if (device) rtcReleaseDevice(device);
  }
  double instant(float ray_time) const;
  /// The context as a QueryContext; null if the options say that contexts are plain.
  const QueryContext* extended(const PlainContext& context) const {
    return options.contexts == Contexts::extended ? static_cast<const QueryContext*>(&context) : nullptr;
  }
};

}  // namespace SPHAERA_EMBREE_ABI
}  // namespace sphaera::inline SPHAERA_ABI::embree
