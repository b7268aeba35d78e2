#pragma once
/// \file A scene over a time interval, and the observers of its stars.

#include <io/scene/scene_file.hpp>
#include <optional>
#include <sphaera/contact_times.hpp>
#include <stop_token>
#include <tools/scene/graticule.hpp>
#include <tools/scene/motions.hpp>
#include <vector>

namespace sphaera::tool {

/// What is looked for.
struct Wanted {
  double resolution = ContactOptions{}.resolution;
  bool together = false;  ///< the class behind all bodies, not behind each
  std::stop_token stop{};
};

/// An observer, and the id of the sphere it stands on, or Observer::nowhere.
struct Watcher {
  Motion motion;
  std::int64_t on;
};

/// A contact with a star.
struct Contact {
  static constexpr std::int64_t all_bodies = -1;

  std::int64_t star;
  ContactTime contact;  ///< `body` is the id of the sphere, or all_bodies
};

class ViewOverTime {
 public:
  /// The file lives longer. Throws Error invalid_argument naming the sphere whose ephemeris does not cover
  /// the interval.
  ViewOverTime(const io::SceneFile& file, const std::vector<io::Star>& stars, const Interval& interval,
               LayerMask layers);

  /// At a place at time 0, from there on fixed in sphere `on`, or at rest. Throws Error invalid_argument
  /// naming a sphere whose ephemeris does not cover time 0.
  Watcher watcher(const Vec3& place, std::int64_t on) const;
  /// Degrees.
  Watcher station(double longitude, double latitude, std::int64_t on) const;

  /// By star, then time. Throws what contact_times does, by the ids of spheres.
  std::vector<Contact> contacts(const Watcher& watcher, const Wanted& wanted) const;

  const Interval& interval() const { return interval_; }
  std::size_t stars() const { return stars_.size(); }
  /// The bodies that can hide the star from an observer, including the sphere it stands on.
  std::vector<std::int64_t> bodies(const Watcher& watcher, std::size_t star) const;
  /// How the star is seen past these bodies at t, by `starlight`; none where it gives no number.
  std::optional<Light> look(const Watcher& watcher, std::size_t star, std::span<const std::int64_t> bodies,
                            double t) const;

 private:
  Watcher fixed_in(std::int64_t sphere, const Vec3& from_center) const;
  std::vector<ContactTime> times(std::size_t star, const Watcher& watcher, const Wanted& wanted) const;

  const io::SceneFile& file_;
  Interval interval_;
  std::vector<Motion> motions_;       ///< of all spheres, by id
  std::vector<std::int64_t> bodies_;  ///< on the layers
  std::vector<MovingStar> stars_;
  std::vector<std::string> names_;  ///< of the stars
  std::vector<std::int64_t> ties_;  ///< the sphere that a star is, or Observer::nowhere
};

}  // namespace sphaera::tool
