#pragma once
/// \file A scene over a time interval, and the observers of its stars.

#include <optional>
#include <sphaera/contact_times.hpp>
#include <sphaera/scene_file.hpp>
#include <sphaera/scene_options.hpp>
#include <stop_token>
#include <tools/receivers/stations.hpp>
#include <tools/scene/motions.hpp>
#include <vector>

namespace sphaera::tool {

/// Options of the search.
struct Wanted {
  double resolution = ContactOptions{}.resolution;
  bool together = false;  ///< search the phase behind all bodies together, not behind each body
  std::stop_token stop{};
};

/// An observer, and the id of the sphere it stands on, or Observer::nowhere. On a body it shares the samples
/// of the body's motion.
struct SceneObserver {
  Motion motion;
  std::int64_t on;
};

/// A contact with a star, or, as the only one of the star, why it is not seen.
struct StarContact {
  static constexpr std::int64_t all_bodies = -1;

  std::int64_t star;
  ContactTime contact;  ///< `body` is the id of the sphere, or all_bodies
  UnseenStar unseen{};  ///< if its status is not ok, there is no contact; `body` is an id

  bool is_contact() const { return unseen.status == StarStatus::ok; }
};

/// A contact of a whole sphere with a shadow in a star's light.
struct StarShadow {
  std::int64_t star;
  ShadowChange change;  ///< `body` is the id of the sphere that casts it
};

class SceneOverTime {
 public:
  /// The file must outlive this object. Throws Error invalid_argument naming the sphere whose ephemeris does
  /// not cover the interval.
  SceneOverTime(const SceneFile& file, const std::vector<SceneStar>& stars, const Interval& interval,
                LayerMask layers, Latitude latitude = Latitude::geodetic);

  /// An observer at a position at time 0, fixed to sphere `on`, or at rest. Throws Error invalid_argument
  /// naming a sphere whose ephemeris does not cover time 0.
  SceneObserver observer(const Vec3& position, std::int64_t on) const;
  SceneObserver station(const files::Station& station) const;

  /// Contacts sorted by star, then time; one item for a star that is not seen. Throws the errors of
  /// contact_times, with the ids of spheres.
  std::vector<StarContact> contacts(const SceneObserver& observer, const Wanted& wanted) const;

  /// Contacts of the sphere with the shadows of the others, sorted by star, then time. Throws the errors of
  /// shadow_contacts, with the ids of spheres.
  std::vector<StarShadow> shadows(std::size_t sphere, const Wanted& wanted) const;

  const Interval& interval() const { return interval_; }
  std::size_t stars() const { return stars_.size(); }
  /// "star 0 'Sun'".
  std::string star_name(std::size_t star) const;
  /// The bodies that can hide the star from an observer, including the sphere it stands on.
  std::vector<std::int64_t> bodies(const SceneObserver& observer, std::size_t star) const;
  /// How the star is seen behind these bodies at t, by `starlight`; empty if `starlight` gives no value.
  std::optional<Visibility> view_at(const SceneObserver& observer, std::size_t star,
                                    std::span<const std::int64_t> bodies, double t) const;
  /// Grows with the angle a between the directions to the centers of star and body at t: sin² a up to 90°,
  /// 2 − sin² a beyond. Without functions of libm, so that all processors find the same.
  double separation(const SceneObserver& observer, std::size_t star, std::int64_t body, double t) const;
  /// Phase of that view.
  std::optional<EclipsePhase> phase_at(const SceneObserver& observer, std::size_t star,
                                       std::span<const std::int64_t> bodies, double t) const;

 private:
  Star star_at(std::size_t star, double t) const;
  std::vector<MovingSphere> moving(std::span<const std::int64_t> ids) const;
  SceneObserver fixed_in(std::int64_t sphere, const Vec3& from_center) const;
  std::vector<ContactTime> times(std::size_t star, const SceneObserver& observer, const Wanted& wanted,
                                 UnseenStar& unseen) const;

  const SceneFile& file_;
  Interval interval_;
  StationPlaces places_;
  std::vector<Motion> motions_;       ///< motions of all spheres, by id
  std::vector<std::int64_t> bodies_;  ///< spheres on the layers
  std::vector<MovingStar> stars_;
  std::vector<std::string> names_;  ///< names of the stars
  std::vector<std::int64_t> ties_;  ///< id of the sphere that is the star, or Observer::nowhere
};

}  // namespace sphaera::tool
