#include <cmath>
#include <embree_index/frame_scene.hpp>
#include <exact/numbers/length.hpp>
#include <limits>
#include <new>
#include <sphaera/error.hpp>
#include <unordered_set>

namespace sphaera::embree_index {
namespace {

constexpr float float_infinity = std::numeric_limits<float>::infinity();

RTCRay embree_ray(const LocalRay& local, float tfar) {
  RTCRay ray{};
  ray.org_x = local.origin[0], ray.org_y = local.origin[1], ray.org_z = local.origin[2];
  ray.dir_x = local.direction[0], ray.dir_y = local.direction[1], ray.dir_z = local.direction[2];
  ray.tfar = tfar;
  ray.mask = 0xffffffffu;
  return ray;
}

RTCPointQuery embree_ball(const Frame::LocalBall& ball) {
  RTCPointQuery query{};
  query.x = ball.position[0], query.y = ball.position[1], query.z = ball.position[2];
  query.radius = ball.radius;
  return query;
}

bool report_progress(void* stop, double) {
  return !static_cast<const std::stop_token*>(stop)->stop_requested();
}

}  // namespace

FrameScene::FrameScene(const Build& build, NestedFrame&& plan)
    : frame_(plan.frame),
      spheres_(build.spheres.data()),
      holds_all_(plan.holds_all),
      own_(static_cast<std::uint32_t>(plan.holds_all ? build.spheres.size() : plan.spheres.size())),
      ids_(std::move(plan.spheres)) {
  children_.reserve(plan.children.size());
  for (NestedFrame& child : plan.children)
    children_.push_back(std::make_unique<FrameScene>(build, std::move(child)));
  build.context.run([&] { commit(build); });
  build.device.check();
}

GeometryHandle FrameScene::geometry(const Build& build) const {
  GeometryHandle geometry(rtcNewGeometry(build.device.get(), RTC_GEOMETRY_TYPE_USER));
  build.device.check();
  rtcSetGeometryUserPrimitiveCount(geometry.get(), own_ + static_cast<unsigned>(children_.size()));
  rtcSetGeometryUserData(geometry.get(), const_cast<FrameScene*>(this));
  rtcSetGeometryBoundsFunction(geometry.get(), bound, nullptr);
  rtcSetGeometryIntersectFunction(geometry.get(), intersect);
  rtcSetGeometryOccludedFunction(geometry.get(), occluded);
  rtcSetGeometryBuildQuality(geometry.get(), RTC_BUILD_QUALITY_MEDIUM);
  rtcCommitGeometry(geometry.get());
  return geometry;
}

/// Builds the BVH with Embree's SAH builder. If the tree is too deep, builds it again with Embree's Morton
/// builder, whose depth is bounded.
void FrameScene::commit(const Build& build) {
  for (const RTCBuildQuality quality : {RTC_BUILD_QUALITY_MEDIUM, RTC_BUILD_QUALITY_LOW}) {
    scene_.reset(rtcNewScene(build.device.get()));
    build.device.check();
    const GeometryHandle spheres = geometry(build);
    rtcSetSceneBuildQuality(scene_.get(), quality);
    rtcSetSceneProgressMonitorFunction(scene_.get(), report_progress,
                                       const_cast<std::stop_token*>(&build.stop));
    rtcAttachGeometry(scene_.get(), spheres.get());
    base::release(this);
    rtcCommitScene(scene_.get());
    base::acquire(this);
    rtcSetSceneProgressMonitorFunction(scene_.get(), nullptr, nullptr);
    try {
      return build.device.check();
    } catch (const index::TooDeep&) {
      if (quality == RTC_BUILD_QUALITY_LOW)
        throw Error(ErrorCode::internal, "Embree cannot build a tree for these spheres");
    }
  }
}

std::uint64_t FrameScene::list_bytes() const {
  std::uint64_t bytes = sizeof *this + ids_.capacity() * sizeof ids_[0];
  for (const auto& child : children_) bytes += child->list_bytes();
  return bytes;
}

/// Embree may call this with denormals set to zero; no box depends on denormals (proofs.md, 1).
void FrameScene::bound(const RTCBoundsFunctionArguments* arguments) {
  const base::OrderedAccess turn(arguments->geometryUserPtr);
  const auto& self = *static_cast<const FrameScene*>(arguments->geometryUserPtr);
  const std::uint32_t primitive = arguments->primID;
  Vec3 center, half;
  if (primitive < self.own()) {
    const auto& [c, r] = self.spheres_[self.sphere(primitive)];
    center = c - self.frame_.center(), half = {r, r, r};
  } else {
    const Volume inner = self.child(primitive).frame_.volume();
    center = inner.center - self.frame_.center(), half = inner.half;
  }
  const Frame::Interval x = self.frame_.inflated(center.x, half.x),
                        y = self.frame_.inflated(center.y, half.y),
                        z = self.frame_.inflated(center.z, half.z);
  *arguments->bounds_o = {x.lower, y.lower, z.lower, 0, x.upper, y.upper, z.upper, 0};
}

template <class Use>
void FrameScene::each_primitive(const Use& use) const {
  const auto count = own_ + static_cast<std::uint32_t>(children_.size());
  for (std::uint32_t primitive = 0; primitive < count; ++primitive)
    if (!use(primitive)) return;
}

/// Tests everything in the frame: for a path that begins too far away for floats.
template <class Walk>
void FrameScene::all_of(PathVisit& visit, const Walk& walk) const {
  each_primitive([&](std::uint32_t primitive) {
    if (primitive < own())
      visit.test(sphere(primitive));
    else
      walk(child(primitive));
    return !visit.stopped;
  });
}

void FrameScene::any(PathVisit& visit) const {
  LocalRay local;
  const Meets meets = frame_.clip(visit.path, local);
  if (meets == Meets::no) return;
  if (meets == Meets::far) return all_of(visit, [&](const FrameScene& child) { child.any(visit); });
  RTCRay ray = embree_ray(local, 1);
  occluded1(scene_.get(), ray, visit.context);
}

void FrameScene::occluded(const RTCOccludedFunctionNArguments* arguments) {
  auto& visit = *reinterpret_cast<PathVisit*>(arguments->context);
  const auto& self = *static_cast<const FrameScene*>(arguments->geometryUserPtr);
  const std::uint32_t primitive = arguments->primID;
  if (primitive < self.own())
    visit.test(self.sphere(primitive));
  else
    self.child(primitive).any(visit);
  if (visit.stopped) RTCRayN_tfar(arguments->ray, arguments->N, 0) = -float_infinity;
}

void FrameScene::nearest_first(PathVisit& visit) const {
  const LocalRay outer = visit.local;
  const Meets meets = frame_.clip(visit.path, visit.local);
  if (meets == Meets::yes) {
    RTCRayHit hit{};
    hit.ray = embree_ray(visit.local, visit.local.up_to(visit.limit()));
    hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    intersect1(scene_.get(), hit, visit.context);
  } else if (meets == Meets::far) {
    all_of(visit, [&](const FrameScene& child) { child.nearest_first(visit); });
  }
  visit.local = outer;
}

void FrameScene::intersect(const RTCIntersectFunctionNArguments* arguments) {
  auto& visit = *reinterpret_cast<PathVisit*>(arguments->context);
  const auto& self = *static_cast<const FrameScene*>(arguments->geometryUserPtr);
  const std::uint32_t primitive = arguments->primID;
  if (visit.stopped) return;
  const bool is_sphere = primitive < self.own();
  if (!is_sphere) self.child(primitive).nearest_first(visit);
  if (is_sphere && visit.test(self.sphere(primitive)) == TraversalControl::go_on) return;
  RTCRayN* ray = RTCRayHitN_RayN(arguments->rayhit, arguments->N);
  RTCRayN_tfar(ray, arguments->N, 0) = visit.stopped ? 0 : visit.local.up_to(visit.limit());
}

/// A walk about a point, in one frame.
struct FrameScene::Around {
  const FrameScene& frame;
  const PointWalk& walk;
  Vec3 x;  ///< relative to the frame's center
  bool goes_on = true;

