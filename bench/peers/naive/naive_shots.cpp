#include <bench/peers/embree_peer.hpp>
#include <bench/peers/naive/certified_shot.hpp>
#include <bench/peers/naive/naive_shots.hpp>
#include <bench/peers/outward_rounding.hpp>
#include <cmath>

namespace sphaera::bench {
namespace {

/// Data of all spheres for the callbacks.
struct Targets {
  HugeVector<Sphere> spheres;
  HugeVector<Vec3> velocities;
  Horizon horizon;
  double largest_bullet_radius;

  Target target(std::int64_t id) const {
    const auto i = static_cast<std::size_t>(id);
    return {spheres[i], velocities.empty() ? nullptr : &velocities[i]};
  }
};

const Targets& targets_of(const void* user) { return *static_cast<const Targets*>(user); }

struct Candidate {
  std::int64_t sphere = -1;
  CertifiedHit hit;
};

/// State of one ray. Embree passes `context` to the callbacks; the cast to Query needs it as the first
/// member.
struct Query {
  Query(const FlightSection& s, std::int64_t last_bounce) : shot(s), bounced_off(last_bounce) {
    init_context(context);
  }

  RayContext context;
  FlightSection shot;
  std::int64_t bounced_off;  ///< the sphere of the last bounce; −1: no bounce yet
  Candidate best;
};

/// The order of impacts: entry, then id, decided in binary128 where double is unsure.
bool before(const FlightSection& shot, const Targets& targets, const Candidate& a, const Candidate& b) {
  const double gap = b.hit.enter - a.hit.enter;
  if (std::abs(gap) > a.hit.error + b.hit.error) return gap > 0;
  const Target first = targets.target(a.sphere), second = targets.target(b.sphere);
  if (enters_before(shot, first, second)) return true;
  return !enters_before(shot, second, first) && a.sphere < b.sphere;
}

/// After a bounce the bullet is outside all spheres up to rounding, so a sphere from which it recedes is
/// ignored.
bool recedes(const Query& query, const Target& target) {
  const Approach to(query.shot.bullet, target);
  return query.bounced_off >= 0 && dot(to.l + query.shot.t_first * to.d, to.d) >= 0;
}

/// Sets the bounds of a coordinate that moves from one value to another, widened by `reach`.
void set_swept_interval(double at_first, double at_last, double reach, float& lower, float& upper) {
  constexpr double roundings = 0x1p-50;  // 8u; rounding of positions and bounds needs 4u
  const double slack = roundings * (std::abs(at_first) + std::abs(at_last) + reach);
  lower = below(std::min(at_first, at_last) - (reach + slack));
  upper = above(std::max(at_first, at_last) + (reach + slack));
}

void bound(const RTCBoundsFunctionArguments* arguments) {
  const Targets& targets = targets_of(arguments->geometryUserPtr);
  const auto [sphere, velocity] = targets.target(arguments->primID);
  const double reach = sphere.radius + targets.largest_bullet_radius;
  Vec3 first = sphere.center, last = first;
  if (velocity)
    first = first + targets.horizon.from * *velocity, last = last + targets.horizon.to * *velocity;
  RTCBounds& box = *arguments->bounds_o;
  set_swept_interval(first.x, last.x, reach, box.lower_x, box.upper_x);
  set_swept_interval(first.y, last.y, reach, box.lower_y, box.upper_y);
  set_swept_interval(first.z, last.z, reach, box.lower_z, box.upper_z);
}

void intersect(const RTCIntersectFunctionNArguments* arguments) {
  auto* query = reinterpret_cast<Query*>(arguments->context);
  if (arguments->primID == query->bounced_off) return;
  const Targets& targets = targets_of(arguments->geometryUserPtr);
  const Target target = targets.target(arguments->primID);
  const Candidate candidate{arguments->primID, certified_hit(query->shot, target)};
  if (!candidate.hit.is_hit) return;
  if (candidate.hit.starts_inside && recedes(*query, target)) return;
  if (query->best.sphere >= 0 && !before(query->shot, targets, candidate, query->best)) return;
  query->best = candidate;
  RTCRayN* ray = RTCRayHitN_RayN(arguments->rayhit, 1);
  RTCRayN_tfar(ray, 1, 0) = above(candidate.hit.enter + candidate.hit.error);
}

/// The flight as a ray in float, its time rounded outward, with an empty hit.
RTCRayHit ray_hit_of(const FlightSection& shot) {
  RTCRayHit out{};
  out.ray = float_ray(shot.bullet.origin, shot.bullet.velocity, std::max(0.0f, below(shot.t_first)),
                      above(shot.t_last));
  out.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  return out;
}

/// Computes an impact with mirror reflection; sets `elapsed` to the time since the bullet's start.
Impact impact_of(const Bullet& bullet, const Target& target, const Candidate& found, double& elapsed) {
  const Approach to(bullet, target);
  const Vec3 w = target.velocity ? *target.velocity : Vec3{};
  const double enter = found.hit.enter, exit = found.hit.exit;
  const Vec3 v = to.l + enter * to.d, out = to.l + exit * to.d;
  const double along = dot(v, to.d), square = dot(v, v), length = std::sqrt(square);
  const Vec3 moment = cross(v, to.d);
  Impact impact;
  elapsed = enter;
  impact.time = bullet.start + enter;
  impact.exit_time = bullet.start + exit;
  impact.distance = enter * std::sqrt(dot(bullet.velocity, bullet.velocity));
  impact.angle = std::atan2(std::abs(along), std::sqrt(dot(moment, moment)));
  impact.normal = 1 / length * v;
  const Vec3 place = target.sphere.center + impact.time * w;
  impact.point = place + target.sphere.radius * impact.normal;
  impact.center = place + v;
  impact.exit_point =
      (target.sphere.center + impact.exit_time * w) + (target.sphere.radius / to.radius) * out;
  impact.velocity = along < 0 ? (to.d - (2 * along / square) * v) + w : bullet.velocity;
  impact.sphere = found.sphere;
  impact.contact = found.hit.starts_inside ? Contact::starts_inside : Contact::enters;
  return impact;
}

}  // namespace

class NaiveShots::Field {
 public:
  Field(std::span<const Sphere> spheres, std::span<const Vec3> velocities, const Horizon& horizon,
        double largest_bullet_radius)
      : targets_{{spheres.begin(), spheres.end()},
                 {velocities.begin(), velocities.end()},
                 horizon,
                 largest_bullet_radius} {
    GeometryHandle geometry(rtcNewGeometry(peer_.device(), RTC_GEOMETRY_TYPE_USER));
    rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(spheres.size()));
    rtcSetGeometryUserData(geometry.get(), &targets_);
    rtcSetGeometryBoundsFunction(geometry.get(), bound, nullptr);
    rtcSetGeometryIntersectFunction(geometry.get(), intersect);
    peer_.commit(std::move(geometry));
  }

