#pragma once
/// \file The trajectories of a piece's bullets, many at a time and leg by leg: the first candidates of all
/// current legs are found together, then the values of their impacts are computed together.

#include <algorithm>
#include <array>
#include <optional>
#include <query/flight/falling_bullets.hpp>
#include <query/flight/first_impacts.hpp>
#include <query/flight/impact_block.hpp>

namespace sphaera::query {

/// An impact, and the index in TrajectoryScratch::impacts of the next impact of the same trajectory.
struct ChainedImpact {
  static constexpr std::uint32_t none = 0xffffffff;

  Impact impact;
  std::uint32_t next = none;
};

/// A bullet in a block of trajectories.
struct FlyingBullet {
  PassedSpheres passed;
  std::optional<Trajectory> trajectory;
  /// `flies_alone`: Trajectory::fly_on flies its current leg and those after it.
  enum class State : std::uint8_t { flies, flies_alone, ended } state = State::ended;
  std::uint32_t first = ChainedImpact::none, last = ChainedImpact::none;  ///< indices of its impacts
};

/// The memory of Trajectories.
struct TrajectoryScratch {
  static constexpr std::size_t most = 256;

  std::array<FlyingBullet, most> bullets;
  std::vector<ChainedImpact> impacts;
  /// The largest capacities of lists of passed spheres among the bullets, and those that all have.
  std::size_t touched = 0, within = 0, touched_by_all = 0, within_by_all = 0;

  void note(const PassedSpheres& passed) {
    touched = std::max(touched, passed.touched.capacity());
    within = std::max(within, passed.within.capacity());
  }
  /// Gives all bullets the largest capacities of any here or in `other`. Throws std::bad_alloc.
  void level(const TrajectoryScratch& other);
};

/// The trajectories of a piece of at most `most` bullets. `falls`: under gravity.
template <bool falls>
class Trajectories {
 public:
  static constexpr std::size_t most = TrajectoryScratch::most;

  Trajectories(const SceneState& state, const QueryPiece<Bullet>& piece, const FlightOptions& rules,
               QueryStats& stats)
      : state_(state),
        piece_(piece),
        rules_(rules),
        stats_(stats),
        legs_(state, piece, rules, stats),
        numbers_(state, rules) {}
  ~Trajectories() {
    for (std::size_t k = 0; k < begun_count_; ++k) {
      FlyingBullet& one = bullet(begun_[k]);
      one.trajectory.reset();
      memory_->note(one.passed);
    }
  }
  Trajectories(const Trajectories&) = delete;

  /// Can this class answer the piece? Only legs that end at their first candidate are flown together.
  bool takes_bullets() const {
    return legs_.takes_bullets() && rules_.pierces == 0 &&
           (rules_.start_inside != StartInside::leaves || rules_.bounces == 0);
  }

  /// Calls append(i, impacts_of) for every bullet i that may have impacts, in walk order; impacts_of(impacts)
  /// appends them. Calls none(i) for every other one. Precondition: it takes bullets. Prefetches outputs like
  /// QueryPiece::each_path. Throws std::bad_alloc.
  template <class Output, class Append, class None>
  void each(std::span<Output> out, const Append& append, const None& none) {
    memory_ = &piece_.scratch.trajectories();
    memory_->impacts.clear();
    fly_first_legs(out, none);
    fly_later_legs();
    // Falling bullets land in any order; `append` is called in walk order.
    if (falls) std::sort(begun_.begin(), begun_.begin() + begun_count_);
    for (std::size_t k = 0; k < begun_count_; ++k) {
      FlyingBullet& one = bullet(begun_[k]);
      append(one.trajectory->number(), [&](std::vector<Impact>& impacts) { append_impacts(one, impacts); });
    }
  }

  // The two functions that ImpactBlock calls. Its `number` of a leg is the bullet's place in the piece.

  /// One Impact is enough for all places, because each impact is used at once.
  Impact& place(std::size_t) { return impact_; }
  template <class Met>
  void operator()(std::size_t place, const Met& met, const Impact* numbers, double elapsed) {
    FlyingBullet& one = bullet(place);
    Impact& impact = memory_->impacts.emplace_back().impact;
    const Trajectory::Next next = one.trajectory->meet(met, numbers, elapsed, impact);
    if (next == Trajectory::Next::rests) {
      memory_->impacts.pop_back();
      return rest(one);
    }
    one.state = next == Trajectory::Next::ricochets ? State::flies : State::ended;
    chain(one);
  }

 private:
  using State = FlyingBullet::State;
  using Legs = std::conditional_t<falls, FallingBullets, FirstImpacts>;
  using Met = std::conditional_t<falls, CurvedCandidate, Candidate>;

