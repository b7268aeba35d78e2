#include <algorithm>
#include <array>
#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <index/tree/cone.hpp>
#include <query/batch/leaf_visit.hpp>
#include <query/star/star_query.hpp>
#include <string>

namespace sphaera::query {
namespace {

/// The convex hull of the observer and the star: only spheres that touch it can hide the star.
index::Cone cone_of(const Star& star, const Vec3& observer) {
  const bool at_infinity = star.distance == Star::Distance::infinite;
  const Vec3 to_star = at_infinity ? star.direction : star.center - observer;
  const double scale = exact::inverse_scale(to_star);
  const Vec3 d = scale * to_star;  // neither tiny nor huge
  const double length = std::sqrt(dot(d, d));
  const Vec3 direction = (1 / length) * d;
  if (at_infinity)
    return {exact::path_of(Ray{observer, d}), direction, length, exact::sine(star.angular_radius)};
  return {exact::path_of(Segment{observer, star.center}), direction, length / scale,
          star.radius * scale / length};
}

/// Adds to a view the spheres that may touch the cone between observer and star, up to `most` at a time:
/// their memory is prefetched while the walk goes on (../../star_light/decisions.md, 2).
struct ConeVisitor : index::ConeWalk, SphereFilter {
  static constexpr std::size_t most = 64;

  star_light::StarView& view;
  std::int64_t ground;
  std::vector<std::int64_t>* seen = nullptr;  ///< overlapping ones so far; null: no sphere is visited twice
  std::size_t count = 0;
  std::array<std::uint32_t, most> ids;  ///< the first `count` wait for `add_all`

  ConeVisitor(const index::Cone& c, const SphereFilter& filter, star_light::StarView& v, std::int64_t on)
      : ConeWalk(c, callbacks_of<ConeVisitor>()), SphereFilter(filter), view(v), ground(on) {}

  bool has_come(std::uint32_t id) const {
    return seen && std::ranges::find(*seen, std::int64_t{id}) != seen->end();
  }

  void add_all() {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t id = ids[i];
      if (has_come(id)) continue;
      const std::size_t before = view.overlapping();
      view.add(spheres[id], id);
      if (seen && view.overlapping() > before) seen->push_back(id);
    }
    count = 0;
  }

  template <class Arithmetic>
  index::TraversalControl test(std::uint32_t id) {
    if (id == ground || !admits(id)) return index::TraversalControl::go_on;
    __builtin_prefetch(&spheres[id]);
    ids[count++] = id;
    if (count == most) add_all();
    return index::TraversalControl::go_on;
  }
};

void check_ground(const SceneState& state, const Observer& observer, std::int64_t element) {
  if (stands(state, observer)) return;
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, base::numbered("observer", element), what, element);
  };
  const std::size_t spheres = state.spheres.span().size();
  if (observer.on < 0 || observer.on >= static_cast<std::int64_t>(spheres)) {
    refuse("on is " + std::to_string(observer.on) + "; give -1 for none or the id of one of the " +
           std::to_string(spheres) + " spheres");
  }
  if (!state.contains(static_cast<std::size_t>(observer.on)))
    refuse("on is " + std::to_string(observer.on) + ", which was erased; give -1 or the id of a sphere");
  refuse("it is at the center of the sphere `on`, where up is undefined; move it");
}

}  // namespace

void check_input(const SceneState& state, const Observer& observer, std::int64_t element) {
  base::check(observer, element);
  check_ground(state, observer, element);
}

void check_input(const SceneState& state, const Receiver& receiver, std::int64_t element) {
  base::check(receiver, element);
  check_ground(state, receiver.observer, element);
}

namespace {

star_light::StarViewScratch& star_scratch(TaskScratch& scratch) {
  if (!scratch.star) scratch.star = std::make_unique<star_light::StarViewScratch>();
  return *scratch.star;
}

}  // namespace

StarQuery::StarQuery(const SceneState& state, const QueryOptions& options, TaskScratch& scratch)
    : state_(state), options_(options), scratch_(star_scratch(scratch)), seen_(scratch.ids) {}

void StarQuery::add_all(star_light::StarView& view, const SphereFilter& sphere_filter, const StarTask& task,
                        QueryStats& stats) {
  const auto& [star, observer, own] = task;
  const auto finish = [&](ConeVisitor& visitor) {
    visitor.add_all();
    stats.candidates += visitor.candidates;
    stats.in_viewpoint_indexes += visitor.in_viewpoint_index;
  };
  if (own) {
    static constexpr index::Cone unused{};
    ConeVisitor visitor(unused, sphere_filter, view, observer.on);
    const bool at_infinity = star.distance == Star::Distance::infinite;
    if (!at_infinity) seen_.clear(), visitor.seen = &seen_;  // at infinity a sphere is visited once
    const double radius =
        star.distance == Star::Distance::infinite ? exact::sine(star.angular_radius) : star.radius;
    if (own->in_cone(visitor, observer.position, radius)) return finish(visitor);
  }
  const index::Cone cone = cone_of(star, observer.position);
  ConeVisitor visitor(cone, sphere_filter, view, observer.on);
  if (const index::SceneIndex* const scene_index = index_for(state_, options_))
    scene_index->in_cone(visitor);
  else
    search_otherwise(state_, visitor);
  finish(visitor);
}

Visibility StarQuery::visibility(const Star& star, const Observer& observer, std::size_t query,
                                 QueryStats& stats, const index::ViewpointFaces* own) {
  exact::Counts counts;
  star_light::StarView view(star, observer.position, scratch_, counts);
  if (!sees_nothing(state_, options_)) {
    const SphereFilter sphere_filter(state_, options_, query);
    const auto on = static_cast<std::uint32_t>(observer.on);
    if (observer.on >= 0 && state_.is_enabled(on) && sphere_filter.admits(on))
      view.stand_on(sphere_filter.spheres[observer.on], observer.on);
    add_all(view, sphere_filter, {star, observer, own}, stats);
  }
  const Visibility seen = view.result();
  stats.double_double += counts.double_double;
  stats.exact += counts.exact;
  return seen;
}

}  // namespace sphaera::query
