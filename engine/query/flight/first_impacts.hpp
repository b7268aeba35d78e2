#pragma once
/// \file The first candidates of a piece's flights. Flights are prepared and walk the index together where
/// they can.

#include <query/flight/trajectory.hpp>

namespace sphaera::query {

class FirstImpacts {
 public:
  FirstImpacts(const SceneState& state, const QueryPiece<Bullet>& piece, const FlightOptions& rules,
               QueryStats& stats)
      : state_(state),
        piece_(piece),
        rules_(rules),
        stats_(stats),
        rays_(state, piece, callbacks_of<FirstImpact>()),
        flights_(state, piece, callbacks_of<FirstImpact>()) {}

  /// Can bullets of this piece walk together?
  bool takes_bullets() const { return rays_.takes_walks() && flights_.takes_walks(); }

  /// Calls done(i, flight, candidate) for every bullet i of the piece, in walk order. Prefetches outputs as
  /// QueryPiece::each_path does.
  template <class Output, class Done>
  void each(std::span<Output> out, const Done& done) {
    const QueryOptions& options = piece_.options;
    PassedSpheres passed;
    passed.start_inside = rules_.start_inside;
    std::array<exact::Flight, index::PreparedRays::size> next;
    index::PreparedRays::Margins margins{};
    const auto path_of = [&](std::size_t i, std::uint32_t k) {
      const Bullet& bullet = piece_.inputs[i];
      const exact::Flight flight = flight_of(state_, bullet);
      next[k] = flight, margins[k] = bullet.radius;
      return flight.path;
    };
    const auto answer = [&](std::size_t i, const exact::Path&, index::PreparedRay prepared) {
      const exact::Flight& flight = next[prepared.i];
      if (takes_bullets()) return add(i, flight, passed, prepared, done);
      if (pending_count_ > 0) finish(done);  // keeps the walk order
      done(i, flight, first_impact(state_, flight, passed, {state_, options, i}, options, stats_, prepared));
    };
    piece_.each_path_of(index_for(state_, options), out, &margins, path_of, answer);
    finish(done);
  }

  /// Calls done(i, flight, candidate) for the current leg of every trajectory, in order; i is the bullet's
  /// number. Precondition: it takes bullets.
  template <class Done>
  void each_leg(std::span<Trajectory* const> legs, const Done& done) {
    constexpr std::uint32_t size = index::PreparedRays::size;
    index::PreparedRays::Paths paths;
    index::PreparedRays::Margins margins;
    index::PreparedRays prepared;
    for (std::size_t first = 0; first < legs.size(); first += size) {
      const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(size, legs.size() - first));
      for (std::uint32_t k = 0; k < size; ++k) {
        const exact::Flight& flight = legs[first + std::min(k, count - 1)]->flight();
        paths[k] = flight.path, margins[k] = flight.radius;
      }
      state_.scene_index->prepare(paths, &margins, prepared);
      for (std::uint32_t k = 0; k < count; ++k) {
        const Trajectory& leg = *legs[first + k];
        add(leg.number(), leg.flight(), leg.passed(), {&prepared, k}, done);
      }
    }
    finish(done);
  }

 private:
  static constexpr std::size_t most = index::PathGroup::most;

  /// Finished walks of one kind, in the order in which they were added.
  struct Finished {
    std::array<const FirstImpact*, most> walks;
    std::size_t count = 0, taken = 0;

    void operator()(std::size_t, const FirstImpact& walk) {
      walks[count++] = &walk;
      prefetch(walk.spheres[walk.first.sphere]);  // for the numbers of the impact
    }
    const FirstImpact& next() { return *walks[taken++]; }
    void clear() { count = taken = 0; }
  };
  struct Pending {
    std::size_t i;
    Finished* kind;  ///< null: the flight ends before it starts
  };

  template <class Done>
  void add(std::size_t i, const exact::Flight& flight, const PassedSpheres& passed,
           index::PreparedRay prepared, const Done& done) {
    Finished* kind = nullptr;
    const bool thin = goes_as_ray(state_, flight);
    if (!(thin ? rays_.fits(flight, prepared) : flights_.fits(flight, prepared))) finish(done);
    if (flight.path.t_min <= flight.path.t_max) {
      kind = thin ? &found_as_ray_ : &found_as_flight_;
      if (thin)
        rays_.add(i, flight, prepared, found_as_ray_, passed);
      else
        flights_.add(i, flight, prepared, found_as_flight_, passed);
    }
    pending_[pending_count_++] = {i, kind};
    if (pending_count_ == most) finish(done);
  }

  /// Walks the flights of both kinds and hands their candidates on in walk order.
  template <class Done>
  void finish(const Done& done) {
    rays_.walk(found_as_ray_);
    flights_.walk(found_as_flight_);
    for (std::size_t k = 0; k < pending_count_; ++k) {
      const auto [i, kind] = pending_[k];
      if (!kind) {
        done(i, exact::Flight{}, Candidate{});
        continue;
      }
      const FirstImpact& walk = kind->next();
      count(walk, stats_);
      done(i, walk.scene_path.flight(), walk.first);
    }
    pending_count_ = 0;
    found_as_ray_.clear(), found_as_flight_.clear();
  }

  const SceneState& state_;
  const QueryPiece<Bullet>& piece_;
  const FlightOptions& rules_;
  QueryStats& stats_;
  WalkGroup<FirstImpact> rays_;
  WalkGroup<FirstImpact, index::FlightGroup> flights_;
  Finished found_as_ray_, found_as_flight_;
  std::array<Pending, most> pending_;
  std::size_t pending_count_ = 0;
};

}  // namespace sphaera::query
