#pragma once
/// \file The first candidates of a piece's flights. Flights are prepared and walk the index together where
/// they can.

#include <query/batch/query_group.hpp>
#include <query/flight/first_impact_walk.hpp>

namespace sphaera::query {

template <class Arithmetic>
class FirstImpacts {
 public:
  FirstImpacts(const SceneState& state, const QueryPiece<Bullet>& piece, StartInside start_inside,
               QueryStats& stats)
      : state_(state), piece_(piece), stats_(stats), rays_(state, piece), flights_(state, piece) {
    passed_.start_inside = start_inside;
  }

  /// Calls done(i, flight, candidate) for every bullet i of the piece, in walk order. Prefetches outputs as
  /// QueryPiece::each_path does.
  template <class Output, class Done>
  SPHAERA_INLINE void each(std::span<Output> out, const Done& done) {
    const QueryOptions& options = piece_.options;
    std::array<exact::Flight, index::PreparedRays::size> next;
    index::PreparedRays::Margins margins{};
    const auto path_of = [&](std::size_t i, std::uint32_t k) SPHAERA_INLINE_LAMBDA {
      const Bullet& bullet = piece_.inputs[i];
      const exact::Flight flight = flight_of(state_, bullet);
      next[k] = flight, margins[k] = bullet.radius;
      return flight.path;
    };
    const auto answer = [&](std::size_t i, const exact::Path&, const WalkAids& aids) SPHAERA_INLINE_LAMBDA {
      const exact::Flight& flight = next[aids.prepared.i];
      if (rays_.takes_queries())
        add(i, flight, aids.prepared, done);
      else
        done(i, flight,
             first_impact(state_, flight, passed_, {state_, options, i}, options, stats_, aids.prepared));
    };
    piece_.each_path_of(index_for(state_, options), out, &margins, path_of, answer);
    finish(done);
  }

 private:
  static constexpr std::size_t most = index::PathGroup::most;
  static constexpr auto as_ray = &index::SceneIndex::nearest_first_together;
  static constexpr auto as_flight = &index::SceneIndex::earliest_first_together;

  /// Finished walks of one kind, in the order in which they were added.
  struct Finished {
    std::array<const FirstImpact*, most> walks;
    std::size_t count = 0, taken = 0;

    void operator()(std::size_t, const FirstImpact& walk) { walks[count++] = &walk; }
    const FirstImpact& next() { return *walks[taken++]; }
    void clear() { count = taken = 0; }
  };
  struct Pending {
    std::size_t i;
    Finished* kind;  ///< null: the flight ends before it starts
  };

  template <class Done>
  SPHAERA_INLINE void add(std::size_t i, const exact::Flight& flight, index::PreparedRay prepared,
                          const Done& done) {
    Finished* kind = nullptr;
    if (flight.path.t_min <= flight.path.t_max) {
      const bool thin = goes_as_ray(state_, flight);
      kind = thin ? &found_as_ray_ : &found_as_flight_;
      if (thin)
        rays_.template add<Arithmetic>(i, flight, prepared, as_ray, found_as_ray_, passed_);
      else
        flights_.template add<Arithmetic>(i, flight, prepared, as_flight, found_as_flight_, passed_);
    }
    pending_[pending_count_++] = {i, kind};
    if (pending_count_ == most) finish(done);
  }

  /// Walks the flights of both kinds and hands their candidates on in walk order.
  template <class Done>
  SPHAERA_INLINE void finish(const Done& done) {
    rays_.walk(as_ray, found_as_ray_);
    flights_.walk(as_flight, found_as_flight_);
    for (std::size_t k = 0; k < pending_count_; ++k) {
      const auto [i, kind] = pending_[k];
      if (!kind) {
        done(i, exact::Flight{}, Candidate{});
        continue;
      }
      const FirstImpact& walk = kind->next();
      count(walk, stats_);
      done(i, walk.flight, walk.first.candidate());
    }
    pending_count_ = 0;
    found_as_ray_.clear(), found_as_flight_.clear();
  }

  const SceneState& state_;
  const QueryPiece<Bullet>& piece_;
  QueryStats& stats_;
  PassedSpheres passed_;
  WalkGroup<FirstImpact> rays_;
  WalkGroup<FirstImpact, index::FlightGroup> flights_;
  Finished found_as_ray_, found_as_flight_;
  std::array<Pending, most> pending_;
  std::size_t pending_count_ = 0;
};

}  // namespace sphaera::query
