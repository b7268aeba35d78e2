#include <ballistics/impact.hpp>
#include <cmath>
#include <exact/numbers/length.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <exact/roots/line.hpp>
#include <query/flight/flight.hpp>

namespace sphaera {
namespace {

/// A time value · unit, unit a power of two, of any size: slow bullets fly longer than any double, fast ones
/// shorter.
struct WideTime {
  double value, unit = 1;

  explicit operator double() const { return value * unit; }
};

/// L, rounded once: by integers where the filter does not know it.
[[gnu::noinline]] Vec3 exact_offset(const exact::InMotion& pair) {
  const exact::Terms<exact::Exact> terms(pair.relative());
  const auto rounded = [&](int axis) { return static_cast<double>(exact::Scaled(terms.l[axis])); };
  return {rounded(0), rounded(1), rounded(2)};
}
SPHAERA_INLINE Vec3 offset_of(const exact::InMotion& pair) {
  return pair.path.floor < infinity ? pair.offset() : exact_offset(pair);
}

/// The sphere with the smallest gap, compared by the returned numbers, so that the order of the walk does not
/// matter.
struct Closest : query::WalkAlong<query::FlightPath> {
  double max_distance = 0;
  const query::FlightPath* whole = nullptr;  ///< the whole flight, which may go on after `hit`
  WideTime end{infinity};                    ///< of the searched interval
  query::Candidate hit;                      ///< the first candidate; a miss: the bullet hits no sphere
  NearMiss best;

  using WalkAlong::WalkAlong;

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test(std::uint32_t id) {
    if (admits(id) && !is_touched(id)) keep(scene_path.pair(Arithmetic{}, id), id);
    return index::TraversalControl::go_on;
  }

  /// Equal spheres have the same gap, and the lowest id counts; `accept` may refuse it.
  bool settles_equals(std::uint32_t id) const { return !accept && admits(id); }

  /// Up to the time of the first hit, the bullet touches only that sphere and those hit at the same time.
  /// This is decided on the whole flight, so the rounded end of the searched interval does not matter.
  bool is_touched(std::uint32_t id) {
    if (hit.contact == Contact::miss) return false;
    if (id == hit.sphere) return true;
    const auto whole_pair = [&](std::uint32_t i) { return whole->pair(exact::Plain{}, i); };
    const exact::InMotion other = whole_pair(id);
    const Contact contact = exact::contact(other, counts);
    return contact != Contact::miss &&
           exact::compare_entries(other, contact, whole_pair(hit.sphere), hit.contact, counts) == 0;
  }

  /// The gap |L + tD| − R is smallest at t_m = −b/a, clamped to the flight. With D = E/scale, scale a power
  /// of two, |E| is next to 1, and tD = τE: τ = t/scale is a length of the scene's size, whatever t is.
  /// Rounding moves τ|E| by at most 13u|L| (L 1, heading 3.5, product 3, quotient 3.5, D 2; an end: 3) and
  /// L + τE by 3u|L| and u of itself, its length by 2.5u of itself, R and the difference by u each: less than
  /// 18u(|L| + R). The walk's margin includes that (`slack`). Underflow adds less than 2^-1070.
  ///
  /// Error of `best`: t is off by 13u|L|/|D|, or, at the end of the flight, by its rounding; start + t is
  /// rounded once more. In the point, r/|L + tD| < 1 does not enlarge the 16u|L| and u of L + tD and adds
  /// 5.5u r; the drift, its sum with the center and that with the scaled vector add u|drift|, u(|point| + r)
  /// and u|point|: less than 16u(|L| + radii + |point| + |drift|).
  void keep(const exact::InMotion& pair, std::uint32_t id) {
    const Vec3 offset = offset_of(pair);
    const double scale = exact::inverse_scale(pair.path.direction);
    const Vec3 direction = scale * pair.path.direction;  // E
    const double speed = exact::length(direction), last = end.value * (end.unit / scale);
    const Vec3 heading{direction.x / speed, direction.y / speed, direction.z / speed};
    const double tau = speed > 0 ? std::clamp(-dot(offset, heading) / speed, 0.0, last) : 0;
    const Vec3 from_center = offset + tau * direction;
    const double far = exact::length(from_center), gap = std::max(0.0, far - pair.radius());
    if (!(gap <= max_distance) || gap > best.distance) return;
    if (gap == best.distance && static_cast<std::int64_t>(id) > best.sphere) return;
    if (!accepts(id)) return;
    const Vec3 nearest = far > 0 ? pair.sphere().radius / far * from_center : Vec3{},
               center = pair.sphere().center + drift(pair, tau, scale);
    best = {gap, start + tau * scale, center + nearest, id};
  }

  /// How far a sphere has moved at t = τ·scale since time 0. Endless flights have spheres at rest. Where t
  /// underflows, its product with a high speed need not.
  Vec3 drift(const exact::InMotion& pair, double tau, double scale) const {
    const double time = start + tau * scale;
    if (std::isinf(time)) return {};
    if (tau == 0 || std::isnormal(time)) return time * pair.velocity();
    return start * pair.velocity() + tau * (scale * pair.velocity());
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

/// The time of a hit, counted from the bullet's start, off by 2u of itself.
WideTime time_of(const query::SceneState& state, const exact::Flight& flight, const query::Candidate& hit) {
  if (hit.contact == Contact::starts_inside) return {flight.path.t_min};
  const exact::InMotion pair = query::pair_of(exact::Plain{}, state, flight, hit.sphere);
  double elapsed = 0;
  ballistics::impact(pair, hit.sphere, hit.contact, {}, elapsed);
  if (std::isnormal(elapsed)) return {std::clamp(elapsed, flight.path.t_min, flight.path.t_max)};
  const double unit = elapsed > 1 ? 0x1p600 : 0x1p-600;
  const auto exactly = entry(exact::LineTerms<exact::Exact>(pair.relative()));
  return {static_cast<double>(exactly / exact::Scaled(exact::Exact(unit))), unit};
}

NearMiss near_miss(const query::SceneState& state, const Bullet& bullet, double max_distance,
                   const QueryOptions& options, std::size_t i, QueryStats& stats) {
  const exact::Flight whole = query::flight_of(state, bullet);
  exact::Flight flight = whole;
  const query::SphereFilter sphere_filter(state, options, i);
  const query::PassedSpheres passed;
  const query::Candidate hit = query::first_impact(state, flight, passed, sphere_filter, options, stats);
  if (query::sees_nothing(state, options) || !(flight.path.t_min <= flight.path.t_max)) return {};
  WideTime end{flight.path.t_max};
  if (hit.contact != Contact::miss) {
    end = time_of(state, flight, hit);
    flight.end_at({static_cast<double>(end), 0});
  }
  const double reach = flight.radius + max_distance;
  const query::FlightPath whole_path(state, whole, passed);
  Closest walk({state, flight, passed}, query::callbacks_of<Closest>(), sphere_filter);
  walk.margin = reach + slack(state, flight, reach);
  walk.max_distance = max_distance;
  walk.whole = &whole_path, walk.hit = hit, walk.end = end;
  query::find<index::VisitOrder::any, index::FlightWalk>(state, options, walk);
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
      [&](auto, const query::QueryPiece<Bullet>& piece, QueryStats& stats) {
        piece.each(
            [&](std::size_t i) { out[i] = near_miss(state(), bullets[i], max_distance, options, i, stats); });
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
