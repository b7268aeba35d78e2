#include <base/strict_math.hpp>
#include <contacts/phase_search.hpp>

namespace sphaera::contacts {

EclipsePhase PhaseSearch::run(double begin, EclipsePhase phase, std::span<const double> ends) {
  double from = begin;
  for (const double to : ends) {
    enter_piece(from);
    if (!is_phase_constant(from, to)) {
      const EclipsePhase last = phase_at(to);
      halve(from, to, phase, last);
      phase = last;
    }
    from = to;
  }
  return phase;
}

/// Halves the interval from … to, in which the phase is not proven to be constant. `first` is the phase at
/// `from`, `last` the phase at `to`.
void PhaseSearch::halve(double from, double to, EclipsePhase first, EclipsePhase last) {
  const double middle = from + (to - from) / 2;
  if (to - from <= resolution_ || !(from < middle && middle < to)) {
    if (first == last && ++open_parts_ > max_open_parts_) throw_unresolved(from);
    return pin_down(from, to, first, last);
  }
  const EclipsePhase phase = phase_at(middle);
  if (!is_phase_constant(from, middle)) halve(from, middle, first, phase);
  if (!is_phase_constant(middle, to)) halve(middle, to, phase, last);
}

/// Bisects the changes that lead from phase `first` to phase `last`, each down to two adjacent doubles.
/// Misses a change that is undone within from … to.
void PhaseSearch::pin_down(double from, double to, EclipsePhase first, EclipsePhase last) {
  while (first != last) {
    double before = from, after = to;
    EclipsePhase next = last;
    for (;;) {
      const double middle = before + (after - before) / 2;
      if (!(before < middle && middle < after)) break;
      const EclipsePhase phase = phase_at(middle);
      (phase == first ? before : after) = middle;
      if (phase != first) next = phase;
    }
    found(after, first, next);
    from = after, first = next;
  }
}

}  // namespace sphaera::contacts
