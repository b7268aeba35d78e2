#include <exact/numbers/dispatch.hpp>
#include <exact/numbers/vector_slots.hpp>
#include <query/flight/chord_block.hpp>

namespace sphaera::query {
namespace {

using Doubles = ChordLanes<double>;
using Vectors = exact::VectorSlots<chord_lanes>;

/// Flights and their plans. One object, so that the compiler knows that its arrays do not overlap.
struct PlanLanes {
  Vectors origin, velocity;
  Doubles last, radius, until;
  ChordLanes<std::int32_t> count;

  SPHAERA_INLINE void compute(const ChordPlan plan) {
    for (std::size_t k = 0; k < chord_lanes; ++k) {
      const ballistics::Chords planned = plan.chords(origin[k], velocity[k], last[k], radius[k]);
      until[k] = planned.until(), count[k] = planned.size();
    }
  }
};

/// One chord of each of eight flights, and that chord as a path.
struct PathLanes {
  Vectors origin, velocity;
  Doubles begin, until;
  ChordLanes<std::int32_t> count, number;

  Vectors path_origin, path_direction;
  Doubles t_from, t_to, margin, last, square, floor;

  SPHAERA_INLINE void compute(const Vec3 gravity, double strength) {
    for (std::size_t k = 0; k < chord_lanes; ++k) {
      const ballistics::Chords chords =
          ballistics::Chords::of({origin[k], velocity[k], gravity}, strength, begin[k], until[k], count[k]);
      const ChordPath path = ChordPath::of(chords[number[k]]);
      t_from[k] = path.t_from, t_to[k] = path.t_to, margin[k] = path.margin;
      path_origin.set(k, path.path.origin), path_direction.set(k, path.path.direction);
      last[k] = path.path.t_max, square[k] = path.path.a, floor[k] = path.path.floor;
    }
  }
  ChordPath path(std::size_t k) const {
    return {t_from[k],
            t_to[k],
            margin[k],
            {path_origin[k], path_direction[k], {}, 0, last[k], square[k], floor[k]}};
  }
};

}  // namespace

void plan_eight(const ChordPlan& plan, const ChordLanes<exact::Flight>& flights,
                ChordLanes<ballistics::Chords>& chords) {
  PlanLanes lanes;
  for (std::size_t k = 0; k < chord_lanes; ++k) {
    const exact::Flight& flight = flights[k];
    lanes.origin.set(k, flight.path.origin), lanes.velocity.set(k, flight.path.direction);
    lanes.last[k] = flight.path.t_max, lanes.radius[k] = flight.radius;
  }
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA { lanes.compute(plan); });
  for (std::size_t k = 0; k < chord_lanes; ++k)
    chords[k] = plan.planned(lanes.origin[k], lanes.velocity[k], lanes.until[k], lanes.count[k]);
}

void set_eight(const ChordLanes<const ballistics::Chords*>& chords, const ChordLanes<std::int32_t>& number,
               const ChordLanes<ChordPath*>& paths) {
  PathLanes lanes;
  for (std::size_t k = 0; k < chord_lanes; ++k) {
    const ballistics::Chords& one = *chords[k];
    lanes.origin.set(k, one.flight().origin), lanes.velocity.set(k, one.flight().velocity);
    lanes.begin[k] = one.from(), lanes.until[k] = one.until();
    lanes.count[k] = one.size(), lanes.number[k] = number[k];
  }
  const Vec3& gravity = chords[0]->flight().gravity;
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA { lanes.compute(gravity, chords[0]->strength()); });
  for (std::size_t k = 0; k < chord_lanes; ++k) *paths[k] = lanes.path(k);
}

}  // namespace sphaera::query
