#include <query/batch/list_answers.hpp>
#include <query/flight/check_flight.hpp>
#include <query/flight/first_impacts.hpp>
#include <query/flight/trajectory.hpp>

namespace sphaera {

void Scene::all_impacts(std::span<const Bullet> bullets, ImpactLists& lists, const FlightOptions& flight,
                        const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  lists.items.clear(), lists.offsets.clear();  // so that they hold nothing after an error
  query::check_flight(state(), flight, options);
  query::check_resistances(flight);
  query::run_lists<query::WalkOrder::coherent>(
      state(), bullets, lists, options,
      [&](auto arithmetic, const query::ListPiece<Bullet, Impact>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            query::Trajectory trajectory(state(), flight, options, piece.piece.scratch, stats);
            if (!trajectory.begins_with_first_candidate()) {
              piece.each([&](std::size_t i)
                             SPHAERA_INLINE_LAMBDA { trajectory.all(bullets[i], i, piece.items); });
              return;
            }
            query::FirstImpacts<decltype(arithmetic)> first(state(), piece.piece, flight.start_inside, stats);
            first.each(piece.counts, [&](std::size_t i, const exact::Flight&,
                                         const query::Candidate& met) SPHAERA_INLINE_LAMBDA {
              piece.add(i, [&] { trajectory.all_from(bullets[i], i, met, piece.items); });
            });
          },
      query::path_in(state()));
}

ImpactLists Scene::all_impacts(std::span<const Bullet> bullets, const FlightOptions& flight,
                               const QueryOptions& options) const {
  return query::lists_of<Impact>([&](ImpactLists& lists) { all_impacts(bullets, lists, flight, options); });
}

namespace {

/// Appends the impacts of a single bullet.
void answer_one(const query::SceneState& state, const Bullet& bullet, const FlightOptions& flight,
                const QueryOptions& options, query::TaskScratch& scratch, std::vector<Impact>& impacts) {
  const base::FloatingPointEnvironment mode;
  query::check_flight(state, flight, options);
  query::run_single(state, bullet, options, [&](auto, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    query::Trajectory(state, flight, options, scratch, stats).all(bullet, 0, impacts);
    if (flight.resistances.empty()) return;
    for (const Impact& impact : impacts)
      query::check_resistance(flight, static_cast<std::size_t>(impact.sphere));
  });
}

}  // namespace

std::vector<Impact> Scene::all_impacts(const Bullet& bullet, const FlightOptions& flight,
                                       const QueryOptions& options) const {
  std::vector<Impact> impacts;
  query::SingleScratch scratch(options);
  answer_one(state(), bullet, flight, options, *scratch, impacts);
  return impacts;
}

std::size_t Scene::all_impacts(const Bullet& bullet, std::span<Impact> out, const FlightOptions& flight,
                               const QueryOptions& options) const {
  query::SingleScratch scratch(options);
  std::vector<Impact>& impacts = (*scratch).impacts;
  impacts.clear();
  answer_one(state(), bullet, flight, options, *scratch, impacts);
  std::copy_n(impacts.begin(), std::min(impacts.size(), out.size()), out.begin());
  return impacts.size();
}

}  // namespace sphaera
