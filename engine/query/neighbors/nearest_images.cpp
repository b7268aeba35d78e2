#include <cmath>
#include <query/batch/batch.hpp>
#include <query/batch/leaf_visit.hpp>
#include <query/batch/spheres_at_time.hpp>
#include <query/neighbors/nearest_images.hpp>
#include <query/neighbors/point_groups.hpp>

namespace sphaera::query {
namespace {

/// The search of one point, by a walk for each shift.
struct NearestInBox {
  const SpheresInBox& seen;
  const Vec3& point;
  NearestList list;
  double limit;  ///< no farther sphere is among the nearest
  exact::Counts counts{};

  bool before(const NeighborCandidate& a, const NeighborCandidate& b) {
    if (a.high < b.low) return true;
    if (b.high < a.low) return false;
    const int order = seen.compare_distances(point, a.sphere, b.sphere, counts);
    return order != 0 ? order < 0 : a.sphere < b.sphere;
  }
  auto order() {
    return [this](const NeighborCandidate& a, const NeighborCandidate& b) { return before(a, b); };
  }
};

/// A walk through the spheres whose nearest image has one shift.
struct NearestImageWalk : index::PointWalk, SphereFilter {
  NearestInBox& search;
  PeriodicBox::Images images;

  NearestImageWalk(NearestInBox& whole, const PeriodicBox::Images& here, const SphereFilter& filter)
      : PointWalk(here.point, callbacks_of<NearestImageWalk>()),
        SphereFilter(filter),
        search(whole),
        images(here) {
    search_radius = sum_limit(search.limit, images.slack);
  }

  template <class Arithmetic>
  index::TraversalControl test(std::uint32_t id) {
    const Vec3& x = search.point;
    if (!admits(id) || search.seen.box.nearest_shift(x, spheres[id].center) != images.shift)
      return index::TraversalControl::go_on;
    const exact::filter::Estimate d = search.seen.distance(x, id);
    const NeighborCandidate nearby{id, d.value - d.error, d.value + d.error};
    NearestList& list = search.list;
    if (!(nearby.low <= search.limit) || !list.may_be_among(nearby, search.order()) || !accepts(id))
      return index::TraversalControl::go_on;
    list.add(nearby);
    if (!list.is_full()) return index::TraversalControl::go_on;
    search.limit = std::min(search.limit, list.thin_out(search.order()));
    search_radius = std::min(search_radius, sum_limit(search.limit, images.slack));
    return index::TraversalControl::limit_reduced;
  }
};

/// A distance that the last of the nearest does not exceed: no image of a sphere is farther than the sphere.
double limit_of(std::span<const Neighbor> row) {
  return row.back().sphere < 0 ? infinity : std::nextafter(row.back().distance, infinity);
}

}  // namespace

exact::filter::Estimate SpheresInBox::distance(const Vec3& x, std::uint32_t id) const {
  Vec3 shift;
  return exact::filter::distance(x, nearest(x, id, shift), spheres[id].radius);
}

int SpheresInBox::compare_distances(const Vec3& x, std::uint32_t a, std::uint32_t b,
                                    exact::Counts& counts) const {
  if (are_equal(spheres, nullptr, a, b)) return 0;
  Vec3 shift_a, shift_b;
  return exact::compare_distances(x, nearest(x, a, shift_a), nearest(x, b, shift_b), counts);
}

double SpheresInBox::signed_distance(const Vec3& x, std::uint32_t id) const {
  Vec3 shift;
  const exact::SphereAtInstant image = nearest(x, id, shift);
  return shift == Vec3{} ? exact::signed_distance(x, spheres[id]) : exact::signed_distance(x, image);
}

void put_nearest_images(const SceneState& state, const QueryOptions& options, const NearestQuery& query,
                        std::size_t wanted, std::span<NeighborCandidate> room, std::span<Neighbor> row,
                        QueryStats& stats) {
  if (wanted == 0 || sees_nothing(state, options)) return;
  const SpheresInBox seen{state.spheres.span().data(), {state, options}};
  const double limit = limit_of(row.first(wanted));
  if (!seen.box.any_within(query.point, limit)) return;
  SphereFilter filter(state, options, query.number);
  filter.ignore = query.ignored;
  NearestInBox search{seen, query.point, {wanted, state.scene_index->top().frame().scale(), room}, limit};
  std::uint64_t candidates = 0;
  const auto look = [&](const PeriodicBox::Images& images) {
    NearestImageWalk walk(search, images, filter);
    find_around(state, options, walk);
    candidates += walk.candidates;
  };
  look(seen.box.images(query.point, {}));
  seen.box.each(query.point, limit, look);
  const std::span<const NeighborCandidate> nearest = search.list.in_order(search.order());
  std::ranges::fill(row, Neighbor{});
  for (std::size_t j = 0; j < nearest.size(); ++j)
    row[j] = {seen.signed_distance(query.point, nearest[j].sphere), nearest[j].sphere};
  count(candidates, search.counts, stats);
}

}  // namespace sphaera::query
