#include <exact/dispatch.hpp>
#include <index/level.hpp>
#include <index/parallel.hpp>
#include <limits>

namespace sphaera::index {
namespace {

constexpr float float_infinity = std::numeric_limits<float>::infinity();
constexpr double grouping_share = 0.6;  // of the time of a build
/// Packets, of spheres or of levels, that are tested one after the other sooner than through a BVH.
constexpr std::size_t few_packets = 6;

Members members_of(std::span<const Sphere> spheres, const FramePlan& plan) {
  return {spheres, plan.holds == FramePlan::Holds::all ? nullptr : &plan.own};
}

/// The part of a walk that belongs to a frame, put back when the walk through a frame within it has ended.
class Rebased {
 public:
  explicit Rebased(PathWalk& walk) : walk_(walk), local_(walk.local), ray_(walk.ray) {}
  ~Rebased() { walk_.local = local_, walk_.ray = ray_; }
  Rebased(const Rebased&) = delete;

 private:
  PathWalk& walk_;
  LocalRay local_;
  PacketRay ray_;
};

}  // namespace

Level::Level(Device& device, std::span<const Sphere> spheres, const FramePlan& plan, const BuildPhase& phase)
    : spheres_(spheres),
      frame_(plan.frame),
      packets_(device, members_of(spheres, plan), plan.frame, phase.part(0, grouping_share)) {
  build_children(device, plan.children, phase.part(0, grouping_share));
  if (packets_.size() + packets_for(children_.size()) <= few_packets) {
    pack_children();
  } else {
    build_scene(device, phase.part(grouping_share, 1));
  }
}

void Level::build_children(Device& device, std::span<const FramePlan> plans, const BuildPhase& phase) {
  children_.resize(plans.size());
  const auto count = static_cast<double>(plans.size());
  parallel_pieces(plans.size(), 1, [&](std::size_t i, std::size_t) {
    const BuildPhase part = phase.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    children_[i] = std::make_unique<const Level>(device, spheres_, plans[i], part);
  });
}

/// The ball around a level's frame. A hundredth more takes in what packet.hpp says of radii up to 1, where
/// this one may be √3.
void Level::pack_children() {
  child_balls_.resize(packets_for(children_.size()));
  for (std::size_t i = 0; i < children_.size(); ++i) {
    const Frame& frame = children_[i]->frame_;
    const Sphere around{frame.center(), 1.01 * std::sqrt(dot(frame.half_size(), frame.half_size()))};
    child_balls_[i / packet_size].set(i % packet_size, frame_.ball(around));
  }
}

void Level::build_scene(Device& device, const BuildPhase& phase) {
  scene_.reset(rtcNewScene(device.get()));
  device.check();
  const BuildQuality quality = phase.control->quality;
  if (quality == BuildQuality::fast) rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_LOW);
  if (quality == BuildQuality::compact) rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_COMPACT);
  const GeometryHandle geometry(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_USER));
  device.check();
  rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(packets_.size() + children_.size()));
  rtcSetGeometryUserData(geometry.get(), this);
  rtcSetGeometryBoundsFunction(geometry.get(), on_bounds, nullptr);
  rtcSetGeometryIntersectFunction(geometry.get(), on_intersect);
  rtcSetGeometryOccludedFunction(geometry.get(), on_occluded);
  rtcCommitGeometry(geometry.get());
  rtcAttachGeometry(scene_.get(), geometry.get());
  device.check();
  rtcSetSceneProgressMonitorFunction(scene_.get(), BuildPhase::report, const_cast<BuildPhase*>(&phase));
  rtcCommitScene(scene_.get());
  rtcSetSceneProgressMonitorFunction(scene_.get(), nullptr, nullptr);
  device.check();
}

LocalBox Level::box(std::size_t primitive) const {
  const Level* level = child(primitive);
  if (!level) return packets_.box(primitive, spheres_, frame_);
  const Vec3 &center = level->frame_.center(), &half = level->frame_.half_size();
  return frame_.box(center - half, center + half);
}

void Level::on_bounds(const RTCBoundsFunctionArguments* arguments) {
  const LocalBox b = static_cast<const Level*>(arguments->geometryUserPtr)->box(arguments->primID);
  *arguments->bounds_o = {b.lower[0], b.lower[1], b.lower[2], 0, b.upper[0], b.upper[1], b.upper[2], 0};
}

void Level::on_occluded(const RTCOccludedFunctionNArguments* arguments) {
  const Level& level = *static_cast<const Level*>(arguments->geometryUserPtr);
  auto& walk = *static_cast<PathWalk*>(arguments->context);
  float& tfar = reinterpret_cast<RTCRay*>(arguments->ray)->tfar;
  const Level* below = level.child(arguments->primID);
  const bool go_on =
      below ? below->any_below(walk) : walk.visit(walk, level.leaf(arguments->primID), tfar) != Next::stop;
  if (!go_on) tfar = -float_infinity;
}

