#include <query/flight.hpp>

namespace sphaera {
namespace {

/// The least gap, by the numbers given out, so that it does not depend on the order of the walk.
struct Nearest : query::FlightQuery {
  double reach = 0;
  std::uint32_t hit = index::no_sphere;  ///< who ends the flight
  NearMiss best;

  using FlightQuery::FlightQuery;

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next see(Nearest& q, std::uint32_t id) {
    if (!q.admits(id) || id == q.hit) return index::Next::go_on;
    const exact::InMotion pair = q.pair(Arithmetic{}, id);
    if (exact::contact(pair, q.counts) == Contact::miss) q.keep(pair, id);
    return index::Next::go_on;
  }

  /// The gap is least at t_m = −b/a, cut to the flight: |L + tD| − R.
  void keep(const exact::InMotion& pair, std::uint32_t id) {
    const exact::Path& way = pair.path;
    const double square = dot(way.direction, way.direction);
    const double closest = square > 0 ? -dot(pair.offset(), way.direction) / square : way.t_min;
    const double t = std::clamp(closest, way.t_min, way.t_max);
    const Vec3 from_center = pair.offset() + t * way.direction;
    const double far = std::hypot(from_center.x, from_center.y, from_center.z);
    const double gap = std::max(0.0, far - pair.radius()), time = flight.start + t;
    if (!(gap <= reach) || gap > best.distance) return;
    if (gap == best.distance && static_cast<std::int64_t>(id) > best.sphere) return;
    const Vec3 center = pair.sphere().center + time * pair.velocity();
    const Vec3 nearest = far > 0 ? pair.sphere().radius / far * from_center : Vec3{};
    best = {gap, time, center + nearest, id};
  }
};

template <class Arithmetic>
SPHAERA_INLINE NearMiss near_miss(const query::SceneState& state, const Bullet& bullet, double reach,
                                  const QueryOptions& options, std::size_t i, QueryStats& stats) {
  exact::Flight flight = query::flight_of(state, bullet);
  const query::Eligible eligible(state, options, i);
  const query::Passing rules;
  const query::Meeting hit = query::first_impact<Arithmetic>(state, flight, rules, eligible, options, stats);
  if (hit.contact != Contact::miss) flight.path.t_max = std::max(flight.path.t_min, hit.entry_low);
  if (query::sees_nothing(state, options) || !(flight.path.t_min <= flight.path.t_max)) return {};
  Nearest walk(state, flight, flight.radius + reach, query::visit_of<Nearest, index::PathWalk, Arithmetic>(),
               rules, eligible);
  walk.reach = reach;
  if (hit.contact != Contact::miss) walk.hit = hit.sphere;
  query::walk_scene<Arithmetic, Nearest, index::FlightWalk>(state, options, walk, &index::Tree::any_impact);
  query::count(walk, stats);
  return walk.best;
}

}  // namespace

void Scene::near_misses(std::span<const Bullet> bullets, double reach, std::span<NearMiss> out,
                        const QueryOptions& options) const {
  query::check_output(out.size(), bullets.size());
  if (!(reach >= 0 && reach <= domain_limit))
    throw Error(ErrorCode::invalid_argument, "the reach is not valid; give a finite one, 0 or more");
  query::run_pieces<query::WalkOrder::coherent>(
      *state_, bullets, options,
      [&](auto arithmetic, const query::Piece<Bullet>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
          out[i] = near_miss<decltype(arithmetic)>(*state_, bullets[i], reach, options, i, stats);
        });
      },
      [&](const Bullet& bullet) SPHAERA_INLINE_LAMBDA { return query::flight_of(*state_, bullet).path; });
}

std::vector<NearMiss> Scene::near_misses(std::span<const Bullet> bullets, double reach,
                                         const QueryOptions& options) const {
  return query::filled<NearMiss>(bullets.size(),
                                 [&](auto out) { near_misses(bullets, reach, out, options); });
}

}  // namespace sphaera
