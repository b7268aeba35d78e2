#include <query/batch/list_answers.hpp>
#include <query/flight/check_flight.hpp>
#include <query/flight/flight_end.hpp>
#include <query/flight/trajectories.hpp>

namespace sphaera {

namespace {

using BulletPiece = query::ListPiece<Bullet, Impact>;

/// Answers a piece of at most TrajectoryScratch::most bullets.
template <bool falls>
void answer_small_piece(const query::SceneState& state, const BulletPiece& piece, const FlightOptions& rules,
                        QueryStats& stats) {
  const query::QueryPiece<Bullet>& queries = piece.piece;
  query::Trajectories<falls> group(state, queries, rules, stats);
  if (!rules.gravities.empty() || !group.takes_bullets()) {
    query::Trajectory trajectory(state, rules, queries.options, queries.scratch, stats);
    return piece.each([&](std::size_t i) { trajectory.all(queries.inputs[i], i, piece.items); });
  }
  group.each(
      piece.counts, [&](std::size_t i, const auto& append) { piece.add(i, [&] { append(piece.items); }); },
      [&](std::size_t i) { piece.add(i, [] {}); });
}

template <bool falls>
void answer_piece(const query::SceneState& state, const BulletPiece& piece, const FlightOptions& rules,
                  QueryStats& stats) {
  query::QueryPiece<Bullet> part = piece.piece;
  for (std::size_t j = piece.piece.begin; j < piece.piece.end; j = part.end) {
    if (part.options.stop.stop_requested() || piece.budget.is_full()) return;
    part.begin = j, part.end = std::min(j + query::TrajectoryScratch::most, piece.piece.end);
    answer_small_piece<falls>(state, {part, piece.items, piece.counts, piece.budget}, rules, stats);
  }
}

}  // namespace

void Scene::all_impacts(std::span<const Bullet> bullets, ImpactLists& lists, const FlightOptions& flight,
                        const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  lists.items.clear(), lists.offsets.clear();  // so that they hold nothing after an error
  query::check_flight(state(), bullets.size(), flight, options);
  query::check_materials(flight);
  query::run_lists<query::WalkOrder::coherent>(
      state(), bullets, lists, options,
      [&](auto, const BulletPiece& piece, QueryStats& stats) {
        if (flight.gravity == Vec3{} && flight.gravities.empty())
          answer_piece<false>(state(), piece, flight, stats);
        else
          answer_piece<true>(state(), piece, flight, stats);
      },
      query::path_in(state()));
  query::put_ends(flight, options, [&](std::size_t i) {
    return query::end_of_flight(state(), bullets[i], query::gravity_of(flight, i), lists[i]);
  });
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
  query::check_flight(state, 1, flight, options);
  query::SingleCall call(state, bullet, options);
  if (call.is_good()) {
    try {
      query::Trajectory(state, flight, options, scratch, call.stats).all(bullet, 0, impacts);
    } catch (...) {
      base::rethrow_with_memory_errors();
    }
    if (impacts.size() > query::most_items<Impact>(options))
      query::throw_lists_too_long(options.memory_limit);
    for (const Impact& impact : impacts)
      query::check_material(flight, static_cast<std::size_t>(impact.sphere));
    call.count();
  }
  query::put_end(flight, options,
                 [&] { return query::end_of_flight(state, bullet, query::gravity_of(flight, 0), impacts); });
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
