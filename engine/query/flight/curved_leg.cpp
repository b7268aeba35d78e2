#include <ballistics/chords.hpp>
#include <exact/numbers/length.hpp>
#include <query/flight/curved_leg.hpp>

namespace sphaera::query {
namespace {

/// A walk along one chord: decides the spheres that the index finds.
template <bool all>
struct ChordWalk : index::FlightWalk, SphereFilter {
  exact::Counts counts;
  CurvedLeg& leg;
  const ballistics::Chord& chord;
  std::optional<exact::CurvePiece> piece;  ///< above the chord; made for the first sphere

  ChordWalk(const exact::Path& p, double s, double g, Visit v, const SphereFilter& e, CurvedLeg& l,
            const ballistics::Chord& c)
      : FlightWalk(p, s, g, v), SphereFilter(e), leg(l), chord(c) {}

  /// The walk's time counts from the chord's start. One rounding, to which 4u are added.
  void limit(double time) { t_limit = (time - chord.t_from) * (1 + 4 * exact::u); }

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(ChordWalk& q, std::uint32_t id) {
    if (!q.admits(id)) return index::TraversalControl::go_on;
    if (!q.piece) {
      prefetch(q.spheres[id]);
      q.piece.emplace(q.leg.piece_above(q.chord));
    }
    if (!q.leg.template test<all>(*q.piece, id)) return index::TraversalControl::go_on;
    q.limit(q.leg.first_high());
    return index::TraversalControl::limit_reduced;
  }
};

/// Bounds around everything the spheres sweep, enlarged by the bullet's radius: the frame's box, which is
/// padded, plus 4u of all terms of its corners.
index::Bounds room_for(const SceneState& state, double radius) {
  const index::Frame& frame = state.scene_index->top().frame();
  const Vec3 &c = frame.center(), &h = frame.half_size();
  const auto reach = [&](double center, double half) {
    return (half + radius) + 4 * exact::u * (std::fabs(center) + half + radius);
  };
  const Vec3 r{reach(c.x, h.x), reach(c.y, h.y), reach(c.z, h.z)};
  return {c - r, c + r};
}

/// A walk along a chord in the bullet's time. Rounding of the velocity and of `step` moves the walk by less
/// than 4u of the chord's ends, which `margin` includes.
exact::Path path_of(const ballistics::Chord& chord, double& margin) {
  const double time = chord.t_to - chord.t_from;
  const auto& [from, to] = chord.segment;
  const Vec3 step = to - from;
  const auto size = [](const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); };
  margin = chord.margin + 8 * exact::u * (size(from) + size(to));
  const Vec3 velocity = time > 0 ? Vec3{step.x / time, step.y / time, step.z / time} : Vec3{};
  return exact::prepared({from, velocity, {}, 0, time, 0, 0});
}

/// The margin of the chords: three times the radii of the smallest sphere and the bullet
/// (../../index/decisions.md). But for very long flights, which would need very many chords, a fraction of
/// the greatest distance from the chord of the whole flight: 23 chords bring it down to a thousandth.
double margin_of(const SceneState& state, const exact::Flight& flight, const Vec3& gravity, double until) {
  constexpr double finest = 1. / 1024;
  const double sagitta = exact::length(gravity) * until * until / 8;
  return std::max(3 * (state.bounds.radius_min + flight.radius), finest * sagitta);
}

}  // namespace

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

template <bool all>
void CurvedLeg::find() {
  if (sees_nothing(state_, options_) || !(flight_.path.t_min <= flight_.path.t_max)) return;
  const ballistics::Parabola way{flight_.path.origin, flight_.path.direction, gravity_};
  const index::Bounds room = room_for(state_, flight_.radius);
  const double until = std::min(flight_.path.t_max, ballistics::last_time_near(way, room.lower, room.upper));
  if (options_.search == Search::index && until <= domain_limit) {
    walk_chords<all>(way, until);
  } else {  // brute force, or the flight takes longer than chords support
    const auto spheres = static_cast<std::uint32_t>(state_.spheres.span().size());
    for (std::uint32_t id = 0; id < spheres; ++id)
      if (state_.is_enabled(id) && sphere_filter_.admits(id)) meet<all>(id);
    stats_.candidates += spheres;
  }
}

