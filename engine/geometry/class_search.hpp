#pragma once
/// \file Finding all times at which a class of eclipse changes.

#include <span>
#include <sphaera/contact_times.hpp>
#include <vector>

namespace sphaera::geometry {

/// Halves an interval until a part is proven to be of one class or is no longer than the resolution; changes
/// in such a part are bisected.
class ClassSearch {
 public:
  explicit ClassSearch(double resolution) : resolution_(resolution) {}
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
  /// The class is `after` at `time` and `before` at the double before.
  virtual void found(double time, Light before, Light after) = 0;

 private:
  void halve(double from, double to, Light first, Light last);
  void pin_down(double from, double to, Light first, Light last);

  double resolution_;
};

}  // namespace sphaera::geometry
