#include <query/flight/chord_walk.hpp>

namespace sphaera::query {

std::span<const CurvedCandidate> CurvedLeg::first() {
  find<false>();
  if (!first_) return {};
  return {&*first_, 1};
}

std::span<const CurvedCandidate> CurvedLeg::all() {
  scratch_.found.clear(), scratch_.decided.clear();
  find<true>();
  std::sort(scratch_.found.begin(), scratch_.found.end(),
            [&](const CurvedCandidate& a, const CurvedCandidate& b) { return earlier(a, b); });
  return scratch_.found;
}

ballistics::Chords CurvedLeg::chords() const {
  if (options_.search != Search::index) return {};
  const exact::Path& path = flight_.path;
  return ChordPlan(state_, gravity_).chords(path.origin, path.direction, path.t_max, flight_.radius);
}

template <bool all>
void CurvedLeg::find() {
  if (sees_nothing(state_, options_) || !(flight_.path.t_min <= flight_.path.t_max)) return;
  if (const ballistics::Chords found = chords(); found.size() > 0) return walk<all>(found);
  const auto spheres = static_cast<std::uint32_t>(state_.spheres.span().size());
  for (std::uint32_t id = 0; id < spheres; ++id)
    if (state_.is_enabled(id) && sphere_filter_.admits(id)) meet<all>(id);
  stats_.candidates += spheres;
}

template <bool all>
void CurvedLeg::walk(const ballistics::Chords& chords) {
  constexpr auto order = all ? index::VisitOrder::any : index::VisitOrder::nearest_first;
  ChordPath chord = ChordPath::of(chords[0]);
  ChordWalk<all> walk(chord, *this);
  for (std::int32_t i = 1;; ++i) {
    query::find<order, index::FlightWalk>(state_, options_, walk);
    if (i == chords.size() || is_decided(chords.time(i))) break;
    chord = ChordPath::of(chords[i]);
    walk.start_chord();
  }
  count(walk, stats_);
}

exact::CurvePiece CurvedLeg::piece_above(const ChordPath& chord) const {
  return {flight_, gravity_, chord.t_from, chord.t_to};
}

template <bool all>
bool CurvedLeg::test(const exact::CurvePiece& piece, std::uint32_t id) {
  if (all && std::binary_search(scratch_.decided.begin(), scratch_.decided.end(), id)) return false;
  if (passed_.leaves(id) && !knows_departure(piece, id)) return meet<all>(id);
  if (id == passed_.bounced_off && piece.from() == 0) return false;
  const exact::PieceEntry entry = piece.entry(state_.spheres.span()[id], state_.velocity_of(id));
  if (entry.contact == exact::PieceContact::none) return false;
  if (entry.contact == exact::PieceContact::inside) {
    if (piece.from() > 0) return false;
    if (hits_from_within(id))
      return add<all>({.sphere = id,
                       .contact = Contact::starts_inside,
                       .simple = true,
                       .interval = 0,
                       .low = 0,
                       .high = 0});
  }
  if (entry.contact == exact::PieceContact::enters && entry.high < flight_.path.t_max)
    return add<all>({.sphere = id,
                     .contact = Contact::enters,
                     .simple = true,
                     .interval = CurvedCandidate::unknown,
                     .low = entry.low,
                     .high = entry.high});
  return meet<all>(id);
}

/// Does a sphere around the muzzle count as hit at the start?
bool CurvedLeg::hits_from_within(std::uint32_t id) const {
  return passed_.start_inside != StartInside::leaves && !passed_.bounced && !passed_.holds(id);
}

/// True if the bullet certainly moves away from the sphere that it has bounced off, until the end of the
/// flight's first piece. It may enter that sphere again in a later piece.
bool CurvedLeg::knows_departure(const exact::CurvePiece& piece, std::uint32_t id) {
  if (id != passed_.bounced_off) return false;
  if (piece.from() > 0) return has_departed_;
  has_departed_ = piece.leaves(state_.spheres.span()[id], state_.velocity_of(id));
  return has_departed_;
}

/// Decides a sphere by its exact curve. The curve's intervals replace what pieces of the flight have found
/// for this sphere.
template <bool all>
bool CurvedLeg::meet(std::uint32_t id) {
  const exact::InMotion pair = pair_of(exact::Plain{}, state_, flight_, id);
  const exact::Curve curve = curve_of(pair);
  int omitted = 0;
  const exact::InsideIntervals intervals = intervals_of(pair, id, curve, omitted);
  if (all) {
    auto& [found, decided] = scratch_;
    std::erase_if(found, [&](const CurvedCandidate& c) { return c.sphere == id; });
    decided.insert(std::lower_bound(decided.begin(), decided.end(), id), id);
  }
  bool changed = false;
  for (int i = 0; i < intervals.count; ++i) {
    const exact::InsideInterval& interval = intervals.interval[static_cast<std::size_t>(i)];
    const exact::CurveRoot& enter = interval.enter;
    changed |= add<all>({id, interval.starts_inside ? Contact::starts_inside : Contact::enters,
                         interval.starts_inside || (enter.slope < 0 && enter.of == 1), i + omitted,
                         enter.below, enter.above});
  }
  return changed;
}

template <bool all>
bool CurvedLeg::add(const CurvedCandidate& candidate) {
  if (all) {
    if (sphere_filter_.accepts(candidate.sphere)) scratch_.found.push_back(candidate);
    return false;
  }
  if ((first_ && !earlier(candidate, *first_)) || !sphere_filter_.accepts(candidate.sphere)) return false;
  first_ = candidate;
  return true;
}

exact::Curve CurvedLeg::curve_of(const exact::InMotion& pair) const {
  return {pair.relative(), gravity_, flight_.end};
}

/// The rules of a straight flight (flight.hpp), except that a parabola may return to a sphere that it has
/// left.
exact::InsideIntervals CurvedLeg::intervals_of(const exact::InMotion& pair, std::uint32_t id,
                                               const exact::Curve& curve, int& omitted) {
  if (passed_.leaves(id)) return departed(curve, omitted, id);
  exact::InsideIntervals intervals = exact::inside_intervals(curve, counts_);
  if (intervals.contact() != Contact::starts_inside) return intervals;
  const bool leaves = passed_.start_inside == StartInside::leaves && !passed_.bounced;
  if (passed_.holds(id) || leaves) {
    intervals.interval[0] = intervals.interval[1];
    --intervals.count, omitted = 1;
  } else if (passed_.bounced && exact::sign_slope(pair, 0, counts_) >= 0) {
    return departed(curve, omitted, id);
  }
  return intervals;
}

exact::InsideIntervals CurvedLeg::departed(const exact::Curve& curve, int& omitted, std::uint32_t id) {
  const exact::Departure departure = exact::departure(curve, counts_);
  // A sphere that was hit is accepted.
  held_ = held_ || (departure.held && (passed_.leaves(id) || sphere_filter_.accepts(id)));
  omitted = departure.omits_first ? 1 : 0;
  return departure.intervals;
}

/// `candidate.interval` counts all inside intervals, also the first one if the rules omit it.
CurvedLeg::Decided CurvedLeg::decided(const CurvedCandidate& candidate) {
  const exact::Curve curve = curve_of(pair_of(exact::Plain{}, state_, flight_, candidate.sphere));
  const exact::InsideIntervals intervals = exact::inside_intervals(curve, counts_);
  std::size_t i = 0;
  if (candidate.interval != CurvedCandidate::unknown)
    i = static_cast<std::size_t>(candidate.interval);
  else if (intervals.count > 1 &&
           exact::compare(curve, intervals.interval[0].enter, candidate.low, counts_) < 0)
    i = 1;
  return {curve, intervals.interval[i]};
}

bool CurvedLeg::earlier(const CurvedCandidate& a, const CurvedCandidate& b) {
  if (a.high < b.low) return true;
  if (b.high < a.low) return false;
  if (a.contact == Contact::starts_inside && b.contact == Contact::starts_inside)
    return passed_.before_at_once(a, b);  // both at 0
  const bool same_bounds = a.interval == b.interval && a.low == b.low && a.high == b.high;
  if (same_bounds &&
      are_equal(state_.spheres.span().data(), state_.velocities.data_or_null(), a.sphere, b.sphere))
    return passed_.before_at_once(a, b);  // one curve, and one of its entries
  const Decided x = decided(a), y = decided(b);
  const int order = exact::compare(x.curve, x.interval.enter, y.curve, y.interval.enter, counts_);
  return order != 0 ? order < 0 : passed_.before_at_once(a, b);
}

}  // namespace sphaera::query