template <bool all>
void CurvedLeg::walk_chords(const ballistics::Parabola& way, double until) {
  const ballistics::Chords chords(way, 0, until, margin_of(state_, flight_, gravity_, until));
  for (std::int64_t i = 0; i < chords.size() && !held_; ++i) {
    const ballistics::Chord chord = chords[i];
    if (first_ && first_->high <= chord.t_from) return;
    double margin = 0;
    const exact::Path path = path_of(chord, margin);
    exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
      using Arithmetic = decltype(arithmetic);
      using Walk = ChordWalk<all>;
      Walk walk(path, flight_.start + chord.t_from, flight_.radius + margin,
                visit_of<Walk, index::PathWalk, Arithmetic>(), sphere_filter_, *this, chord);
      if (first_) walk.limit(first_->high);
      walk_scene<Arithmetic, Walk, index::FlightWalk>(
          state_, options_, walk, all ? &index::SceneIndex::any_impact : &index::SceneIndex::earliest_first);
      count(walk, stats_);
    });
  }
}

exact::CurvePiece CurvedLeg::piece_above(const ballistics::Chord& chord) const {
  return {flight_, gravity_, chord.t_from, chord.t_to};
}

template <bool all>
bool CurvedLeg::test(const exact::CurvePiece& piece, std::uint32_t id) {
  if (all && std::binary_search(scratch_.decided.begin(), scratch_.decided.end(), id)) return false;
  if (id == passed_.bounced_off && !knows_departure(piece, id)) return meet<all>(id);
  if (id == passed_.bounced_off && piece.from() == 0) return false;
  const std::span<const Vec3> velocities = state_.velocities.span();
  const exact::PieceEntry entry =
      piece.entry(state_.spheres.span()[id], velocities.empty() ? nullptr : &velocities[id]);
  if (entry.contact == exact::PieceContact::none) return false;
  if (entry.contact == exact::PieceContact::inside) {
    if (piece.from() > 0) return false;
    if (hits_from_within(id)) return add<all>({id, Contact::starts_inside, true, 0, 0, 0});
  }
  if (entry.contact == exact::PieceContact::enters && entry.high < flight_.path.t_max)
    return add<all>({id, Contact::enters, true, CurvedCandidate::unknown, entry.low, entry.high});
  return meet<all>(id);
}

/// Does a sphere around the muzzle count as hit at the start?
bool CurvedLeg::hits_from_within(std::uint32_t id) const {
  return passed_.start_inside != StartInside::leaves && !passed_.bounced && !passed_.holds(id);
}

/// True if the bullet certainly moves away from the sphere that it has bounced off, until the end of the
/// flight's first piece. It may enter that sphere again in a later piece.
bool CurvedLeg::knows_departure(const exact::CurvePiece& piece, std::uint32_t id) {
  if (piece.from() > 0) return has_departed_;
  const std::span<const Vec3> velocities = state_.velocities.span();
  has_departed_ = piece.leaves(state_.spheres.span()[id], velocities.empty() ? nullptr : &velocities[id]);
  return has_departed_;
}

/// Decides a sphere by its exact curve. Its intervals replace what pieces of the flight have found.
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
  if (id == passed_.bounced_off) return departed(curve, omitted);
  exact::InsideIntervals intervals = exact::inside_intervals(curve, counts_);
  if (intervals.contact() != Contact::starts_inside) return intervals;
  const bool leaves = passed_.start_inside == StartInside::leaves && !passed_.bounced;
  if (passed_.holds(id) || leaves) {
    intervals.interval[0] = intervals.interval[1];
    --intervals.count, omitted = 1;
  } else if (passed_.bounced && exact::sign_slope(pair, 0, counts_) >= 0) {
    return departed(curve, omitted);
  }
  return intervals;
}

exact::InsideIntervals CurvedLeg::departed(const exact::Curve& curve, int& omitted) {
  const exact::Departure departure = exact::departure(curve, counts_);
  held_ = held_ || departure.held;
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
  const Decided x = decided(a), y = decided(b);
  const int order = exact::compare(x.curve, x.interval.enter, y.curve, y.interval.enter, counts_);
  return order != 0 ? order < 0 : passed_.before_at_once(a, b);
}

}  // namespace sphaera::query
