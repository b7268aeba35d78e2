#include <base/errors.hpp>
#include <bridge/bounds.hpp>
#include <bridge/callbacks.hpp>
#include <cmath>
#include <new>
#include <string>

namespace sphaera::inline SPHAERA_ABI::embree {
inline namespace SPHAERA_EMBREE_ABI {
namespace {

using namespace bridge;

/// Throws what Embree reports about this thread's last calls.
void check_device(RTCDevice device) {
  const RTCError error = index::take_error(device);
  if (error == RTC_ERROR_NONE) return;
  if (error == RTC_ERROR_OUT_OF_MEMORY) base::throw_out_of_memory();
  throw Error(ErrorCode::internal, "Embree refused the geometry: error " + std::to_string(error));
}

bool has_times(const GeometryOptions& options) {
  return !(std::isnan(options.time.from) && std::isnan(options.time.to));
}

void check_options(RTCDevice device, const Scene& scene, const GeometryOptions& options) {
  if (!device) base::throw_invalid_argument("device is null; give an RTCDevice");
  if (options.granularity > Granularity::spheres)
    base::refuse_value("granularity", options.granularity, "Granularity::scene or spheres");
  if (options.contexts > Contexts::extended)
    base::refuse_value("contexts", options.contexts, "Contexts::plain or extended");
  if (!(options.extent >= 0 && options.extent <= largest_extent))
    base::refuse_value("extent", options.extent, "0 (it is then chosen) or a number up to 2^60");
  if (!has_times(options)) return;
  const auto& [from, to] = options.time;
  const Horizon& horizon = query::SceneAccess::state(scene).horizon;
  if (scene.spheres().empty()) return;
  if (scene.velocities().empty())
    base::throw_invalid_argument(
        "there is a time, but the scene was built without velocities; leave GeometryOptions::time out");
  if (!(horizon.from <= from && from <= to && to <= horizon.to))
    base::throw_invalid_argument("time is " + base::text_of(from, to) +
                                 "; give an interval within the horizon, " +
                                 base::text_of(horizon.from, horizon.to));
}

/// Throws for the first enabled sphere that goes beyond the limit, at time 0 or at the times that rays see.
void check_spheres(const Data& data, double limit) {
  const auto count = static_cast<std::uint32_t>(data.state->spheres.span().size());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!data.state->is_enabled(i)) continue;
    const double reach = box_of(data, i).largest_coordinate();
    if (reach * (1 - 0x1p-40) <= limit)
      continue;  // the box is rounded outward: it may exceed the limit where the sphere does not
    base::throw_invalid_argument(
        "sphere " + std::to_string(i) + " reaches " + base::text_of(reach) + " from 0; it must stay within " +
            (data.options.extent > 0 ? "the extent, " + base::text_of(limit) : "2^60, for Embree"),
        i);
  }
}

/// Sets the extent, the given or a chosen one, and the margin. Throws if a sphere lies beyond the given
/// extent or beyond `largest_extent`.
void fit_extent(Data& data) {
  const double given = data.options.extent;
  double largest = 0;
  if (!data.state->spheres.span().empty()) {
    const index::SceneBounds& bounds = data.state->bounds;  // over the whole horizon
    largest = Box{bounds.lower, bounds.upper}.largest_coordinate();
    const double limit = given > 0 ? given : largest_extent;
    if (!(largest <= limit)) check_spheres(data, limit);
  }
  const double factor = data.options.granularity == Granularity::scene ? 256 : 4;
  data.extent = std::max(given > 0 ? given : std::min(factor * largest, largest_extent), least_extent);
  data.margin = inflation * data.extent;
}

/// Checks the options against this scene, and takes over its state, extent and margin.
void refresh(Data& data, const Scene& scene) {
  check_options(data.device, scene, data.options);
  data.scene = &scene, data.state = &query::SceneAccess::state(scene);
  data.moving = has_times(data.options) && !scene.velocities().empty();
  fit_extent(data);
}

void commit(const Data& data) {
  const std::size_t spheres = data.state->spheres.span().size();
  const std::size_t primitives =
      data.options.granularity == Granularity::spheres ? spheres : std::min<std::size_t>(spheres, 1);
  rtcSetGeometryUserPrimitiveCount(data.geometry, static_cast<unsigned>(primitives));
  rtcCommitGeometry(data.geometry);
}

/// On an error nothing has changed.
void replace_scene(Data& data, const Scene& scene) {
  const SceneView before = data;
  try {
    refresh(data, scene);
    (void)index::take_error(data.device);  // an older error is not ours
    commit(data);
    check_device(data.device);
  } catch (...) {
    static_cast<SceneView&>(data) = before;
    commit(data);  // cannot fail: it needs no new memory
    throw;
  }
}

void create(Data& data) {
  (void)index::take_error(data.device);  // an older error is not ours
  data.geometry = rtcNewGeometry(data.device, RTC_GEOMETRY_TYPE_USER);
  check_device(data.device);
  rtcSetGeometryUserData(data.geometry, &data);
  rtcSetGeometryMask(data.geometry, data.options.mask);
  rtcSetGeometryBuildQuality(data.geometry, data.options.quality);
  set_callbacks(data);
  commit(data);
  check_device(data.device);
}

}  // namespace

double SphereGeometry::Data::instant(float ray_time) const {
  if (!moving) return 0;
  const auto& [from, to] = options.time;
  return std::clamp(from + static_cast<double>(ray_time) * (to - from), from, to);
}

SphereGeometry::SphereGeometry(RTCDevice device, const Scene& scene, const GeometryOptions& options) {
  const base::FloatingPointEnvironment mode;
  try {
    check_options(device, scene, options);
    data_ = std::make_unique<Data>();
    data_->options = options;
    rtcRetainDevice(device);
    data_->device = device;
    refresh(*data_, scene);
    create(*data_);
  } catch (const std::bad_alloc&) {
    base::throw_out_of_memory();
  }
}

SphereGeometry::~SphereGeometry() = default;
SphereGeometry::SphereGeometry(SphereGeometry&&) noexcept = default;
SphereGeometry& SphereGeometry::operator=(SphereGeometry&&) noexcept = default;

RTCGeometry SphereGeometry::get() const { return data_->geometry; }
void SphereGeometry::update() { update(*data_->scene); }

void SphereGeometry::update(const Scene& scene) {
  const base::FloatingPointEnvironment mode;
  base::with_memory_errors([&] { replace_scene(*data_, scene); });
}

const Scene& SphereGeometry::scene() const { return *data_->scene; }
double SphereGeometry::extent() const { return data_->extent; }
double SphereGeometry::scene_time(float ray_time) const {
  const base::FloatingPointEnvironment mode;
  return base::FloatingPointEnvironment::finished(data_->instant(ray_time));
}

}  // namespace SPHAERA_EMBREE_ABI
}  // namespace sphaera::inline SPHAERA_ABI::embree
