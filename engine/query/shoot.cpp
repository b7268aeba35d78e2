#include <query/batch/lists.hpp>
#include <query/batch/trajectory.hpp>
#include <string>

namespace sphaera {
namespace {

[[noreturn]] void refuse(const std::string& what, std::int64_t element = Error::no_element) {
  throw Error(ErrorCode::invalid_argument, what, element);
}

/// Checks all options except the values of resistances.
void check_flight(const query::SceneState& state, const FlightOptions& flight) {
  if (!(flight.budget >= 0)) refuse("the budget is negative or not a number; give 0 or more, or inf");
  if (!(flight.restitution >= 0 && flight.restitution <= 1)) refuse("restitution goes from 0 to 1");
  if (!base::in_domain(flight.gravity)) refuse("gravity is not finite; give three numbers of at most 2^200");
  if (!(flight.friction >= 0 && base::is_finite(flight.friction)))
    refuse("friction is negative or not finite; give 0 or more");
  if (flight.start_inside > StartInside::refuses) {
    refuse("start_inside is " + std::to_string(static_cast<int>(flight.start_inside)) +
           "; give StartInside::hits, leaves or refuses");
  }
  const std::size_t spheres = state.spheres.span().size();
  if (flight.resistances.empty()) return;
  if (flight.resistances.size() != spheres) {
    refuse("there are " + std::to_string(flight.resistances.size()) + " resistances for " +
           std::to_string(spheres) + " spheres; give none or one for each sphere");
  }
}

void check_resistance(const FlightOptions& flight, std::size_t sphere) {
  if (flight.resistances[sphere] >= 0) [[likely]]
    return;
  refuse(
      "sphere " + std::to_string(sphere) + ": resistance is negative or not a number; give 0 or more, or inf",
      static_cast<std::int64_t>(sphere));
}

void check_resistances(const FlightOptions& flight) {
  for (std::size_t i = 0; i < flight.resistances.size(); ++i) check_resistance(flight, i);
}

auto path_in(const query::SceneState& state) {
  return [&](const Bullet& bullet) SPHAERA_INLINE_LAMBDA { return query::flight_of(state, bullet).path; };
}

}  // namespace

void Scene::shoot(std::span<const Bullet> bullets, std::span<Impact> out, const FlightOptions& flight,
                  const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), bullets.size());
  check_flight(*state_, flight);
  check_resistances(flight);
  query::run_pieces<query::WalkOrder::coherent>(
      *state_, bullets, options,
      [&](auto arithmetic, const query::Piece<Bullet>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::Trajectory trajectory(*state_, flight, options, stats);
        piece.each_into(out, [&](std::size_t i) SPHAERA_INLINE_LAMBDA {
          out[i] = trajectory.first<decltype(arithmetic)>(bullets[i], i);
        });
      },
      path_in(*state_));
}

ImpactLists Scene::shoot(std::span<const Bullet> bullets, const FlightOptions& flight,
                         const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  check_flight(*state_, flight);
  check_resistances(flight);
  return query::run_lists<query::WalkOrder::coherent, Impact>(
      *state_, bullets, options,
      [&](auto arithmetic, const query::ListPiece<Bullet, Impact>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            query::Trajectory trajectory(*state_, flight, options, stats);
            piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
              trajectory.all<decltype(arithmetic)>(bullets[i], i, piece.items);
            });
          },
      path_in(*state_));
}

Impact Scene::shoot(const Bullet& bullet, const FlightOptions& flight, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  check_flight(*state_, flight);
  Impact impact;
  query::run_single(*state_, bullet, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    impact = query::Trajectory(*state_, flight, options, stats).first<decltype(arithmetic)>(bullet, 0);
    if (impact.sphere >= 0 && !flight.resistances.empty())
      check_resistance(flight, static_cast<std::size_t>(impact.sphere));
  });
  return impact;
}

}  // namespace sphaera