  void meet(std::uint32_t primitive) {
    goes_on = primitive < frame.own()
                  ? walk.test(walk.query, frame.sphere(primitive)) != TraversalControl::stop
                  : frame.child(primitive).around(walk);
  }
};

bool FrameScene::around(const PointWalk& walk) const {
  Around visit{*this, walk, walk.point - frame_.center()};
  Frame::LocalBall ball;
  if (frame_.local(visit.x, walk.search_radius, ball)) {
    RTCPointQuery query = embree_ball(ball);
    point_query(scene_.get(), query, reached, &visit);
  } else {
    each_primitive([&](std::uint32_t primitive) {
      visit.meet(primitive);
      return visit.goes_on;
    });
  }
  return visit.goes_on;
}

bool FrameScene::reached(RTCPointQueryFunctionArguments* arguments) {
  auto& visit = *static_cast<Around*>(arguments->userPtr);
  if (!visit.goes_on) return false;
  visit.meet(arguments->primID);
  const float radius = visit.goes_on ? visit.frame.frame_.local_radius(visit.x, visit.walk.search_radius) : 0;
  if (!(radius < arguments->query->radius)) return false;
  arguments->query->radius = radius;
  return true;
}

/// A thick walk in one frame, and the primitives that it has met so far.
struct FrameScene::Thick {
  const FrameScene& frame;
  PathVisit& visit;
  std::unordered_set<std::uint32_t> met{};

