#pragma once
/// \file The first candidates of bullets under gravity, whose chords walk the index together.

#include <optional>
#include <query/flight/chord_block.hpp>
#include <query/flight/chord_walk.hpp>
#include <query/flight/trajectory.hpp>

namespace sphaera::query {

/// A bullet on a leg whose first candidate is not yet known.
struct FallingBullet {
  std::size_t number;  ///< of the query
  std::size_t place;   ///< among the bullets or legs that are flown, from 0
  exact::Flight flight;
  SphereFilter sphere_filter;
  CurvedLeg leg;
  ballistics::Chords chords;
  std::int32_t flown = 0;  ///< chords begun, with the current one
  ChordPath chord;         ///< the current one
  std::optional<ChordWalk<false>> walk;

  FallingBullet(const SceneState& state, const QueryOptions& options, const Vec3& gravity,
                const exact::Flight& f, const ballistics::Chords& c, std::size_t i, std::size_t p,
                const PassedSpheres& passed, CurvedScratch& scratch, QueryStats& stats)
      : number(i),
        place(p),
        flight(f),
        sphere_filter(state, options, i),
        leg(state, options, sphere_filter, flight, gravity, passed, scratch, stats),
        chords(c) {}
  FallingBullet(const FallingBullet&) = delete;

  /// Begins the walk along `chord`, which the caller has set to the next chord.
  index::FlightWalk& start_chord() {
    ++flown;
    if (walk)
      walk->start_chord();
    else
      walk.emplace(chord, leg);
    return *walk;
  }
  bool has_landed() const { return flown == chords.size() || leg.is_decided(chords.time(flown)); }
};

/// The memory of FallingBullets.
struct FallingScratch {
  static constexpr std::size_t most = index::FlightGroup::most;

  index::FlightGroup walks;
  std::array<std::optional<FallingBullet>, most> bullets;
};

/// Keeps as many bullets in flight as can walk together, and walks one chord of each at a time. A bullet that
/// has landed makes room for the next.
class FallingBullets {
 public:
  FallingBullets(const SceneState& state, const QueryPiece<Bullet>& piece, const FlightOptions& rules,
                 QueryStats& stats)
      : state_(state), piece_(piece), rules_(rules), stats_(stats) {
    for (std::uint32_t k = 0; k < most; ++k) slots_[k] = k;
  }
  ~FallingBullets() {
    for (std::uint32_t k = 0; k < flying_; ++k) bullet(k).reset();  // after an exception
  }
  FallingBullets(const FallingBullets&) = delete;

  /// Can bullets of this piece walk together?
  bool takes_bullets() const { return takes_groups(state_, piece_); }

  /// Calls landed(bullet) for every bullet of the piece that has chords, and alone(i, place) for every other
  /// one, in any order. Precondition: it takes bullets. Prefetches outputs like QueryPiece::each_path. Throws
  /// std::bad_alloc.
  template <class Output, class Landed, class Alone>
  void each(std::span<Output> out, const Landed& landed, const Alone& alone) {
    PassedSpheres passed;
    passed.start_inside = rules_.start_inside;
    begin();
    const ChordPlan plan(state_, rules_.gravity);
    std::size_t place = 0;
    piece_.each_eight(
        out,
        [&](std::size_t i, std::uint32_t k) {
          next_[k] = exact::Flight();
          if (!is_skipped(piece_.options, i)) next_[k] = flight_of(state_, piece_.inputs[i], Falls::yes);
        },
        [&] { plan_eight(plan, next_, chords_); },
        [&](std::size_t i, std::uint32_t k) {
          if (!add(k, i, place, passed, landed)) alone(i, place);
          ++place;
        });
    finish(landed);
  }

  /// The same for the current leg of every trajectory.
  template <class Landed, class Alone>
  void each_leg(std::span<Trajectory* const> legs, const Landed& landed, const Alone& alone) {
    begin();
    const ChordPlan plan(state_, rules_.gravity);
    for (std::size_t first = 0; first < legs.size(); first += chord_lanes) {
      const std::size_t count = std::min(chord_lanes, legs.size() - first);
      for (std::size_t k = 0; k < chord_lanes; ++k) next_[k] = legs[first + std::min(k, count - 1)]->flight();
      plan_eight(plan, next_, chords_);
      for (std::size_t k = 0; k < count; ++k) {
        const Trajectory& leg = *legs[first + k];
        if (!add(k, leg.number(), first + k, leg.passed(), landed)) alone(leg.number(), first + k);
      }
    }
    finish(landed);
  }

