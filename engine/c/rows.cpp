#include <c/rows.hpp>
#include <cstddef>

// A C row and its C++ type are the same bytes: size, alignment, and the place, size and kind of each field.
#define SAME_ROW(type)                                              \
  static_assert(sizeof(Sphaera##type) == sizeof(sphaera::type) &&   \
                alignof(Sphaera##type) == alignof(sphaera::type) && \
                std::is_trivially_copyable_v<sphaera::type>);
#define SAME_FIELD(type, field, c_field)                                              \
  static_assert(offsetof(Sphaera##type, c_field) == offsetof(sphaera::type, field) && \
                sizeof(Sphaera##type::c_field) == sizeof(sphaera::type::field) &&     \
                std::is_floating_point_v<decltype(Sphaera##type::c_field)> ==         \
                    std::is_floating_point_v<decltype(sphaera::type::field)>)

SPHAERA_C_ROWS(SAME_ROW)

SAME_FIELD(Vec3, x, x);
SAME_FIELD(Vec3, y, y);
SAME_FIELD(Vec3, z, z);
SAME_FIELD(Sphere, center, center);
SAME_FIELD(Sphere, radius, radius);
SAME_FIELD(Ray, origin, origin);
SAME_FIELD(Ray, direction, direction);
SAME_FIELD(Ray, t_min, t_min);
SAME_FIELD(Ray, t_max, t_max);
SAME_FIELD(Segment, from, from);
SAME_FIELD(Segment, to, to);
SAME_FIELD(Ball, center, center);
SAME_FIELD(Ball, radius, radius);
SAME_FIELD(Hit, t_enter, t_enter);
SAME_FIELD(Hit, t_exit, t_exit);
SAME_FIELD(Hit, sphere, sphere);
SAME_FIELD(Hit, contact, contact);
SAME_FIELD(Neighbor, distance, distance);
SAME_FIELD(Neighbor, sphere, sphere);
SAME_FIELD(ExposedArea, area, area);
SAME_FIELD(ExposedArea, share, share);
SAME_FIELD(ExposedArea, outward, outward);
SAME_FIELD(ExposedArea, hider, hider);
SAME_FIELD(ExposedArea, exposure, exposure);
SAME_FIELD(Bullet, origin, origin);
SAME_FIELD(Bullet, velocity, velocity);
SAME_FIELD(Bullet, radius, radius);
SAME_FIELD(Bullet, start, start);
SAME_FIELD(Bullet, duration, duration);
SAME_FIELD(Impact, time, time);
SAME_FIELD(Impact, exit_time, exit_time);
SAME_FIELD(Impact, distance, distance);
SAME_FIELD(Impact, angle, angle);
SAME_FIELD(Impact, point, point);
SAME_FIELD(Impact, center, center);
SAME_FIELD(Impact, normal, normal);
SAME_FIELD(Impact, velocity, velocity);
SAME_FIELD(Impact, exit_point, exit_point);
SAME_FIELD(Impact, sphere, sphere);
SAME_FIELD(Impact, bounce, bounce);
SAME_FIELD(Impact, contact, contact);
SAME_FIELD(Impact, outcome, outcome);
SAME_FIELD(FlightEnd, time, time);
SAME_FIELD(FlightEnd, center, center);
SAME_FIELD(FlightEnd, velocity, velocity);
SAME_FIELD(FlightEnd, outcome, outcome);
SAME_FIELD(NearMiss, distance, distance);
SAME_FIELD(NearMiss, time, time);
SAME_FIELD(NearMiss, point, point);
SAME_FIELD(NearMiss, sphere, sphere);
SAME_FIELD(LimbDarkening, law, law);
SAME_FIELD(LimbDarkening, coefficients, coefficients);
SAME_FIELD(Star, distance, at_infinity);
SAME_FIELD(Star, center, center);
SAME_FIELD(Star, radius, radius);
SAME_FIELD(Star, direction, direction);
SAME_FIELD(Star, angular_radius, angular_radius);
SAME_FIELD(Star, limb_darkening, limb_darkening);
SAME_FIELD(Observer, position, position);
SAME_FIELD(Observer, on, on);
SAME_FIELD(Visibility, fraction, fraction);
SAME_FIELD(Visibility, flux, flux);
SAME_FIELD(Visibility, magnitude, magnitude);
SAME_FIELD(Visibility, dominant, dominant);
SAME_FIELD(Visibility, occluders, occluders);
SAME_FIELD(Visibility, phase, phase);
SAME_FIELD(Visibility, blocked, blocked);
SAME_FIELD(Visibility, status, status);
SAME_FIELD(Source, star, star);
SAME_FIELD(Source, luminosity, luminosity);
SAME_FIELD(Receiver, observer, observer);
SAME_FIELD(Receiver, normal, normal);
SAME_FIELD(MotionSample, time, time);
SAME_FIELD(MotionSample, position, position);
SAME_FIELD(MotionSample, velocity, velocity);
SAME_FIELD(Spin, axis, axis);
SAME_FIELD(Spin, period, period);
SAME_FIELD(ContactTime, time, time);
SAME_FIELD(ContactTime, body, body);
SAME_FIELD(ContactTime, before, before);
SAME_FIELD(ContactTime, after, after);
SAME_FIELD(PhaseChange, time, time);
SAME_FIELD(PhaseChange, before, before);
SAME_FIELD(PhaseChange, after, after);
SAME_FIELD(UnseenStar, status, status);
SAME_FIELD(UnseenStar, time, time);
SAME_FIELD(UnseenStar, body, body);
SAME_FIELD(ShadowChange, time, time);
SAME_FIELD(ShadowChange, body, body);
SAME_FIELD(ShadowChange, contact, contact);
SAME_FIELD(ChordSums, hits, hits);
SAME_FIELD(ChordSums, chords, chords);
SAME_FIELD(ChordSums, inside, inside);
SAME_FIELD(FrameLevel, frames, frames);
SAME_FIELD(FrameLevel, spheres, spheres);
SAME_FIELD(FrameLevel, half_size_min, half_size_min);
SAME_FIELD(FrameLevel, half_size_max, half_size_max);
SAME_FIELD(FrameLevel, inflation, inflation);
SAME_FIELD(IdRange, first, first);
SAME_FIELD(IdRange, count, count);
SAME_FIELD(Intersection, contact, contact);
SAME_FIELD(Intersection, roots, roots);
SAME_FIELD(Intersection, t1, t1);
SAME_FIELD(Intersection, t2, t2);
SAME_FIELD(Intersection, t_closest, t_closest);
SAME_FIELD(SurfacePoint, point, point);
SAME_FIELD(SurfacePoint, normal, normal);
SAME_FIELD(Crossing, t, t);
SAME_FIELD(Crossing, surface, surface);
SAME_FIELD(Crossing, on_path, on_path);
SAME_FIELD(Pierce, entry, entry);
SAME_FIELD(Pierce, exit, exit);
SAME_FIELD(ClosestPoint, t, t);
SAME_FIELD(ClosestPoint, point, point);
SAME_FIELD(ClosestPoint, squared_distance, squared_distance);
SAME_FIELD(IntersectionCircle, kind, kind);
SAME_FIELD(IntersectionCircle, center, center);
SAME_FIELD(IntersectionCircle, radius, radius);
SAME_FIELD(IntersectionCircle, normal, normal);
SAME_FIELD(IntersectionCircle, axis_u, axis_u);
SAME_FIELD(IntersectionCircle, axis_v, axis_v);
SAME_FIELD(Shot, from, from);
SAME_FIELD(Shot, aim, aim);
SAME_FIELD(Shot, speed, speed);
SAME_FIELD(Ricochet, point, point);
SAME_FIELD(Ricochet, normal, normal);
SAME_FIELD(Ricochet, angle, angle);
SAME_FIELD(Ricochet, velocity, velocity);
SAME_FIELD(Ricochet, distance, distance);
SAME_FIELD(Ricochet, time, time);
SAME_FIELD(SkyPoint, position, position);
SAME_FIELD(SkyPoint, normal, normal);
SAME_FIELD(SkyShare, open, open);
SAME_FIELD(SkyShare, open_by_cosine, open_by_cosine);
SAME_FIELD(SkyShare, error, error);
SAME_FIELD(SkyShare, discs, discs);
SAME_FIELD(SkyShare, rays, rays);

// Derived from Hit, so offsetof is only conditionally supported; GCC and Clang do support it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
SAME_FIELD(SurfaceHit, t_enter, t_enter);
SAME_FIELD(SurfaceHit, t_exit, t_exit);
SAME_FIELD(SurfaceHit, sphere, sphere);
SAME_FIELD(SurfaceHit, contact, contact);
SAME_FIELD(SurfaceHit, point, point);
SAME_FIELD(SurfaceHit, normal, normal);
#pragma GCC diagnostic pop

#define SAME_VALUE(constant, enumerator) static_assert(static_cast<int>(sphaera::enumerator) == (constant))
SAME_VALUE(SPHAERA_CONTACT_MISS, Contact::miss);
SAME_VALUE(SPHAERA_CONTACT_ENTERS, Contact::enters);
SAME_VALUE(SPHAERA_CONTACT_STARTS_INSIDE, Contact::starts_inside);
SAME_VALUE(SPHAERA_OUTCOME_NONE, Outcome::none);
SAME_VALUE(SPHAERA_OUTCOME_RICOCHETS, Outcome::ricochets);
SAME_VALUE(SPHAERA_OUTCOME_PASSES, Outcome::passes);
SAME_VALUE(SPHAERA_OUTCOME_STOPS, Outcome::stops);
SAME_VALUE(SPHAERA_OUTCOME_REFUSED, Outcome::refused);
SAME_VALUE(SPHAERA_OUTCOME_STUCK, Outcome::stuck);
SAME_VALUE(SPHAERA_LAW_UNIFORM, LimbDarkening::Law::uniform);
SAME_VALUE(SPHAERA_LAW_LINEAR, LimbDarkening::Law::linear);
SAME_VALUE(SPHAERA_LAW_QUADRATIC, LimbDarkening::Law::quadratic);
SAME_VALUE(SPHAERA_LAW_SQRT, LimbDarkening::Law::sqrt);
SAME_VALUE(SPHAERA_LAW_POWER2, LimbDarkening::Law::power2);
SAME_VALUE(SPHAERA_LAW_CLARET4, LimbDarkening::Law::claret4);
SAME_VALUE(SPHAERA_PHASE_LIT, EclipsePhase::lit);
SAME_VALUE(SPHAERA_PHASE_UMBRA, EclipsePhase::umbra);
SAME_VALUE(SPHAERA_PHASE_ANTUMBRA, EclipsePhase::antumbra);
SAME_VALUE(SPHAERA_PHASE_PENUMBRA, EclipsePhase::penumbra);
SAME_VALUE(SPHAERA_SHADOW_ENTERS_PENUMBRA, ShadowContact::enters_penumbra);
SAME_VALUE(SPHAERA_SHADOW_INSIDE_PENUMBRA, ShadowContact::inside_penumbra);
SAME_VALUE(SPHAERA_SHADOW_ENTERS_UMBRA, ShadowContact::enters_umbra);
SAME_VALUE(SPHAERA_SHADOW_INSIDE_UMBRA, ShadowContact::inside_umbra);
SAME_VALUE(SPHAERA_SHADOW_LEAVES_UMBRA, ShadowContact::leaves_umbra);
SAME_VALUE(SPHAERA_SHADOW_OUTSIDE_UMBRA, ShadowContact::outside_umbra);
SAME_VALUE(SPHAERA_SHADOW_LEAVES_PENUMBRA, ShadowContact::leaves_penumbra);
SAME_VALUE(SPHAERA_SHADOW_OUTSIDE_PENUMBRA, ShadowContact::outside_penumbra);
SAME_VALUE(SPHAERA_STAR_OK, StarStatus::ok);
SAME_VALUE(SPHAERA_INSIDE_STAR, StarStatus::inside_star);
SAME_VALUE(SPHAERA_INTERSECTS_STAR, StarStatus::intersects_star);
SAME_VALUE(SPHAERA_QUALITY_FAST, BuildQuality::fast);
SAME_VALUE(SPHAERA_QUALITY_BALANCED, BuildQuality::balanced);
SAME_VALUE(SPHAERA_QUALITY_COMPACT, BuildQuality::compact);
SAME_VALUE(SPHAERA_ROW_OK, RowStatus::ok);
SAME_VALUE(SPHAERA_ROW_SKIPPED, RowStatus::skipped);
SAME_VALUE(SPHAERA_REBUILD_WHEN_DEGRADED, UpdateOptions::Rebuild::when_degraded);
SAME_VALUE(SPHAERA_REBUILD_NEVER, UpdateOptions::Rebuild::never);
SAME_VALUE(SPHAERA_REBUILD_ALWAYS, UpdateOptions::Rebuild::always);
SAME_VALUE(SPHAERA_REBUILD_IN_BACKGROUND, UpdateOptions::Rebuild::in_background);
SAME_VALUE(SPHAERA_SEARCH_INDEX, Search::index);
SAME_VALUE(SPHAERA_SEARCH_BRUTE_FORCE, Search::brute_force);
SAME_VALUE(SPHAERA_SEARCH_EMBREE, Search::embree);
SAME_VALUE(SPHAERA_START_INSIDE_HITS, StartInside::hits);
SAME_VALUE(SPHAERA_START_INSIDE_LEAVES, StartInside::leaves);
SAME_VALUE(SPHAERA_START_INSIDE_REFUSES, StartInside::refuses);
SAME_VALUE(SPHAERA_TANGENT_MEETS, Convention::Tangent::meets);
SAME_VALUE(SPHAERA_TANGENT_MISSES, Convention::Tangent::misses);
SAME_VALUE(SPHAERA_END_CLOSED, Convention::End::closed);
SAME_VALUE(SPHAERA_END_OPEN, Convention::End::open);
SAME_VALUE(SPHAERA_START_ANYWHERE, Convention::Start::anywhere);
SAME_VALUE(SPHAERA_START_NOT_INSIDE, Convention::Start::not_inside);
SAME_VALUE(SPHAERA_CIRCLE_CLASS_APART, CircleClass::apart);
SAME_VALUE(SPHAERA_CIRCLE_CLASS_TOUCHING, CircleClass::touching);
SAME_VALUE(SPHAERA_CIRCLE_CLASS_CIRCLE, CircleClass::circle);
SAME_VALUE(SPHAERA_CIRCLE_CLASS_INSIDE, CircleClass::inside);
SAME_VALUE(SPHAERA_CIRCLE_CLASS_SAME, CircleClass::same);
static_assert(static_cast<int>(sphaera::Star::Distance::infinite) == 1);  // SphaeraStar::at_infinity

namespace sphaera::c {
namespace {

template <class Number>
Strided<const Number> strided(const SphaeraRows& rows) {
  return {static_cast<const Number*>(rows.first), rows.count, rows.stride};
}

void check(const SphaeraRows& rows, const char* name) {
  if (rows.type != SPHAERA_DOUBLE && rows.type != SPHAERA_FLOAT)
    refuse(name, "have an unknown type; give SPHAERA_DOUBLE or SPHAERA_FLOAT");
  if (rows.reserved != 0) refuse(name, "have a field `reserved` that is not 0");
  if (rows.count > 0 && rows.first == nullptr) refuse(name, "begin at NULL");
}

}  // namespace

VectorRows vectors_of(const SphaeraRows* rows, const char* name) {
  if (rows == nullptr) return {};
  check(*rows, name);
  if (rows->type == SPHAERA_FLOAT) return strided<float>(*rows);
  const bool dense = rows->stride == sizeof(Vec3);
  if (dense && reinterpret_cast<std::uintptr_t>(rows->first) % alignof(Vec3) == 0)
    return std::span(static_cast<const Vec3*>(rows->first), rows->count);  // needs no conversion
  return strided<double>(*rows);
}

NumberRows numbers_of(const SphaeraRows* rows, const char* name) {
  if (rows == nullptr) return {};
  check(*rows, name);
  if (rows->type == SPHAERA_FLOAT) return strided<float>(*rows);
  return strided<double>(*rows);
}

}  // namespace sphaera::c
