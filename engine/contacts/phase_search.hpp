#pragma once
/// \file Search for all times at which the eclipse phase changes.

#include <cstdint>
#include <span>
#include <sphaera/contact_times.hpp>
#include <vector>

namespace sphaera::contacts {

/// Halves an interval until each part is proven to have one phase or is at most as long as the resolution.
/// Changes within such a short part are found by bisection. A short part without a change is open: the bounds
/// do not prove that there is none. Many open parts mean that star and body stay in contact, or that
/// positions are rounded by more than the bodies move within the resolution; then the search fails.
class PhaseSearch {
 public:
  /// The search fails after more than `max_open_parts` open parts. A contact leaves at most one open part if
  /// the bodies move farther within the resolution than the bound on the rounding of positions (at 1 au
  /// 1.1e-3 m for uniform motions, 8.5e-3 m with an ephemeris or an arm).
  PhaseSearch(double resolution, std::uint64_t max_open_parts)
      : resolution_(resolution), max_open_parts_(max_open_parts) {}
  virtual ~PhaseSearch() = default;
  PhaseSearch(const PhaseSearch&) = delete;
  PhaseSearch& operator=(const PhaseSearch&) = delete;

  /// Searches from `begin`, where the phase is `phase`, over the pieces of time that end at `ends`. Returns
  /// the phase at the last end.
  EclipsePhase run(double begin, EclipsePhase phase, std::span<const double> ends);

 protected:
  virtual EclipsePhase phase_at(double t) = 0;
  /// Called at the beginning of each piece of time in which every motion is one cubic polynomial.
  virtual void enter_piece(double from) = 0;
  /// True if the phase is proven to be constant from `from` to `to`. The range lies within the current piece.
  virtual bool is_phase_constant(double from, double to) = 0;
  /// Throws Error invalid_argument: too many open parts, the last of them at `time`.
  [[noreturn]] virtual void throw_unresolved(double time) const = 0;
  /// Called for each change: the phase is `after` at `time` and `before` at the preceding double.
  virtual void found(double time, EclipsePhase before, EclipsePhase after) = 0;

 private:
  void halve(double from, double to, EclipsePhase first, EclipsePhase last);
  void pin_down(double from, double to, EclipsePhase first, EclipsePhase last);

  double resolution_;
  std::uint64_t max_open_parts_, open_parts_ = 0;
};

}  // namespace sphaera::contacts