 private:
  static constexpr std::uint32_t most = FallingScratch::most;

  std::optional<FallingBullet>& bullet(std::uint32_t k) { return memory_->bullets[slots_[k]]; }

  void begin() {
    memory_ = &piece_.scratch.falling_bullets();
    memory_->walks.clear();
    candidates_ = 0;
  }
  /// Adds flight k of `next_`, of query `number`. False if it has no chords.
  template <class Landed>
  bool add(std::size_t k, std::size_t number, std::size_t place, const PassedSpheres& passed,
           const Landed& landed) {
    const exact::Flight& flight = next_[k];
    if (chords_[k].size() == 0 || !(flight.path.t_min <= flight.path.t_max)) return false;
    bullet(flying_).emplace(state_, piece_.options, rules_.gravity, flight, chords_[k], number, place, passed,
                            piece_.scratch.curved, stats_);
    ++flying_;
    while (flying_ == most) fly(landed);  // until one has landed
    return true;
  }
  template <class Landed>
  void finish(const Landed& landed) {
    while (flying_ > 0) fly(landed);
    stats_.candidates += candidates_;
  }

  /// Walks one chord of every bullet, then removes the bullets that have landed.
  template <class Landed>
  void fly(const Landed& landed) {
    for (std::uint32_t first = 0; first < flying_; first += chord_lanes) start_eight(first);
    walk_group();
    land(landed);
  }

  /// Begins the next chord of bullets first … first + 7, as far as there are so many.
  void start_eight(std::uint32_t first) {
    constexpr std::uint32_t size = index::PreparedRays::size;
    static_assert(size == chord_lanes);
    const std::uint32_t count = std::min(size, flying_ - first);
    ChordLanes<const ballistics::Chords*> chords;
    ChordLanes<std::int32_t> number;
    ChordLanes<ChordPath*> chord;
    for (std::uint32_t k = 0; k < size; ++k) {
      FallingBullet& one = *bullet(first + std::min(k, count - 1));
      chords[k] = &one.chords, number[k] = one.flown, chord[k] = &one.chord;
    }
    set_eight(chords, number, chord);
    index::PreparedRays::Paths paths;
    index::PreparedRays::Margins margins;
    for (std::uint32_t k = 0; k < size; ++k) {
      const FallingBullet& one = *bullet(first + std::min(k, count - 1));
      paths[k] = one.chord.path, margins[k] = one.flight.radius + one.chord.margin;
    }
    index::PreparedRays prepared;
    state_.scene_index->prepare(paths, &margins, prepared);
    for (std::uint32_t k = 0; k < count; ++k) {
      index::FlightWalk& walk = bullet(first + k)->start_chord();
      walk.prepared = {&prepared, k};
      start_walk(walk);
    }
  }

  /// Adds the walk to the group, or walks alone where groups do not pay.
  void start_walk(index::FlightWalk& walk) {
    const index::SceneIndex& scene_index = *state_.scene_index;
    if (!start_.pays()) return scene_index.nearest_first(walk);
    const index::FrameBall* const start = scene_index.start_of(walk.path, walk.margin, walk.prepared);
    if (!start_.is(start)) {
      walk_group();
      start_.change(start);
    }
    scene_index.add_to(memory_->walks, walk, start);
  }
  void walk_group() {
    state_.scene_index->nearest_first(memory_->walks, start_.get());
    start_.count(memory_->walks.size());
    memory_->walks.clear();
  }

  template <class Landed>
  void land(const Landed& landed) {
    std::uint32_t flying = 0;
    for (std::uint32_t k = 0; k < flying_; ++k) {
      std::optional<FallingBullet>& one = bullet(k);
      if (!one->has_landed()) {
        std::swap(slots_[flying++], slots_[k]);
        continue;
      }
      candidates_ += one->walk->candidates;
      landed(*one);
      one.reset();
    }
    flying_ = flying;
  }

  const SceneState& state_;
  const QueryPiece<Bullet>& piece_;
  const FlightOptions& rules_;
  QueryStats& stats_;
  ChordLanes<exact::Flight> next_;
  ChordLanes<ballistics::Chords> chords_;  ///< of `next_`
  FallingScratch* memory_ = nullptr;
  GroupStart start_;
  std::uint64_t candidates_ = 0;
  std::uint32_t flying_ = 0;
  std::array<std::uint32_t, most> slots_;  ///< of `memory_->bullets`: those in flight come first
};

}  // namespace sphaera::query
