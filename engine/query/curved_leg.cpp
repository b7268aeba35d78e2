#include <geometry/chords.hpp>
#include <query/curved_leg.hpp>

namespace sphaera::query {
namespace {

/// Notes who may be met.
struct Gather : index::FlightWalk, Eligible {
  exact::Counts counts;
  std::vector<std::uint32_t>& found;
  bool out_of_memory = false;

  Gather(const exact::Path& p, double s, double g, Visit v, const Eligible& e, std::vector<std::uint32_t>& f)
      : FlightWalk(p, s, g, v), Eligible(e), found(f) {}

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next see(Gather& q, std::uint32_t id) {
    if (!q.admits(id)) return index::Next::go_on;
    try {
      q.found.push_back(id);
    } catch (const std::exception&) {
      q.out_of_memory = true;
      return index::Next::stop;
    }
    return index::Next::go_on;
  }
};

/// Chords that keep as close as the smallest sphere is wide, but for a flight so long that this would make
/// very many: 32 chords bring the sagitta down to a thousandth.
double margin_of(const SceneState& state, const exact::Flight& flight, const Vec3& gravity, double until) {
  constexpr double finest = 1. / 1024;
  const double sagitta = std::hypot(gravity.x, gravity.y, gravity.z) * until * until / 8;
  return std::max(state.extent.radius_min + flight.radius, finest * sagitta);
}

}  // namespace

void CurvedLeg::gather(const exact::Path& path, double start, double growth) {
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    using Arithmetic = decltype(arithmetic);
    Gather walk(path, start, growth, visit_of<Gather, index::PathWalk, Arithmetic>(), eligible_, found_);
    walk_scene<Arithmetic, Gather, index::FlightWalk>(state_, options_, walk, &index::Tree::any_impact);
    if (walk.out_of_memory) geometry::throw_out_of_memory();
    count(walk, stats_);
  });
}

void CurvedLeg::find(bool all, std::vector<CurvedMeeting>& meetings) {
  meetings.clear(), met_.clear();
  if (sees_nothing(state_, options_) || !(flight_.path.t_min <= flight_.path.t_max)) return;
  const geometry::Flight way{flight_.path.origin, flight_.path.direction, gravity_};
  const double reach = (1 + 0x1p-50) * flight_.radius;
  const Vec3 room{reach, reach, reach};
  const double last = geometry::last_time_near(way, state_.extent.lower - room, state_.extent.upper + room),
               until = std::min({flight_.path.t_max, last, domain_limit});
  const geometry::Chords chords(way, 0, until, margin_of(state_, flight_, gravity_, until));
  const std::int64_t count = options_.search == Search::index ? chords.size() : 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const geometry::Chord chord = chords[i];
    const double time = chord.t_to - chord.t_from;
    const Vec3 step = chord.segment.to - chord.segment.from, velocity = time > 0 ? (1 / time) * step : Vec3{};
    // The velocity's three roundings and the difference's move the chord by less than 4u of its ends.
    const auto size = [](const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); };
    const double rounding = 8 * exact::u * (size(chord.segment.from) + size(chord.segment.to));
    gather(exact::prepared({chord.segment.from, velocity, {}, 0, time, 0, 0}), flight_.start + chord.t_from,
           flight_.radius + chord.growth + rounding);
    meet_gathered(meetings);
    if (held_) return;
    if (!all && !meetings.empty() &&
        exact::compare(meetings[0].curve, meetings[0].stay.enter, chord.t_to, counts_) <= 0)
      break;
  }
  stats_.double_double += counts_.double_double, stats_.exact += counts_.exact;
  if (!all && meetings.size() > 1) meetings.resize(1);
}

/// Decides the spheres that are new, and keeps the meetings in order.
void CurvedLeg::meet_gathered(std::vector<CurvedMeeting>& meetings) {
  for (const std::uint32_t id : found_) {
    if (std::ranges::find(met_, id) != met_.end()) continue;
    met_.push_back(id);
    meet(id, meetings);
  }
  found_.clear();
  std::sort(meetings.begin(), meetings.end(),
            [&](const CurvedMeeting& a, const CurvedMeeting& b) { return earlier(a, b); });
}

void CurvedLeg::meet(std::uint32_t id, std::vector<CurvedMeeting>& meetings) {
  const std::span<const Vec3> velocities = state_.velocities.span();
  const exact::InMotion pair(exact::Plain{}, flight_, state_.spheres.span()[id],
                             velocities.empty() ? nullptr : &velocities[id]);
  const exact::Curve curve{pair.relative(), gravity_, flight_.path.t_max};
  const exact::Stays stays = stays_of(pair, id, curve);
  for (int i = 0; i < stays.count; ++i) {
    const exact::Stay& stay = stays.stay[static_cast<std::size_t>(i)];
    meetings.push_back({id, stay.starts_inside ? Contact::starts_inside : Contact::enters, stay, curve});
  }
}

/// By the rules of a straight flight (flight.hpp); but a parabola may come back to whom it has left.
exact::Stays CurvedLeg::stays_of(const exact::InMotion& pair, std::uint32_t id, const exact::Curve& curve) {
  if (id == passing_.left) return departed(curve);
  exact::Stays stays = exact::stays(curve, counts_);
  if (stays.contact() != Contact::starts_inside) return stays;
  const bool leaves = passing_.start_inside == StartInside::leaves && !passing_.bounced;
  if (passing_.holds(id) || leaves) {
    stays.stay[0] = stays.stay[1];
    --stays.count;
  } else if (passing_.bounced && exact::sign_slope(pair, 0, counts_) >= 0) {
    return departed(curve);
  }
  return stays;
}

exact::Stays CurvedLeg::departed(const exact::Curve& curve) {
  const exact::Departure departure = exact::departure(curve, counts_);
  held_ = held_ || departure.held;
  return departure.stays;
}

bool CurvedLeg::earlier(const CurvedMeeting& a, const CurvedMeeting& b) {
  const int order = exact::compare(a.curve, a.stay.enter, b.curve, b.stay.enter, counts_);
  return order != 0 ? order < 0 : a.sphere < b.sphere;
}

}  // namespace sphaera::query