void Level::on_intersect(const RTCIntersectFunctionNArguments* arguments) {
  const Level& level = *static_cast<const Level*>(arguments->geometryUserPtr);
  auto& walk = *static_cast<PathWalk*>(arguments->context);
  float& tfar = reinterpret_cast<RTCRayHit*>(arguments->rayhit)->ray.tfar;
  if (const Level* below = level.child(arguments->primID)) {
    below->nearest_first_below(walk);
    if (walk.t_limit < infinity) tfar = limit(walk, tfar);
  } else if (walk.visit(walk, level.leaf(arguments->primID), tfar) == Next::shrunk) {
    tfar = limit(walk, tfar);
  }
}

bool Level::any_directly(PathWalk& walk) const {
  bool go_on = true;
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
    walk.ray = PacketRay(walk.local);
    for (std::size_t i = 0; i < packets_.size() && go_on; ++i)
      go_on = walk.visit(walk, leaf(i), 1) != Next::stop;
    for (std::size_t i = 0; i < child_balls_.size(); ++i) {
      LaneSet lanes = touched(child_balls_[i], walk.ray, 1).maybe;
      for (; lanes != 0 && go_on; lanes &= lanes - 1) go_on = below(i, lanes).any_below(walk);
    }
  });
  return go_on;
}

void Level::nearest_directly(PathWalk& walk) const {
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
    walk.ray = PacketRay(walk.local);
    float tfar = walk.t_limit < infinity ? limit(walk, 1) : 1;
    for (std::size_t i = 0; i < packets_.size(); ++i)
      if (walk.visit(walk, leaf(i), tfar) == Next::shrunk) tfar = limit(walk, tfar);
    for (std::size_t i = 0; i < child_balls_.size(); ++i) {
      for (LaneSet lanes = touched(child_balls_[i], walk.ray, tfar).maybe; lanes != 0; lanes &= lanes - 1) {
        below(i, lanes).nearest_first_below(walk);
        if (walk.t_limit < infinity) tfar = limit(walk, tfar);
      }
    }
  });
}

void Level::around_directly(PointWalk& walk) const {
  for (std::size_t i = 0; i < packets_.size() && walk.reach != -infinity; ++i)
    if (walk.visit(walk, leaf(i), walk.local.reach(walk.reach)) == Next::stop) walk.reach = -infinity;
  for (std::size_t i = 0; i < child_balls_.size(); ++i) {
    LaneSet lanes = reached(child_balls_[i], walk.local.position, walk.local.reach(walk.reach));
    for (; lanes != 0 && walk.reach != -infinity; lanes &= lanes - 1) below(i, lanes).around_below(walk);
  }
}

bool Level::any_below(PathWalk& walk) const {
  const Rebased rebased(walk);
  bool go_on = true;
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA { go_on = any(walk); });
  return go_on;
}

void Level::nearest_first_below(PathWalk& walk) const {
  const Rebased rebased(walk);
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA { nearest_first(walk); });
}

bool Level::on_point(RTCPointQueryFunctionArguments* arguments) {
  auto& walk = *static_cast<PointWalk*>(arguments->userPtr);
  if (walk.reach == -infinity) return false;
  const Level& level = *walk.level;
  if (const Level* below = level.child(arguments->primID)) {
    below->around_below(walk);
  } else {
    const Next next = walk.visit(walk, level.leaf(arguments->primID), arguments->query->radius);
    if (next == Next::go_on) return false;
    if (next == Next::stop) walk.reach = -infinity;
  }
  const float radius = walk.local.reach(walk.reach);
  if (!(radius < arguments->query->radius)) return false;
  arguments->query->radius = radius;
  return true;
}

void Level::around_below(PointWalk& walk) const {
  const LocalPoint local = walk.local;
  const Level* level = walk.level;
  around(walk);
  walk.local = local, walk.level = level;
}

/// Where a point is too far away for float.
Next Level::visit_all(PointWalk& walk) const {
  for (std::size_t i = 0; i < packets_.size(); ++i)
    if (walk.visit(walk, {packets_.ids(i), nullptr}, float_infinity) == Next::stop) return Next::stop;
  for (const auto& child : children_)
    if (child->visit_all(walk) == Next::stop) return Next::stop;
  return Next::go_on;
}

void Level::around(PointWalk& walk) const {
  const std::optional<LocalPoint> local = frame_.local(walk.point);
  if (!local) {
    if (visit_all(walk) == Next::stop) walk.reach = -infinity;
    return;
  }
  walk.local = *local;
  walk.level = this;
  if (!scene_) return around_directly(walk);
  RTCPointQuery query{};
  query.x = local->position[0], query.y = local->position[1], query.z = local->position[2];
  query.radius = local->reach(walk.reach);
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  rtcPointQuery(scene_.get(), &query, &context, on_point, &walk);
}

}  // namespace sphaera::index
