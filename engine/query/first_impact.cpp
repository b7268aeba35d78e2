#include <query/flight/check_flight.hpp>
#include <query/flight/first_impacts.hpp>
#include <query/flight/impact_block.hpp>
#include <query/flight/trajectory.hpp>

namespace sphaera {
namespace {

/// Answers a piece of bullets that do not fall. The numbers of their impacts are computed many at a time.
template <class Arithmetic>
SPHAERA_INLINE void answer_piece(const query::SceneState& state, const query::QueryPiece<Bullet>& piece,
                                 std::span<Impact> out, const FlightOptions& rules, QueryStats& stats) {
  const std::span<const Bullet> bullets = piece.inputs;
  query::Trajectory trajectory(state, rules, piece.options, piece.scratch, stats);
  query::ImpactBlock impacts(state, rules, bullets, out);
  query::FirstImpacts<Arithmetic> first(state, piece, rules.start_inside, stats);
  first.each(out, [&](std::size_t i, const exact::Flight& flight, const query::Candidate& met)
                      SPHAERA_INLINE_LAMBDA {
                        if (met.contact == Contact::miss)
                          out[i] = {};
                        else if (impacts.takes(met))
                          impacts.add(i, flight, met.sphere);
                        else
                          out[i] = trajectory.first_at(bullets[i], i, met);
                      });
  impacts.write();
}

void answer_straight(const query::SceneState& state, std::span<const Bullet> bullets, std::span<Impact> out,
                     const FlightOptions& rules, const QueryOptions& options) {
  query::run_pieces<query::WalkOrder::coherent>(
      state, bullets, options,
      [&](auto arithmetic, const query::QueryPiece<Bullet>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA { answer_piece<decltype(arithmetic)>(state, piece, out, rules, stats); },
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
