#include <base/strict_math.hpp>
#include <contacts/phase_search.hpp>

namespace sphaera::geometry {

Light PhaseSearch::run(double begin, Light light, std::span<const double> ends) {
  double from = begin;
  for (const double to : ends) {
    enter_piece(from);
    if (!is_settled(from, to)) {
      const Light last = light_at(to);
      halve(from, to, light, last);
      light = last;
    }
    from = to;
  }
  return light;
}

/// Halves from … to, whose class is not proven to be constant. `first` is the class at `from`, `last` that at
/// `to`.
void PhaseSearch::halve(double from, double to, Light first, Light last) {
  const double middle = from + (to - from) / 2;
  if (to - from <= resolution_ || !(from < middle && middle < to)) {
    if (first == last && ++open_parts_ > most_open_parts_) give_up(from);
    return pin_down(from, to, first, last);
  }
  const Light light = light_at(middle);
  if (!is_settled(from, middle)) halve(from, middle, first, light);
  if (!is_settled(middle, to)) halve(middle, to, light, last);
}

/// Bisects the changes that lead from class `first` to class `last`, each down to two adjacent doubles.
/// Misses a change that is undone within from … to.
void PhaseSearch::pin_down(double from, double to, Light first, Light last) {
  while (first != last) {
    double before = from, after = to;
    Light next = last;
    for (;;) {
      const double middle = before + (after - before) / 2;
      if (!(before < middle && middle < after)) break;
      const Light light = light_at(middle);
      (light == first ? before : after) = middle;
      if (light != first) next = light;
    }
    found(after, first, next);
    from = after, first = next;
  }
}

}  // namespace sphaera::geometry
