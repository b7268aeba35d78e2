#include <fmt/core.h>

#include <algorithm>
#include <base/errors.hpp>
#include <sphaera/error.hpp>
#include <sphaera/starlight.hpp>
#include <tools/receivers/graticule.hpp>
#include <tools/receivers/scene_over_time.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/stars.hpp>

namespace sphaera::tool {
namespace {

/// The position of a sphere in a list of ids, or Observer::nowhere.
std::int64_t place_of(std::int64_t sphere, std::span<const std::int64_t> ids) {
  const auto found = std::ranges::find(ids, sphere);
  return sphere < 0 || found == ids.end() ? Observer::nowhere : found - ids.begin();
}

/// Rethrows `error` with the star as subject, and the sphere if error.element(), an index of `ids`, is set. A
/// subject that is the star or the observer gives way to the star's name; the caller adds the observer's
/// number.
[[noreturn]] void throw_by_id(const Error& error, std::span<const std::int64_t> ids, const std::string& star,
                              const SceneFile& file) {
  if (error.code() != ErrorCode::invalid_argument) throw error;
  if (error.element() >= 0) {
    const std::int64_t id = ids[static_cast<std::size_t>(error.element())];
    throw Error(error.code(), base::nested(star, sphere_text(file, static_cast<std::size_t>(id))),
                error.reason(), id);
  }
  const bool named = error.subject() == "star" || error.subject() == "observer";
  throw Error(error.code(), named ? star : base::nested(star, error.subject()), error.reason());
}

}  // namespace

SceneOverTime::SceneOverTime(const SceneFile& file, const std::vector<SceneStar>& stars,
                             const Interval& interval, LayerMask layers, Latitude latitude)
    : file_(file), interval_(interval), places_(file, latitude), motions_(sphere_motions(file, interval)) {
  for (std::size_t i = 0; i < file.spheres.size(); ++i) {
    if (on_layers(file, layers, i)) bodies_.push_back(static_cast<std::int64_t>(i));
  }
  for (const SceneStar& star : stars) {
    stars_.push_back({placed(star, file.spheres), star_motion(star, motions_, interval, file.epoch)});
    names_.push_back(star.name);
    ties_.push_back(star.sphere);
  }
}

SceneObserver SceneOverTime::observer(const Vec3& position, std::int64_t on) const {
  if (on < 0) return {Motion::at_rest(position), Observer::nowhere};
  const auto id = static_cast<std::size_t>(on);
  // Outside its samples an ephemeris is only extrapolated. A uniform motion has one sample, at time 0.
  if (!covers(motions_[id], {0, 0})) {
    throw Error(ErrorCode::invalid_argument, sphere_text(file_, id),
                "its ephemeris does not cover time 0, for which observers on it are given; use --stations",
                on);
  }
  return fixed_in(on, position - motions_[id].at(0));
}

SceneObserver SceneOverTime::station(const files::Station& station) const {
  const double radius = file_.spheres[static_cast<std::size_t>(station.on)].radius;
  return fixed_in(station.on, places_.from_center(station, radius));
}

SceneObserver SceneOverTime::fixed_in(std::int64_t sphere, const Vec3& from_center) const {
  const auto id = static_cast<std::size_t>(sphere);
  if (const SceneFile::Rotation* rotation = rotation_of(file_.rotations, id))
    return {Motion::fixed_in(motions_[id], rotation->spin, from_center), sphere};
  return {Motion::beside(motions_[id], from_center), sphere};
}

std::vector<StarContact> SceneOverTime::contacts(const SceneObserver& observer, const Wanted& wanted) const {
  std::vector<StarContact> all;
  for (std::size_t j = 0; j < stars_.size(); ++j) {
    const auto star = static_cast<std::int64_t>(j);
    UnseenStar unseen;
    for (const ContactTime& contact : times(j, observer, wanted, unseen)) all.push_back({star, contact});
    if (unseen.status != StarStatus::ok) all.push_back({star, {}, unseen});
  }
  return all;
}

std::string SceneOverTime::star_name(std::size_t star) const { return star_text(star, names_[star]); }

std::vector<std::int64_t> SceneOverTime::bodies(const SceneObserver& observer, std::size_t star) const {
  std::vector<std::int64_t> ids;
  // The star's own sphere stays if the observer stands on it: contact_times then says that he is inside the
  // star.
  std::ranges::copy_if(bodies_, std::back_inserter(ids),
                       [&](std::int64_t id) { return id != ties_[star] || id == observer.on; });
  return ids;
}

Star SceneOverTime::star_at(std::size_t star, double t) const {
  Star seen = stars_[star].star;
  if (stars_[star].motion) seen.center = stars_[star].motion->at(t);
  return seen;
}

double SceneOverTime::separation(const SceneObserver& observer, std::size_t star, std::int64_t body,
                                 double t) const {
  const Vec3 eye = observer.motion.at(t);
  const Star seen = star_at(star, t);
  const Vec3 to_star = seen.distance == Star::Distance::infinite ? seen.direction : seen.center - eye;
  const Vec3 to_body = motions_[static_cast<std::size_t>(body)].at(t) - eye;
  const Vec3 across = cross(to_star, to_body);
  const double squared_sine = dot(across, across) / (dot(to_star, to_star) * dot(to_body, to_body));
  return dot(to_star, to_body) >= 0 ? squared_sine : 2 - squared_sine;
}

std::optional<EclipsePhase> SceneOverTime::phase_at(const SceneObserver& observer, std::size_t star,
                                                    std::span<const std::int64_t> bodies, double t) const {
  const std::optional<Visibility> view = view_at(observer, star, bodies, t);
  return view ? std::optional(view->phase) : std::nullopt;
}

std::optional<Visibility> SceneOverTime::view_at(const SceneObserver& observer, std::size_t star,
                                                 std::span<const std::int64_t> bodies, double t) const {
  std::vector<Sphere> spheres;
  for (const std::int64_t id : bodies) {
    const auto i = static_cast<std::size_t>(id);
    spheres.push_back({motions_[i].at(t), file_.spheres[i].radius});
  }
  const Visibility v =
      starlight(star_at(star, t), {observer.motion.at(t), place_of(observer.on, bodies)}, spheres);
  return v.status == StarStatus::ok ? std::optional(v) : std::nullopt;
}

std::vector<MovingSphere> SceneOverTime::moving(std::span<const std::int64_t> ids) const {
  std::vector<MovingSphere> spheres;
  for (const std::int64_t id : ids) {
    const auto i = static_cast<std::size_t>(id);
    spheres.push_back({motions_[i], file_.spheres[i].radius});
  }
  return spheres;
}

std::vector<StarShadow> SceneOverTime::shadows(std::size_t sphere, const Wanted& wanted) const {
  const auto ball = static_cast<std::int64_t>(sphere);
  std::vector<StarShadow> all;
  for (std::size_t j = 0; j < stars_.size(); ++j) {
    std::vector<std::int64_t> ids;
    std::ranges::copy_if(bodies_, std::back_inserter(ids),
                         [&](std::int64_t id) { return id != ties_[j] && id != ball; });
    try {
      for (ShadowChange change :
           shadow_contacts(stars_[j], moving({&ball, 1}).front(), moving(ids), interval_.from, interval_.to,
                           {wanted.resolution, wanted.stop})) {
        change.body = ids[static_cast<std::size_t>(change.body)];
        all.push_back({static_cast<std::int64_t>(j), change});
      }
    } catch (const Error& error) {
      throw_by_id(error, ids, star_name(j), file_);
    }
  }
  return all;
}

std::vector<ContactTime> SceneOverTime::times(std::size_t star, const SceneObserver& observer,
                                              const Wanted& wanted, UnseenStar& unseen) const {
  const std::vector<std::int64_t> ids = bodies(observer, star);
  const MovingObserver moving_observer{observer.motion, place_of(observer.on, ids)};
  const ContactOptions options{.resolution = wanted.resolution, .stop = wanted.stop, .unseen = &unseen};
  const auto& [from, to] = interval_;
  std::vector<ContactTime> contacts;
  try {
    if (wanted.together) {
      for (const auto& [time, before, after] :
           phase_changes(stars_[star], moving_observer, moving(ids), from, to, options))
        contacts.push_back({time, StarContact::all_bodies, before, after});
    } else {
      contacts = contact_times(stars_[star], moving_observer, moving(ids), from, to, options);
      for (ContactTime& contact : contacts) contact.body = ids[static_cast<std::size_t>(contact.body)];
    }
  } catch (const Error& error) {
    throw_by_id(error, ids, star_name(star), file_);
  }
  if (unseen.body >= 0) unseen.body = ids[static_cast<std::size_t>(unseen.body)];
  return contacts;
}

}  // namespace sphaera::tool
