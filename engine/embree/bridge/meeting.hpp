#pragma once
/// \file The spheres that one question may meet, at rest or at an instant, and the order of the meetings.

#include <embree/bridge/question.hpp>
#include <query/batch/candidate.hpp>

namespace sphaera::bridge {

using query::Candidate;

/// The spheres that count.
struct Admitted {
  const query::SceneState& scene;
  const Sphere* spheres;
  const std::uint8_t* layers;  ///< null: all pass
  LayerMask mask;
  std::int64_t ignore;

  Admitted(const query::SceneState& s, const Question& question)
      : scene(s),
        spheres(s.spheres.span().data()),
        layers(question.layers == all_layers ? nullptr : s.layers.span().data()),
        mask(question.layers),
        ignore(question.ignore) {}

  SPHAERA_INLINE bool admits(std::uint32_t id) const {
    if (layers && !(mask >> layers[id] & 1)) return false;
    return id != ignore && scene.is_enabled(id);
  }
};

/// True if no sphere counts: there is none, or all are on layer 0 and the mask excludes it.
SPHAERA_INLINE bool sees_nothing(const query::SceneState& state, const Question& question) {
  return !state.scene_index || (state.layers.span().empty() && !(question.layers & 1));
}

/// Spheres where they were given.
class AtRest {
 public:
  using Walk = index::PathWalk;

  AtRest(const query::SceneState& state, const Question& question)
      : path_(question.path), spheres_(state.spheres.span().data()) {}

  const exact::Path& path() const { return path_; }
  Vec3 offset(std::uint32_t id) const { return path_.origin - spheres_[id].center; }
  Walk walk(Walk::Visit visit) const { return {path_, visit}; }
  static constexpr auto any = &index::SceneIndex::any;
  static constexpr auto nearest_first = &index::SceneIndex::nearest_first;

  template <class Arithmetic>
  SPHAERA_INLINE exact::AtRest pair(Arithmetic, std::uint32_t id) const {
    return {path_, spheres_[id]};
  }
  exact::Roots roots(std::uint32_t id) const { return exact::roots(path_, spheres_[id]); }
  int sign_power(std::uint32_t id, double t, exact::Counts& counts) const {
    return exact::sign_power(path_, spheres_[id], t, counts);
  }
  int sign_slope(std::uint32_t id, double t, exact::Counts& counts) const {
    return exact::sign_slope(path_, spheres_[id], t, counts);
  }
  int compare_entries(const Candidate& a, const Candidate& b, exact::Counts& counts) const {
    return exact::compare_entries(path_, spheres_[a.sphere], a.contact, spheres_[b.sphere], b.contact,
                                  counts);
  }

 private:
  const exact::Path& path_;
  const Sphere* spheres_;
};

/// Spheres where they are at the question's instant.
class Moving {
 public:
  using Walk = index::FlightWalk;

  Moving(const query::SceneState& state, const Question& question)
      : path_(question.path),
        spheres_(state.spheres.span().data()),
        velocities_(state.velocities.span().data()),
        time_(question.time) {}

  const exact::Path& path() const { return path_; }
  Vec3 offset(std::uint32_t id) const { return pair(exact::Plain{}, id).offset(); }
  Walk walk(Walk::Visit visit) const {
    Walk walk(path_, time_, 0, visit);
    walk.rate = 0;
    return walk;
  }
  static constexpr auto any = &index::SceneIndex::any_impact;
  static constexpr auto nearest_first = &index::SceneIndex::earliest_first;

  template <class Arithmetic>
  SPHAERA_INLINE exact::AtInstant pair(Arithmetic arithmetic, std::uint32_t id) const {
    return {arithmetic, path_, spheres_[id], velocities_[id], time_};
  }
  exact::Roots roots(std::uint32_t id) const { return exact::roots(pair(exact::Plain{}, id)); }
  int sign_power(std::uint32_t id, double t, exact::Counts& counts) const {
    return exact::sign_power(pair(exact::Plain{}, id), t, counts);
  }
  int sign_slope(std::uint32_t id, double t, exact::Counts& counts) const {
    return exact::sign_slope(pair(exact::Plain{}, id), t, counts);
  }
  int compare_entries(const Candidate& a, const Candidate& b, exact::Counts& counts) const {
    return exact::compare_entries(pair(exact::Plain{}, a.sphere), a.contact, pair(exact::Plain{}, b.sphere),
                                  b.contact, counts);
  }

 private:
  const exact::Path& path_;
  const Sphere* spheres_;
  const Vec3* velocities_;
  double time_;
};

/// The order of entries, (max(t_min, t1), id): exact where the bounds overlap.
template <class Spheres>
SPHAERA_INLINE bool earlier(const Spheres& spheres, const Candidate& a, const Candidate& b,
                            exact::Counts& counts) {
  if (a.entry_high < b.entry_low) return true;
  if (b.entry_high < a.entry_low) return false;
  const int order = spheres.compare_entries(a, b, counts);
  return order != 0 ? order < 0 : a.sphere < b.sphere;
}

/// A place where the path meets a sphere: its entry or its exit.
struct Meeting {
  Candidate candidate;
  Hit hit;
  bool exit = false;

  double t() const { return exit ? hit.t_exit : hit.t_enter; }
};

template <class Spheres>
Meeting entry_of(const Spheres& spheres, const Candidate& candidate) {
  const exact::Roots t = spheres.roots(candidate.sphere);
  return {candidate, query::hit_of(spheres.path(), candidate.sphere, candidate.contact, t)};
}

/// Does the path leave the sphere, which it meets, by its end?
template <class Spheres>
bool leaves(const Spheres& spheres, std::uint32_t id, exact::Counts& counts) {
  const double end = spheres.path().t_max;
  if (end == infinity) return true;
  return spheres.sign_slope(id, end, counts) >= 0 && spheres.sign_power(id, end, counts) >= 0;
}

/// Sign of the meeting's exact t minus `t`, a float. The meeting's double is one rounding of a longer value,
/// and so on the same side of every float, or equal to it.
template <class Spheres>
int compare_with(const Spheres& spheres, const Meeting& meeting, double t, exact::Counts& counts) {
  const double mine = meeting.t();
  if (mine != t) return mine < t ? -1 : 1;
  if (!meeting.exit && meeting.hit.contact == Contact::starts_inside) return 0;  // at t_min, exactly
  const auto id = static_cast<std::uint32_t>(meeting.hit.sphere);
  const int power = spheres.sign_power(id, t, counts), slope = spheres.sign_slope(id, t, counts);
  if (power == 0 && (meeting.exit ? slope >= 0 : slope <= 0)) return 0;
  if (meeting.exit) return power > 0 && slope > 0 ? -1 : 1;
  return power <= 0 || slope > 0 ? -1 : 1;  // within the sphere or behind it: entered before
}

/// The largest float that is not above the exact t of the meeting.
template <class Spheres>
float tfar_of(const Spheres& spheres, const Meeting& meeting, exact::Counts& counts) {
  const float below = index::round_down(meeting.t());
  if (static_cast<double>(below) != meeting.t()) return below;
  const bool passed = compare_with(spheres, meeting, meeting.t(), counts) < 0;
  return passed ? std::nextafter(below, -std::numeric_limits<float>::infinity()) : below;
}

}  // namespace sphaera::bridge
