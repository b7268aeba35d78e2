#include <query/flight/check_flight.hpp>
#include <query/flight/falling_bullets.hpp>
#include <query/flight/first_impacts.hpp>
#include <query/flight/flight_end.hpp>
#include <query/flight/impact_block.hpp>

namespace sphaera {
namespace {

class FirstImpactWriter {
 public:
  FirstImpactWriter(const query::SceneState& state, const query::QueryPiece<Bullet>& piece,
                    std::span<Impact> out, const FlightOptions& rules, QueryStats& stats)
      : bullets_(piece.inputs),
        out_(out),
        rules_(rules),
        trajectory_(state, rules, piece.options, piece.scratch, stats) {}

  // The two functions that ImpactBlock calls. If `numbers` is not null, it points to place(i).

  Impact& place(std::size_t i) { return out_[i]; }
  template <class Met>
  void operator()(std::size_t i, const Met& met, const Impact* numbers, double) {
    Impact& impact = out_[i];
    if (!numbers) {
      impact = trajectory_.first_at(bullets_[i], i, met);
      return;
    }
    impact.sphere = met.sphere, impact.contact = met.contact, impact.bounce = 0;
    query::Allowance allowance(rules_);
    query::set_outcome(rules_, rules_.gravity, met.sphere, bullets_[i].velocity, allowance, impact);
  }
  void write_alone(std::size_t i) { out_[i] = trajectory_.first(bullets_[i], i); }
  void write_none(std::size_t i) { out_[i] = {}; }

 private:
  std::span<const Bullet> bullets_;
  std::span<Impact> out_;
  const FlightOptions& rules_;
  query::Trajectory trajectory_;
};

/// Answers a piece of bullets that do not fall. The numbers of their impacts are computed many at a time.
void answer_piece(const query::SceneState& state, const query::QueryPiece<Bullet>& piece,
                  std::span<Impact> out, const FlightOptions& rules, QueryStats& stats) {
  FirstImpactWriter writer(state, piece, out, rules, stats);
  query::ImpactBlock<query::Candidate> impacts(state, rules);
  query::FirstImpacts first(state, piece, rules, stats);
  first.each(out, [&](std::size_t i, const exact::Flight& flight, const query::Candidate& met) {
    if (met.contact == Contact::miss)
      writer.write_none(i);
    else
      impacts.add(i, flight, met, writer);
  });
  impacts.write(writer);
}

/// The same for bullets that fall.
void answer_falling_piece(const query::SceneState& state, const query::QueryPiece<Bullet>& piece,
                          std::span<Impact> out, const FlightOptions& rules, QueryStats& stats) {
  FirstImpactWriter writer(state, piece, out, rules, stats);
  query::FallingBullets falling(state, piece, rules, stats);
  if (!falling.takes_bullets()) return piece.each_into(out, [&](std::size_t i) { writer.write_alone(i); });
  const auto alone = [&](std::size_t i, std::size_t) { writer.write_alone(i); };
  query::ImpactBlock<query::CurvedCandidate> impacts(state, rules);
  const auto landed = [&](const query::FallingBullet& bullet) {
    if (const auto& met = bullet.leg.found_first())
      impacts.add(bullet.number, bullet.flight, *met, writer);
    else
      writer.write_none(bullet.number);
  };
  falling.each(out, landed, alone);
  impacts.write(writer);
}

/// The same for bullets that have each a gravity of their own.
void fly_alone(const query::SceneState& state, const query::QueryPiece<Bullet>& piece, std::span<Impact> out,
               const FlightOptions& rules, QueryStats& stats) {
  FirstImpactWriter writer(state, piece, out, rules, stats);
  piece.each_into(out, [&](std::size_t i) { writer.write_alone(i); });
}

FlightEnd end_of(const query::SceneState& state, const Bullet& bullet, std::size_t i,
                 const FlightOptions& flight, const Impact& impact) {
  if (impact.sphere >= 0) return query::end_at(bullet, impact);
  return query::end_of_flight(state, bullet, query::gravity_of(flight, i), {});
}

}  // namespace

void Scene::first_impact(std::span<const Bullet> bullets, std::span<Impact> out, const FlightOptions& flight,
                         const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), bullets.size());
  query::check_flight(state(), bullets.size(), flight, options);
  query::check_materials(flight);
  query::run_pieces<query::WalkOrder::coherent>(
      state(), bullets, options,
      [&](auto, const query::QueryPiece<Bullet>& piece, QueryStats& stats) {
        if (!flight.gravities.empty())
          fly_alone(state(), piece, out, flight, stats);
        else if (flight.gravity == Vec3{})
          answer_piece(state(), piece, out, flight, stats);
        else
          answer_falling_piece(state(), piece, out, flight, stats);
      },
      query::path_in(state()));
  query::put_misses(options, out);
  query::put_ends(flight, options,
                  [&](std::size_t i) { return end_of(state(), bullets[i], i, flight, out[i]); });
}

std::vector<Impact> Scene::first_impact(std::span<const Bullet> bullets, const FlightOptions& flight,
                                        const QueryOptions& options) const {
  return query::filled<Impact>(bullets.size(),
                               [&](auto out) { first_impact(bullets, out, flight, options); });
}

Impact Scene::first_impact(const Bullet& bullet, const FlightOptions& flight,
                           const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_flight(state(), 1, flight, options);
  Impact impact;
  query::SingleScratch scratch(options);
  query::SingleCall call(state(), bullet, options);
  if (call.is_good()) {
    try {
      impact = query::Trajectory(state(), flight, options, *scratch, call.stats).first(bullet, 0);
    } catch (...) {
      base::rethrow_with_memory_errors();
    }
    if (impact.sphere >= 0) query::check_material(flight, static_cast<std::size_t>(impact.sphere));
    call.count();
  }
  query::put_end(flight, options, [&] { return end_of(state(), bullet, 0, flight, impact); });
  return impact;
}

}  // namespace sphaera