  /// Calls keep(impact) for each impact: at most `bounces` ricochets, then the impact that stops the bullet.
  template <class Keep>
  void fly(Bullet bullet, std::uint32_t bounces, const Keep& keep) const {
    std::int64_t bounced_off = -1;
    for (std::uint32_t n = 0;; ++n) {
      const Candidate found = first(shot_of(bullet), bounced_off);
      if (found.sphere < 0) return;
      double elapsed = 0;
      Impact impact = impact_of(bullet, targets_.target(found.sphere), found, elapsed);
      impact.bounce = n;
      impact.outcome = n < bounces ? Outcome::ricochets : Outcome::stops;
      keep(impact);
      if (n == bounces) return;
      bullet = {impact.center, impact.velocity, bullet.radius, impact.time,
                std::max(0.0, bullet.duration - elapsed)};
      bounced_off = found.sphere;
    }
  }

 private:
  FlightSection shot_of(const Bullet& bullet) const {
    if (targets_.velocities.empty()) return {bullet, 0, bullet.duration};
    return {bullet, std::max(0.0, targets_.horizon.from - bullet.start),
            std::min(bullet.duration, targets_.horizon.to - bullet.start)};
  }

  Candidate first(const FlightSection& shot, std::int64_t bounced_off) const {
    if (shot.t_first > shot.t_last) return {};
    Query query(shot, bounced_off);
    RTCRayHit ray = ray_hit_of(shot);
    intersect1(peer_.scene(), ray, query.context);
    return query.best;
  }

  Targets targets_;
  EmbreePeer peer_;
};

NaiveShots::NaiveShots(std::span<const Sphere> spheres, std::span<const Vec3> velocities,
                       const Horizon& horizon, double largest_bullet_radius)
    : field_(std::make_unique<Field>(spheres, velocities, horizon, largest_bullet_radius)) {}

NaiveShots::~NaiveShots() = default;

void NaiveShots::shoot(std::span<const Bullet> bullets, std::span<Impact> out) const {
  for_each_in_parallel(bullets.size(), [&](std::size_t i) {
    out[i] = {};
    field_->fly(bullets[i], 0, [&](const Impact& impact) { out[i] = impact; });
  });
}

ImpactLists NaiveShots::shoot(std::span<const Bullet> bullets, std::uint32_t bounces) const {
  return gather<Impact>(bullets.size(), [&](std::size_t i, std::vector<Impact>& impacts) {
    field_->fly(bullets[i], bounces, [&](const Impact& impact) { impacts.push_back(impact); });
  });
}

}  // namespace sphaera::bench
