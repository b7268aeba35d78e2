#pragma once
/// \file Search for all times at which the eclipse class changes.

#include <cstdint>
#include <span>
#include <sphaera/contact_times.hpp>
#include <vector>

namespace sphaera::geometry {

/// Halves an interval until each part is proven to have one class or is no longer than the resolution;
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

  /// Searches from `begin`, where the class is `light`, over the parts that end at `ends`. Returns the class
  /// at the last end.
  Light run(double begin, Light light, std::span<const double> ends);

 protected:
  /// The class at t.
  virtual Light light_at(double t) = 0;
  /// Called at the begin of each part in which all motions are cubics.
  virtual void enter_piece(double from) = 0;
  /// True if the class is proven to be constant in from … to, a range within the part.
  virtual bool is_settled(double from, double to) = 0;
  /// Throws Error invalid_argument: too many parts about this time are not proven to be of one class.
  [[noreturn]] virtual void give_up(double time) const = 0;
  /// Called for each change: the class is `after` at `time` and `before` at the preceding double.
  virtual void found(double time, Light before, Light after) = 0;

 private:
  void halve(double from, double to, Light first, Light last);
  void pin_down(double from, double to, Light first, Light last);

  double resolution_;
  std::uint64_t most_open_parts_, open_parts_ = 0;
};

}  // namespace sphaera::geometry
