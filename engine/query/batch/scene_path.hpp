#pragma once
/// \file One path and the spheres that it may meet: as they were given, or where they are at an instant of
/// the scene's time. Both classes have the same members, for the templates of queries.

#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/roots/distance.hpp>
#include <exact/roots/line.hpp>
#include <exact/roots/roots.hpp>
#include <index/scene_index.hpp>
#include <query/batch/candidate.hpp>
#include <query/batch/spheres_at_time.hpp>

namespace sphaera::query {

/// A path among spheres at rest.
class PathAtRest {
 public:
  using Walk = index::PathWalk;
  static constexpr auto any = &index::SceneIndex::any;
  static constexpr auto nearest_first = &index::SceneIndex::nearest_first;

  SPHAERA_INLINE PathAtRest(const exact::Path& path, const Sphere* spheres)
      : path_(path), spheres_(spheres) {}

  SPHAERA_INLINE const exact::Path& path() const { return path_; }
  SPHAERA_INLINE Walk walk(Walk::Visit visit) const { return {path_, visit}; }
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
class PathAtInstant {
 public:
  using Walk = index::FlightWalk;
  static constexpr auto any = &index::SceneIndex::any_impact;
  static constexpr auto nearest_first = &index::SceneIndex::earliest_first;

  PathAtInstant(const exact::Path& path, const Sphere* spheres, const Vec3* velocities, double time)
      : path_(path), spheres_(spheres), velocities_(velocities), time_(time) {}

  const exact::Path& path() const { return path_; }
  Walk walk(Walk::Visit visit) const {
    Walk walk(path_, time_, 0, visit);
    walk.rate = 0;
    return walk;
  }
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

/// The order of entries, (max(t_min, t1), id): exact where the bounds overlap.
template <class ScenePath>
SPHAERA_INLINE bool earlier(const ScenePath& scene_path, const Candidate& a, const Candidate& b,
                            exact::Counts& counts) {
  if (a.entry_high < b.entry_low) return true;
  if (b.entry_high < a.entry_low) return false;
  const int order = scene_path.compare_entries(a, b, counts);
  return order != 0 ? order < 0 : a.sphere < b.sphere;
}

template <class ScenePath>
Hit hit_of(const ScenePath& scene_path, const Candidate& c) {
  return hit_of(scene_path.path(), c.sphere, c.contact, scene_path.roots(c.sphere));
}

}  // namespace sphaera::query
