#include <query/flight/check_flight.hpp>
#include <query/flight/trajectory.hpp>

namespace sphaera {

void Scene::first_impact(std::span<const Bullet> bullets, std::span<Impact> out, const FlightOptions& flight,
                         const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), bullets.size());
  query::check_flight(state(), flight, options);
  query::check_resistances(flight);
  query::run_pieces<query::WalkOrder::coherent>(
      state(), bullets, options,
      [&](auto, const query::Piece<Bullet>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::Trajectory trajectory(state(), flight, options, piece.scratch, stats);
        piece.each_into(
            out, [&](std::size_t i) SPHAERA_INLINE_LAMBDA { out[i] = trajectory.first(bullets[i], i); });
      },
      query::path_in(state()));
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