  /// If fewer bullets than this still fly, each flies on alone.
  static constexpr std::size_t least_legs = 8;
  /// If a piece has this many impacts, its bullets fly on alone, too; this bounds the piece's memory.
  static constexpr std::size_t most_impacts = 16 * most;

  FlyingBullet& bullet(std::size_t place) { return memory_->bullets[place]; }

  void begin(std::size_t place, std::size_t i, State state) {
    FlyingBullet& one = bullet(place);
    one.trajectory.emplace(state_, rules_, piece_.options, piece_.scratch, one.passed, stats_);
    begun_[begun_count_++] = place;
    one.trajectory->begin(piece_.inputs[i], i);
    one.state = state, one.first = one.last = ChainedImpact::none;
  }

  /// Bullets without a candidate need no trajectory.
  template <class Output, class None>
  void fly_first_legs(std::span<Output> out, const None& none) {
    if constexpr (falls) {
      const auto landed = [&](const FallingBullet& falling) {
        const auto& met = falling.leg.found_first();
        if (!met) return none(falling.number);
        begin(falling.place, falling.number, State::flies);
        numbers_.add(falling.place, falling.flight, *met, *this);
      };
      legs_.each(out, landed, [&](std::size_t i, std::size_t place) { begin(place, i, State::flies_alone); });
    } else {
      std::size_t next = 0;
      legs_.each(out, [&](std::size_t i, const exact::Flight& flight, const Candidate& met) {
        const std::size_t place = next++;
        if (met.contact == Contact::miss) return none(i);
        begin(place, i, State::flies);
        numbers_.add(place, flight, met, *this);
      });
    }
    numbers_.write(*this);
  }

  /// Flies leg after leg of all bullets as long as that pays.
  void fly_later_legs() {
    std::copy_n(begun_.begin(), begun_count_, flying_.begin());
    for (std::size_t count = begun_count_;;) {
      std::size_t flying = 0;
      for (std::size_t k = 0; k < count; ++k) {
        FlyingBullet& one = bullet(flying_[k]);
        if (one.state != State::flies) continue;
        flying_[flying] = flying_[k], trajectories_[flying++] = &*one.trajectory;
      }
      count = flying;
      if (count < least_legs || memory_->impacts.size() >= most_impacts ||
          piece_.options.stop.stop_requested())
        return;
      fly_legs(std::span(trajectories_).first(count));
    }
  }

  void fly_legs(std::span<Trajectory* const> trajectories) {
    if constexpr (falls) {
      const auto landed = [&](const FallingBullet& falling) {
        const std::size_t place = flying_[falling.place];
        if (falling.leg.held())
          rest(bullet(place));
        else
          meet(place, falling.flight, falling.leg.found_first());
      };
      legs_.each_leg(trajectories, landed,
                     [&](std::size_t, std::size_t leg) { bullet(flying_[leg]).state = State::flies_alone; });
    } else {
      std::size_t leg = 0;
      legs_.each_leg(trajectories, [&](std::size_t, const exact::Flight& flight, const Candidate& met) {
        const bool meets = met.contact != Contact::miss;
        meet(flying_[leg++], flight, meets ? std::optional(met) : std::nullopt);
      });
    }
    numbers_.write(*this);
  }
  void meet(std::size_t place, const exact::Flight& flight, const std::optional<Met>& met) {
    if (met)
      numbers_.add(place, flight, *met, *this);
    else
      bullet(place).state = State::ended;
  }

  void rest(FlyingBullet& one) {
    one.state = State::ended;
    if (one.last != ChainedImpact::none) memory_->impacts[one.last].impact.outcome = Outcome::stops;
  }
  /// Makes the newest impact the bullet's last one.
  void chain(FlyingBullet& one) {
    const auto number = static_cast<std::uint32_t>(memory_->impacts.size() - 1);
    (one.first == ChainedImpact::none ? one.first : memory_->impacts[one.last].next) = number;
    one.last = number;
  }
  /// Appends the impacts that were found together; flies on if there are more legs.
  void append_impacts(FlyingBullet& one, std::vector<Impact>& impacts) {
    for (std::uint32_t k = one.first; k != ChainedImpact::none; k = memory_->impacts[k].next)
      impacts.push_back(memory_->impacts[k].impact);
    if (one.state != State::ended) one.trajectory->fly_on(impacts);
  }

  const SceneState& state_;
  const QueryPiece<Bullet>& piece_;
  const FlightOptions& rules_;
  QueryStats& stats_;
  TrajectoryScratch* memory_ = nullptr;
  Legs legs_;
  ImpactBlock<Met> numbers_;
  Impact impact_{};
  std::size_t begun_count_ = 0;
  /// Places of bullets: begun_ of those that have a trajectory, flying_ of those that have legs to fly.
  std::array<std::size_t, most> begun_, flying_;
  std::array<Trajectory*, most> trajectories_;  ///< of `flying_`
};

}  // namespace sphaera::query
