#pragma once
/// \file One path and the spheres that it may meet: as they were given, or where they are at an instant of
/// the scene's time. Both classes, and FlightPath (../flight/flight.hpp), have the same members for walks
/// (path_walks.hpp).

#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/predicates/filtered_predicate.hpp>
#include <exact/roots/distance.hpp>
#include <exact/roots/line.hpp>
#include <exact/roots/roots.hpp>
#include <index/tree/walk.hpp>
#include <query/batch/spheres_at_time.hpp>
#include <query/path/candidate.hpp>
#include <scene/state.hpp>

namespace sphaera::query {

/// What rays and segments have in common, unlike bullets: no sphere that they meet is passed over.
struct MeetsAll {
  static constexpr bool passes_over(std::uint32_t) { return false; }
  template <class Pair>
  static constexpr bool hits(const Pair&, const Candidate&, exact::Counts&) {
    return true;
  }
  static constexpr bool is_fresh(std::uint32_t) { return true; }
  /// Of spheres that are met at once, the one with the lower id counts before the other.
  SPHAERA_INLINE static bool before_at_once(const Candidate& a, const Candidate& b) {
    return a.sphere < b.sphere;
  }
};

/// A path among spheres at rest.
class PathAtRest : public MeetsAll {
 public:
  using Walk = index::PathWalk;
  using Member = exact::Path;  ///< of a WalkGroup

  SPHAERA_INLINE PathAtRest(const SceneState& state, const exact::Path& path)
      : path_(path), spheres_(state.spheres.span().data()) {}

  SPHAERA_INLINE const exact::Path& path() const { return path_; }
  static void set(Walk&) {}
  SPHAERA_INLINE Vec3 offset(std::uint32_t id) const { return path_.origin - spheres_[id].center; }

  template <class Arithmetic>
  SPHAERA_INLINE exact::AtRest pair(Arithmetic, std::uint32_t id) const {
    return {path_, spheres_[id]};
  }
  exact::Roots roots(std::uint32_t id) const { return exact::roots(path_, spheres_[id]); }
  SurfacePoint contact_point(const Candidate& c) const {
    return exact::contact_point(path_, spheres_[c.sphere], c.contact);
  }
  int sign_power(std::uint32_t id, double t, exact::Counts& counts) const {
    return exact::sign_power(path_, spheres_[id], t, counts);
  }
  int sign_slope(std::uint32_t id, double t, exact::Counts& counts) const {
    return exact::sign_slope(path_, spheres_[id], t, counts);
  }
  int compare_entries(const Candidate& a, const Candidate& b, exact::Counts& counts) const {
    if (are_equal(spheres_, nullptr, a.sphere, b.sphere)) return 0;
    return exact::compare_entries(path_, spheres_[a.sphere], a.contact, spheres_[b.sphere], b.contact,
                                  counts);
  }

 private:
  const exact::Path& path_;
  const Sphere* spheres_;
};

/// A path among spheres where they are at one instant.
class PathAtInstant : public MeetsAll {
 public:
  using Walk = index::FlightWalk;

  PathAtInstant(const SceneState& state, const exact::Path& path, double time)
      : path_(path),
        spheres_(state.spheres.span().data()),
        velocities_(state.velocities.span().data()),
        time_(time) {}

  const exact::Path& path() const { return path_; }
  void set(Walk& walk) const { walk.start = time_, walk.rate = 0; }
  Vec3 offset(std::uint32_t id) const { return pair(exact::Plain{}, id).offset(); }

  template <class Arithmetic>
  SPHAERA_INLINE exact::AtInstant pair(Arithmetic arithmetic, std::uint32_t id) const {
    return {arithmetic, path_, spheres_[id], velocities_[id], time_};
  }
  exact::Roots roots(std::uint32_t id) const { return exact::roots(pair(exact::Plain{}, id)); }
  SurfacePoint contact_point(const Candidate& c) const {
    return exact::contact_point(path_, {spheres_[c.sphere], velocities_[c.sphere], time_}, c.contact);
  }
  int sign_power(std::uint32_t id, double t, exact::Counts& counts) const {
    return exact::sign_power(pair(exact::Plain{}, id), t, counts);
  }
  int sign_slope(std::uint32_t id, double t, exact::Counts& counts) const {
    return exact::sign_slope(pair(exact::Plain{}, id), t, counts);
  }
  int compare_entries(const Candidate& a, const Candidate& b, exact::Counts& counts) const {
    if (are_equal(spheres_, velocities_, a.sphere, b.sphere)) return 0;
    return exact::compare_entries(pair(exact::Plain{}, a.sphere), a.contact, pair(exact::Plain{}, b.sphere),
                                  b.contact, counts);
  }

 private:
  const exact::Path& path_;
  const Sphere* spheres_;
  const Vec3* velocities_;
  double time_;
};

/// The order of entries, (max(t_min, t1), before_at_once): exact where the bounds overlap.
template <class ScenePath>
SPHAERA_INLINE bool earlier(const ScenePath& scene_path, const Candidate& a, const Candidate& b,
                            exact::Counts& counts) {
  if (a.entry_high < b.entry_low) return true;
  if (b.entry_high < a.entry_low) return false;
  const int order = scene_path.compare_entries(a, b, counts);
  return order != 0 ? order < 0 : scene_path.before_at_once(a, b);
}

template <class ScenePath>
Hit hit_of(const ScenePath& scene_path, const Candidate& c) {
  return hit_of(scene_path.path(), c.sphere, c.contact, scene_path.roots(c.sphere));
}

}  // namespace sphaera::query
