#include <query/flight/check_flight.hpp>
#include <query/flight/impact_block.hpp>
#include <query/flight/trajectory.hpp>

namespace sphaera {
namespace {

/// Bullets that do not fall: their flights are prepared, and the numbers of their impacts computed, many at a
/// time.
void answer_straight(const query::SceneState& state, std::span<const Bullet> bullets, std::span<Impact> out,
                     const FlightOptions& rules, const QueryOptions& options) {
  query::run_pieces<query::WalkOrder::coherent>(
      state, bullets, options,
      [&](auto, const query::QueryPiece<Bullet>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::Trajectory trajectory(state, rules, options, piece.scratch, stats);
        query::ImpactBlock impacts(state, rules, bullets, out);
        const query::PassedSpheres passed{.start_inside = rules.start_inside};
        std::array<exact::Flight, index::PreparedRays::size> flights;
        index::PreparedRays::Margins margins{};
        const auto path_of = [&](std::size_t i, std::uint32_t k) SPHAERA_INLINE_LAMBDA {
          flights[k] = query::flight_of(state, bullets[i]), margins[k] = bullets[i].radius;
          return flights[k].path;
        };
        const auto answer = [&](std::size_t i, const exact::Path&,
                                const query::WalkAids& aids) SPHAERA_INLINE_LAMBDA {
          const exact::Flight& flight = flights[aids.prepared.i];
          const query::Candidate met = query::first_impact(
              state, flight, passed, query::SphereFilter(state, options, i), options, stats, aids.prepared);
          if (met.contact == Contact::miss) {
            out[i] = {};
          } else if (impacts.takes(met)) {
            impacts.add(i, flight, met.sphere);
          } else {
            out[i] = trajectory.first_at(bullets[i], i, met);
          }
        };
        piece.each_path_of(query::index_for(state, options), out, &margins, path_of, answer);
        impacts.write();
      },
      query::path_in(state));
}

void answer_curved(const query::SceneState& state, std::span<const Bullet> bullets, std::span<Impact> out,
                   const FlightOptions& flight, const QueryOptions& options) {
  query::run_pieces<query::WalkOrder::coherent>(
      state, bullets, options,
      [&](auto, const query::QueryPiece<Bullet>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::Trajectory trajectory(state, flight, options, piece.scratch, stats);
        piece.each_into(
            out, [&](std::size_t i) SPHAERA_INLINE_LAMBDA { out[i] = trajectory.first(bullets[i], i); });
      },
      query::path_in(state));
}

}  // namespace

void Scene::first_impact(std::span<const Bullet> bullets, std::span<Impact> out, const FlightOptions& flight,
                         const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), bullets.size());
  query::check_flight(state(), flight, options);
  query::check_resistances(flight);
  if (flight.gravity == Vec3{})
    answer_straight(state(), bullets, out, flight, options);
  else
    answer_curved(state(), bullets, out, flight, options);
  query::put_misses(options, out);
}

std::vector<Impact> Scene::first_impact(std::span<const Bullet> bullets, const FlightOptions& flight,
                                        const QueryOptions& options) const {
  return query::filled<Impact>(bullets.size(),
                               [&](auto out) { first_impact(bullets, out, flight, options); });
}

Impact Scene::first_impact(const Bullet& bullet, const FlightOptions& flight,
                           const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_flight(state(), flight, options);
  Impact impact;
  query::SingleScratch scratch(options);
  query::run_single(state(), bullet, options, [&](auto, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    impact = query::Trajectory(state(), flight, options, *scratch, stats).first(bullet, 0);
    if (impact.sphere >= 0 && !flight.resistances.empty())
      query::check_resistance(flight, static_cast<std::size_t>(impact.sphere));
  });
  return impact;
}

}  // namespace sphaera
