#include <bridge/call_mode.hpp>
#include <bridge/entry_or_exit.hpp>
#include <exact/roots/distance.hpp>
#include <query/batch/leaf_visit.hpp>
#include <query/batch/sphere_filter.hpp>

namespace sphaera::inline SPHAERA_ABI::embree {
inline namespace SPHAERA_EMBREE_ABI {
namespace {

using namespace bridge;

/// The nearest sphere so far, within a distance.
struct NearestWalk : index::PointWalk, LaneFilter {
  exact::Counts counts;
  std::uint32_t best = index::no_sphere;

  NearestWalk(const Vec3& p, const LaneFilter& filter)
      : PointWalk(p, query::callbacks_of<NearestWalk>()), LaneFilter(filter) {}

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test(std::uint32_t id) {
    if (!admits(id)) return index::TraversalControl::go_on;
    const Sphere& s = spheres[id];
    return keep(id, exact::filter::distance<Arithmetic>(point - s.center, s.radius));
  }
  index::TraversalControl keep(std::uint32_t id, const exact::filter::Estimate& d) {
    if (d.value - d.error > search_radius || !nearer(id)) return index::TraversalControl::go_on;
    best = id, search_radius = std::min(search_radius, d.value + d.error);
    return index::TraversalControl::limit_reduced;
  }
  bool nearer(std::uint32_t id) {
    if (best == index::no_sphere) return true;
    const int order = exact::compare_distances(point, spheres[id], spheres[best], counts);
    return order != 0 ? order < 0 : id < best;
  }
};

/// Searches the spheres of a primitive. True if a nearer one was found.
bool search_primitive(const Data& data, PointQuery& query, const Vec3& point, unsigned primitive,
                      float radius) {
  LaneQuery lane_query;
  lane_query.layers = query.layers & data.options.layers, lane_query.ignore = query.ignore;
  lane_query.ignore_owner = query.ignore_owner;
  if (sees_nothing(*data.state, lane_query)) return false;
  NearestWalk walk(point, LaneFilter(*data.state, lane_query));
  if (query.nearest.sphere >= 0) walk.best = static_cast<std::uint32_t>(query.nearest.sphere);
  walk.search_radius = std::max<double>(radius, 0);
  if (data.options.granularity == Granularity::spheres)
    walk.visit(walk, index::block_of_one(primitive), index::first_lane_only);
  else
    data.state->scene_index->around(walk);
  if (walk.best == index::no_sphere || walk.best == query.nearest.sphere) return false;
  const double distance = exact::signed_distance(point, walk.spheres[walk.best]);
  if (query.nearest.sphere < 0 && distance > radius)
    return false;  // the walk's bounds reach a little farther
  query.nearest = {distance, walk.best};
  return true;
}

}  // namespace

bool point_query(RTCPointQueryFunctionArguments* arguments) {
  const CallMode mode;
  PointQuery& query = *static_cast<PointQuery*>(arguments->userPtr);
  RTCPointQuery& floats = *arguments->query;
  if (arguments->geomID != query.geometry_id || arguments->context->instStackSize > 0) return false;
  const Vec3 point = query.point ? *query.point : Vec3{floats.x, floats.y, floats.z};
  if (!base::valid(point)) return false;
  if (!search_primitive(query.geometry->data(), query, point, arguments->primID, floats.radius)) return false;
  // Spheres at the same distance, and spheres that contain the point, must still be found.
  floats.radius =
      std::min(floats.radius, index::round_up(std::max(query.nearest.distance, 0.0) * (1 + 0x1p-50)));
  return true;
}

bool touch(const SphereGeometry& a, unsigned sphere_a, const SphereGeometry& b, unsigned sphere_b) {
  const base::FloatingPointEnvironment mode;
  const Sphere &one = a.scene().spheres()[sphere_a], &other = b.scene().spheres()[sphere_b];
  exact::Counts counts;
  return exact::sign_gap({one.center, one.radius}, {other.center, other.radius}, counts) <= 0;
}

}  // namespace SPHAERA_EMBREE_ABI
}  // namespace sphaera::inline SPHAERA_ABI::embree
