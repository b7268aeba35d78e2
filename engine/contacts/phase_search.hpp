#pragma once
/// \file Search for all times at which the eclipse phase changes.

#include <cstdint>
#include <span>
#include <sphaera/contact_times.hpp>
#include <vector>

namespace sphaera::geometry {

/// Halves an interval until each part is proven to have one phase or is no longer than the resolution;
/// changes in such a short part are bisected. If many short parts have no change, the bounds are useless and
/// the search fails: star and body stay in contact, or positions are rounded by more than the bodies' size.
class PhaseSearch {
 public:
  /// The search fails after more than `most_open_parts` parts as short as the resolution in which no change
  /// is found and none is ruled out. A contact leaves at most one such part if positions are rounded by less
  /// than bodies move within the resolution (1e-3 m at 1 au).
  PhaseSearch(double resolution, std::uint64_t most_open_parts)
      : resolution_(resolution), most_open_parts_(most_open_parts) {}
  virtual ~PhaseSearch() = default;
  PhaseSearch(const PhaseSearch&) = delete;
  PhaseSearch& operator=(const PhaseSearch&) = delete;

  /// Searches from `begin`, where the phase is `phase`, over the parts that end at `ends`. Returns the phase
  /// at the last end.
  EclipsePhase run(double begin, EclipsePhase phase, std::span<const double> ends);

 protected:
  /// The phase at t.
  virtual EclipsePhase phase_at(double t) = 0;
  /// Called at the begin of each part in which all motions are cubics.
  virtual void enter_piece(double from) = 0;
  /// True if the phase is proven to be constant in from … to, a range within the part.
  virtual bool is_settled(double from, double to) = 0;
  /// Throws Error invalid_argument: too many parts about this time are not proven to be of one phase.
  [[noreturn]] virtual void give_up(double time) const = 0;
  /// Called for each change: the phase is `after` at `time` and `before` at the preceding double.
  virtual void found(double time, EclipsePhase before, EclipsePhase after) = 0;

 private:
  void halve(double from, double to, EclipsePhase first, EclipsePhase last);
  void pin_down(double from, double to, EclipsePhase first, EclipsePhase last);

  double resolution_;
  std::uint64_t most_open_parts_, open_parts_ = 0;
};

}  // namespace sphaera::geometry
