#include <ballistics/impact.hpp>
#include <cmath>
#include <exact/numbers/length.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <query/flight/flight.hpp>

namespace sphaera {
namespace {

/// The sphere with the smallest gap, compared by the returned numbers, so that the order of the walk does not
/// matter.
struct Closest : query::FlightQuery {
  double max_distance = 0;
  const exact::Flight* whole = nullptr;  ///< the whole flight, which may go on after `hit`
  query::Candidate hit;                  ///< the first candidate; a miss: the bullet hits no sphere
  NearMiss best;

  using FlightQuery::FlightQuery;

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(Closest& q, std::uint32_t id) {
    if (q.admits(id) && !q.is_touched(id)) q.keep(q.pair(Arithmetic{}, id), id);
    return index::TraversalControl::go_on;
  }

  /// Up to the time of the first hit, the bullet touches only that sphere and those hit at the same time.
  /// This is decided on the whole flight, so the rounded end of the searched interval does not matter.
  bool is_touched(std::uint32_t id) {
    if (hit.contact == Contact::miss) return false;
    if (id == hit.sphere) return true;
    const auto whole_pair = [&](std::uint32_t i) {
      return exact::InMotion(exact::Plain{}, *whole, spheres[i], velocities ? velocities + i : nullptr);
    };
    const exact::InMotion other = whole_pair(id);
    const Contact contact = exact::contact(other, counts);
    return contact != Contact::miss &&
           exact::compare_entries(other, contact, whole_pair(hit.sphere), hit.contact, counts) == 0;
  }

  /// The gap |L + tD| − R is smallest at t_m = −b/a, clamped to the flight. Rounding moves t|D| by at most
  /// 13u|L| (L 1, heading 3.5, product 3, quotient 3.5, D 2) and L + tD by 3u|L| and u of itself, its length
  /// by 2.5u of itself, R and the difference by u each: less than 18u(|L| + R). The walk's margin includes
  /// that (`slack`).
  void keep(const exact::InMotion& pair, std::uint32_t id) {
    const exact::Path& relative = pair.path;
    const Vec3& d = relative.direction;
    const double scale = exact::inverse_scale(d);  // the length of a denormal vector would be inaccurate
    const Vec3 scaled = scale * d;
    const double speed = exact::length(scaled);
    const Vec3 heading{scaled.x / speed, scaled.y / speed, scaled.z / speed};
    const double along = -dot(pair.offset(), heading),
                 closest = speed > 0 ? along / speed * scale : relative.t_min;
    const double t = std::clamp(closest, relative.t_min, relative.t_max);
    // For a bullet as slow as 2^-1000, t can exceed the range of double.
    const Vec3 step = std::isinf(t) ? along * heading : t * relative.direction,
               from_center = pair.offset() + step;
    const double far = exact::length(from_center);
    const double gap = std::max(0.0, far - pair.radius()), time = flight.start + t;
    if (!(gap <= max_distance) || gap > best.distance) return;
    if (gap == best.distance && static_cast<std::int64_t>(id) > best.sphere) return;
    if (!accepts(id)) return;
    // Endless flights have spheres at rest.
    const Vec3 drift = std::isinf(time) ? Vec3{} : time * pair.velocity(),
               center = pair.sphere().center + drift;
    const Vec3 nearest = far > 0 ? pair.sphere().radius / far * from_center : Vec3{};
    best = {gap, time, center + nearest, id};
  }
};

/// More than the rounding error of a gap (`Closest::keep`) up to `reach` = bullet's radius + max_distance, so
/// that the walk offers every sphere whose rounded gap is within max_distance. The top frame holds all
/// spheres, at all times: |L| is at most the distance to its center and its half-diagonal.
double slack(const query::SceneState& state, const exact::Flight& flight, double reach) {
  const index::Frame& frame = state.scene_index->top().frame();
  return 32 * exact::u *
         (exact::one_norm(flight.path.origin - frame.center()) + exact::one_norm(frame.half_size()) + reach);
}

/// The time of a hit, counted from the bullet's start.
double time_of(const query::SceneState& state, const exact::Flight& flight, const query::Candidate& hit) {
  double elapsed = 0;
  ballistics::impact(query::pair_of(exact::Plain{}, state, flight, hit.sphere), hit.sphere, hit.contact, {},
                     elapsed);
  return std::clamp(elapsed, flight.path.t_min, flight.path.t_max);
}

template <class Arithmetic>
SPHAERA_INLINE NearMiss near_miss(const query::SceneState& state, const Bullet& bullet, double max_distance,
                                  const QueryOptions& options, std::size_t i, QueryStats& stats) {
  const exact::Flight whole = query::flight_of(state, bullet);
  exact::Flight flight = whole;
  const query::SphereFilter sphere_filter(state, options, i);
  const query::PassedSpheres passed;
  const query::Candidate hit = query::first_impact(state, flight, passed, sphere_filter, options, stats);
  if (hit.contact != Contact::miss) flight.end_at({time_of(state, flight, hit), 0});
  if (query::sees_nothing(state, options) || !(flight.path.t_min <= flight.path.t_max)) return {};
  const double reach = flight.radius + max_distance;
  Closest walk(state, flight, reach + slack(state, flight, reach),
               query::visit_of<Closest, index::PathWalk, Arithmetic>(), passed, sphere_filter);
  walk.max_distance = max_distance;
  walk.whole = &whole, walk.hit = hit;
  query::walk_scene<Arithmetic, Closest, index::FlightWalk>(state, options, walk,
                                                            &index::SceneIndex::any_impact);
  query::count(walk, stats);
  return walk.best;
}

}  // namespace

void Scene::near_misses(std::span<const Bullet> bullets, double max_distance, std::span<NearMiss> out,
                        const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), bullets.size());
  query::refuse_embree(options, "near misses");
  query::refuse_times(options, "bullets");
  if (!(max_distance >= 0 && max_distance <= domain_limit))
    base::refuse_value("max_distance", max_distance, "0 to 2^200");
  query::run_pieces<query::WalkOrder::coherent>(
      state(), bullets, options,
      [&](auto arithmetic, const query::QueryPiece<Bullet>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
          out[i] = near_miss<decltype(arithmetic)>(state(), bullets[i], max_distance, options, i, stats);
        });
      },
      [&](const Bullet& bullet) SPHAERA_INLINE_LAMBDA { return query::flight_of(state(), bullet).path; });
  query::put_misses(options, out);
}

std::vector<NearMiss> Scene::near_misses(std::span<const Bullet> bullets, double max_distance,
                                         const QueryOptions& options) const {
  return query::filled<NearMiss>(bullets.size(),
                                 [&](auto out) { near_misses(bullets, max_distance, out, options); });
}

}  // namespace sphaera
