#pragma once
/// \file Finding all times at which a class of eclipse changes.

#include <cstdint>
#include <span>
#include <sphaera/contact_times.hpp>
#include <vector>

namespace sphaera::geometry {

/// Halves an interval until a part is proven to be of one class or is no longer than the resolution; changes
/// in such a part are bisected. Where none of many such parts has a change, the bounds are of no use and the
/// search is given up: star and body keep in contact, or places are rounded by more than bodies are large.
class ClassSearch {
 public:
  /// Given up when there are more than so many parts as short as the resolution in which no change is seen
  /// and none is ruled out. A contact leaves one of them or none where places are rounded by less than bodies
  /// move in a resolution: by 1e-3 m at 1 au.
  ClassSearch(double resolution, std::uint64_t most_open_parts)
      : resolution_(resolution), most_open_parts_(most_open_parts) {}
  virtual ~ClassSearch() = default;
  ClassSearch(const ClassSearch&) = delete;
  ClassSearch& operator=(const ClassSearch&) = delete;

  /// From `begin`, where the class is `light`, over the parts that end at `ends`; returns the class at the
  /// last.
  Light run(double begin, Light light, std::span<const double> ends);

 protected:
  /// The class at t.
  virtual Light light_at(double t) = 0;
  /// A part of the interval begins in which all motions are cubics.
  virtual void enter_part(double from) = 0;
  /// Is the class proven to be the same from … to, within the part?
  virtual bool is_settled(double from, double to) = 0;
  /// Throws Error invalid_argument: too many parts about this time are not proven to be of one class.
  [[noreturn]] virtual void give_up(double time) const = 0;
  /// The class is `after` at `time` and `before` at the double before.
  virtual void found(double time, Light before, Light after) = 0;

 private:
  void halve(double from, double to, Light first, Light last);
  void pin_down(double from, double to, Light first, Light last);

  double resolution_;
  std::uint64_t most_open_parts_, open_parts_ = 0;
};

}  // namespace sphaera::geometry
