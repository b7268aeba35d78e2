#include <ballistics/chords.hpp>
#include <exact/numbers/length.hpp>
#include <query/batch/curved_leg.hpp>

namespace sphaera::query {
namespace {

/// Collects the ids of spheres that may be hit.
struct Gather : index::FlightWalk, SphereFilter {
  exact::Counts counts;
  std::vector<std::uint32_t>& found;

  Gather(const exact::Path& p, double s, double g, Visit v, const SphereFilter& e,
         std::vector<std::uint32_t>& f)
      : FlightWalk(p, s, g, v), SphereFilter(e), found(f) {}

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(Gather& q, std::uint32_t id) {
    if (!q.admits(id)) return index::Next::go_on;
    q.found.push_back(id);
    return index::Next::go_on;
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
exact::Path path_of(const geometry::Chord& chord, double& margin) {
  const double time = chord.t_to - chord.t_from;
  const auto& [from, to] = chord.segment;
  const Vec3 step = to - from;
  const auto size = [](const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); };
  margin = chord.margin + 8 * exact::u * (size(from) + size(to));
  const Vec3 velocity = time > 0 ? Vec3{step.x / time, step.y / time, step.z / time} : Vec3{};
  return exact::prepared({from, velocity, {}, 0, time, 0, 0});
}

/// The margin of the chords: the radii of the smallest sphere and the bullet, but for very long flights,
/// which would need very many chords, a fraction of the sagitta: 32 chords bring it down to a thousandth.
double margin_of(const SceneState& state, const exact::Flight& flight, const Vec3& gravity, double until) {
  constexpr double finest = 1. / 1024;
  const double sagitta = geometry::length(gravity) * until * until / 8;
  return std::max(state.bounds.radius_min + flight.radius, finest * sagitta);
}

}  // namespace

void CurvedLeg::gather(const exact::Path& path, double start, double margin) {
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    using Arithmetic = decltype(arithmetic);
    Gather walk(path, start, margin, visit_of<Gather, index::PathWalk, Arithmetic>(), sphere_filter_, found_);
    walk_scene<Arithmetic, Gather, index::FlightWalk>(state_, options_, walk, &index::SceneIndex::any_impact);
    count(walk, stats_);
  });
}

void CurvedLeg::find(bool all, std::vector<CurvedCandidate>& found) {
  found.clear(), met_.clear();
  if (sees_nothing(state_, options_) || !(flight_.path.t_min <= flight_.path.t_max)) return;
  const geometry::Parabola way{flight_.path.origin, flight_.path.direction, gravity_};
  const index::Bounds room = room_for(state_, flight_.radius);
  const double until = std::min(flight_.path.t_max, geometry::last_time_near(way, room.lower, room.upper));
  if (options_.search == Search::index && until <= domain_limit) {
    follow_chords(way, until, all, found);
  } else {
    gather_all();
    meet_gathered(found);
  }
  if (!all && found.size() > 1) found.resize(1);
  stats_.double_double += counts_.double_double, stats_.exact += counts_.exact;
}

void CurvedLeg::follow_chords(const geometry::Parabola& way, double until, bool all,
                              std::vector<CurvedCandidate>& found) {
  const geometry::Chords chords(way, 0, until, margin_of(state_, flight_, gravity_, until));
  for (std::int64_t i = 0; i < chords.size() && !held_; ++i) {
    const geometry::Chord chord = chords[i];
    double margin = 0;
    const exact::Path path = path_of(chord, margin);
    gather(path, flight_.start + chord.t_from, flight_.radius + margin);
    meet_gathered(found);
    if (!all && !found.empty() &&
        exact::compare(found[0].curve, found[0].interval.enter, chord.t_to, counts_) <= 0)
      return;
  }
}

/// All spheres: for brute force, or if the flight takes longer than chords support.
void CurvedLeg::gather_all() {
  const auto spheres = static_cast<std::uint32_t>(state_.spheres.span().size());
  for (std::uint32_t id = 0; id < spheres; ++id)
    if (state_.is_enabled(id) && sphere_filter_.admits(id)) found_.push_back(id);
  stats_.candidates += spheres;
}

/// Decides the newly gathered spheres and keeps the candidates sorted.
void CurvedLeg::meet_gathered(std::vector<CurvedCandidate>& found) {
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  std::erase_if(found_, [&](std::uint32_t id) { return std::ranges::binary_search(met_, id); });
  for (const std::uint32_t id : found_) meet(id, found);
  const auto before = static_cast<std::ptrdiff_t>(met_.size());
  met_.insert(met_.end(), found_.begin(), found_.end());
  std::inplace_merge(met_.begin(), met_.begin() + before, met_.end());
  found_.clear();
  std::sort(found.begin(), found.end(),
            [&](const CurvedCandidate& a, const CurvedCandidate& b) { return earlier(a, b); });
}

void CurvedLeg::meet(std::uint32_t id, std::vector<CurvedCandidate>& found) {
  const exact::InMotion pair = pair_of(exact::Plain{}, state_, flight_, id);
  const exact::Curve curve{pair.relative(), gravity_, flight_.end};
  const exact::InsideIntervals intervals = intervals_of(pair, id, curve);
  if (intervals.count > 0 && !sphere_filter_.accepts(id)) return;
  for (int i = 0; i < intervals.count; ++i) {
    const exact::InsideInterval& interval = intervals.interval[static_cast<std::size_t>(i)];
    found.push_back({id, interval.starts_inside ? Contact::starts_inside : Contact::enters, interval, curve});
  }
}

/// The rules of a straight flight (flight.hpp), except that a parabola may return to a sphere that it has
/// left.
exact::InsideIntervals CurvedLeg::intervals_of(const exact::InMotion& pair, std::uint32_t id,
                                               const exact::Curve& curve) {
  if (id == passing_.left) return departed(curve);
  exact::InsideIntervals intervals = exact::inside_intervals(curve, counts_);
  if (intervals.contact() != Contact::starts_inside) return intervals;
  const bool leaves = passing_.start_inside == StartInside::leaves && !passing_.bounced;
  if (passing_.holds(id) || leaves) {
    intervals.interval[0] = intervals.interval[1];
    --intervals.count;
  } else if (passing_.bounced && exact::sign_slope(pair, 0, counts_) >= 0) {
    return departed(curve);
  }
  return intervals;
}

exact::InsideIntervals CurvedLeg::departed(const exact::Curve& curve) {
  const exact::Departure departure = exact::departure(curve, counts_);
  held_ = held_ || departure.held;
  return departure.intervals;
}

bool CurvedLeg::earlier(const CurvedCandidate& a, const CurvedCandidate& b) {
  const int order = exact::compare(a.curve, a.interval.enter, b.curve, b.interval.enter, counts_);
  return order != 0 ? order < 0 : passing_.before_at_once(a, b);
}

}  // namespace sphaera::query
