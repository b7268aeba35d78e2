#include <query/batch/check_flight.hpp>
#include <query/batch/lists.hpp>
#include <query/batch/trajectory.hpp>

namespace sphaera {

ImpactLists Scene::all_impacts(std::span<const Bullet> bullets, const FlightOptions& flight,
                               const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_flight(state(), flight, options);
  query::check_resistances(flight);
  return query::run_lists<query::WalkOrder::coherent, Impact>(
      state(), bullets, options,
      [&](auto, const query::ListPiece<Bullet, Impact>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::Trajectory trajectory(state(), flight, options, stats);
        piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA { trajectory.all(bullets[i], i, piece.items); });
      },
      query::path_in(state()));
}

std::vector<Impact> Scene::all_impacts(const Bullet& bullet, const FlightOptions& flight,
                                       const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_flight(state(), flight, options);
  std::vector<Impact> impacts;
  query::run_single(state(), bullet, options, [&](auto, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    query::Trajectory(state(), flight, options, stats).all(bullet, 0, impacts);
    if (flight.resistances.empty()) return;
    for (const Impact& impact : impacts)
      query::check_resistance(flight, static_cast<std::size_t>(impact.sphere));
  });
  return impacts;
}

}  // namespace sphaera
