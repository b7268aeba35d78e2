#pragma once
/// \file The state of a bullet at the end of its flight, computed from its impacts.

#include <query/batch/batch.hpp>
#include <query/flight/flight.hpp>

namespace sphaera::query {

/// The state of a bullet at an impact at which its flight is ended.
FlightEnd end_at(const Bullet& bullet, const Impact& impact);

/// The state of a bullet at the end of its flight, in which it had these impacts.
FlightEnd end_of_flight(const SceneState& state, const Bullet& bullet, const Vec3& gravity,
                        std::span<const Impact> impacts);

/// Sets FlightOptions::ends of a single bullet, if it is given: to end().
template <class End>
void put_end(const FlightOptions& flight, const QueryOptions& options, const End& end) {
  if (!flight.ends.empty()) flight.ends[0] = is_skipped(options, 0) ? FlightEnd{} : end();
}

/// Sets FlightOptions::ends of a batch, if there are any: end_of(i) is that of bullet i. Throws Error
/// out_of_memory.
template <class EndOf>
void put_ends(const FlightOptions& flight, const QueryOptions& options, const EndOf& end_of) {
  if (flight.ends.empty()) return;
  constexpr std::size_t grain = base::cheap_items_per_piece / 16;  // an end takes 20 to 100 ns
  with_memory_errors([&] {
    in_arena_of(options, [&] {
      base::parallel_pieces(flight.ends.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          flight.ends[i] = is_skipped(options, i) ? FlightEnd{} : end_of(i);
      });
    });
  });
}

}  // namespace sphaera::query