  void meet(std::uint32_t primitive) noexcept {
    if (visit.stopped) return;
    try {
      if (!met.insert(primitive).second) return;
    } catch (const std::bad_alloc&) {
      visit.stopped = visit.out_of_memory = true;
      return;
    }
    if (primitive < frame.own())
      visit.test(frame.sphere(primitive));
    else
      frame.child(primitive).thick(visit);
  }
};

bool FrameScene::covered(RTCPointQueryFunctionArguments* arguments) {
  static_cast<Thick*>(arguments->userPtr)->meet(arguments->primID);
  return false;
}

void FrameScene::ball(Thick& thick, const Vec3& x, double search_radius) const {
  Frame::LocalBall ball;
  if (frame_.local(x, search_radius, ball)) {
    RTCPointQuery query = embree_ball(ball);
    return point_query(scene_.get(), query, covered, &thick);
  }
  each_primitive([&](std::uint32_t primitive) {
    thick.meet(primitive);
    return !thick.visit.stopped;
  });
}

/// Covers the path's section by balls about equal steps (proofs.md, 5). The number of balls grows with the
/// number of primitives, so that most balls meet few.
void FrameScene::thick(PathVisit& visit) const {
  constexpr double max_steps = 256;
  const double margin = visit.walk.margin;
  Section section;
  const Meets meets = frame_.clip(visit.path, margin, section);
  if (meets == Meets::no) return;
  if (meets == Meets::far) return all_of(visit, [&](const FrameScene& child) { child.thick(visit); });
  const Vec3 &start = section.start, &d = visit.path.direction;
  const double length = section.last - section.first, way = length * std::sqrt(dot(d, d)),
               most = std::clamp(std::floor(std::sqrt(own_ + children_.size())), 1.0, max_steps),
               steps = std::min(most, 1 + std::floor(way / (2 * margin))),  // 0/0 is NaN: min returns `most`
      step = length / steps, size = exact::one_norm(start) + 3 * (frame_.size() + margin),
               reach = margin + 0.5 * way / steps + 64 * exact::u * (size + way);
  Thick thick{*this, visit};
  for (double i = 0; i < steps && !visit.stopped; ++i) {
    const double from = section.first + i * step;
    const double late = 8 * exact::u * (std::fabs(section.base) + std::fabs(from) + length);
    if (section.base + from - late > visit.limit()) return;
    ball(thick, start + (from + 0.5 * step) * d, reach);
  }
}

}  // namespace sphaera::embree_index
