#include <bridge/bounds.hpp>
#include <bridge/callbacks.hpp>
#include <bridge/search.hpp>
#include <exact/numbers/dispatch.hpp>

namespace sphaera::bridge {
namespace {

/// Calls work(spheres) with the spheres as the query sees them.
template <class Work>
void with_spheres(const Data& data, const LaneQuery& lane_query, const Work& work) {
  if (data.moving)
    work(at_instant(*data.state, lane_query));
  else
    work(at_rest(*data.state, lane_query));
}

/// The ray's hit so far with another object, if there is one: a sphere must be met before it.
SPHAERA_INLINE BestHit other_hit_of(const RTCRay& floats, const RTCHit& hit) {
  BestHit best;
  if (hit.geomID != RTC_INVALID_GEOMETRY_ID) best.wall = floats.tfar;
  return best;
}

/// Calls work(spheres, filter) for the lane's ray, if it can see a sphere.
template <class Lane, class Work>
void with_lane_query(const Lane& lane, const Work& work) {
  LaneQuery lane_query;
  if (!prepare_query(lane.data(), lane.context(), lane.floats(), lane.floats().tfar, lane_query)) return;
  const query::SceneState& state = *lane.data().state;
  if (sees_nothing(state, lane_query)) return;
  const LaneFilter filter(state, lane_query);
  with_spheres(lane.data(), lane_query, [&](const auto& spheres) { work(spheres, filter); });
}

/// Finds the ray's first hit in the whole scene. If the filters reject the first sphere's entry, a second
/// walk looks for the first crossing that they let through.
void intersect_scene(const HitLane& lane) {
  const index::SceneIndex* const scene_index = lane.data().state->scene_index.get();
  with_lane_query(lane, [&]<class Spheres>(const Spheres& spheres, const LaneFilter& filter) {
    using Walk = typename Spheres::Walk;
    FirstWalk<Spheres> walk(spheres, query::callbacks_of<FirstWalk<Spheres>>(), filter);
    scene_index->nearest_first<Walk>(walk);
    const Candidate first = walk.first;
    if (first.contact == Contact::miss) return;
    const BestHit best = other_hit_of(lane.floats(), lane.hit());
    const EntryOrExit entry = entry_of(spheres, first);
    if (!wins(spheres, entry, best, walk.counts) || lane.offer(spheres, entry, walk.counts)) return;
    FilteredWalk<Spheres> behind(spheres, query::callbacks_of<FilteredWalk<Spheres>>(), filter);
    behind.lane = &lane, behind.shown = first.sphere, behind.best = best;
    scene_index->nearest_first<Walk>(behind);
  });
}

void occlude_scene(const ShadowLane& lane) {
  const index::SceneIndex* const scene_index = lane.data().state->scene_index.get();
  with_lane_query(lane, [&]<class Spheres>(const Spheres& spheres, const LaneFilter& filter) {
    using Walk = typename Spheres::Walk;
    bool found = false;
    if (lane.data().options.filters) {
      AnyFilteredWalk<Spheres> walk(spheres, query::callbacks_of<AnyFilteredWalk<Spheres>>(), filter);
      walk.lane = &lane;
      scene_index->any<Walk>(walk);
      found = walk.best.taken;
    } else {
      AnyWalk<Spheres> walk(spheres, query::callbacks_of<AnyWalk<Spheres>>(), filter);
      scene_index->any<Walk>(walk);
      found = walk.found != index::no_sphere;
    }
    if (found) lane.mark_occluded();
  });
}

/// The candidate of one sphere; a miss if the filter rejects the sphere.
template <class Arithmetic, class Spheres>
SPHAERA_INLINE Candidate candidate_of(Arithmetic arithmetic, const query::SceneState& state,
                                      const LaneQuery& lane_query, const Spheres& spheres, std::uint32_t id,
                                      exact::Counts& counts) {
  if (sees_nothing(state, lane_query) || !LaneFilter(state, lane_query).admits(id)) return {};
  return query::candidate_of(arithmetic, spheres.pair(arithmetic, id), id, counts);
}

/// Tests one sphere. If the ray has a hit with this geometry, tfar is the t of that hit, rounded down to
/// float. The path is then tested up to the next float, and the new crossing is compared with that hit.
void intersect_sphere(const HitLane& lane, std::uint32_t id) {
  const query::SceneState& state = *lane.data().state;
  const float ray_tfar = lane.floats().tfar;
  const RTCHit hit = lane.hit();
  const bool ours = lane.is_ours(hit);
  const double search_end =
      ours ? std::nextafter(ray_tfar, std::numeric_limits<float>::infinity()) : ray_tfar;
  LaneQuery lane_query;
  if (!prepare_query(lane.data(), lane.context(), lane.floats(), search_end, lane_query)) return;
  with_spheres(lane.data(), lane_query, [&](const auto& spheres) {
    exact::Counts counts;
    Candidate found, taken;
    exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
      found = candidate_of(arithmetic, state, lane_query, spheres, id, counts);
      if (ours && found.contact != Contact::miss)
        taken = query::candidate_of(arithmetic, spheres.pair(arithmetic, hit.primID), hit.primID, counts);
    });
    if (found.contact == Contact::miss) return;
    BestHit best = ours ? BestHit{} : other_hit_of(lane.floats(), hit);
    if (ours) best.taken = true, best.crossing = entry_of(spheres, taken), best.crossing.exit = hit.u != 0;
    offer_sphere(lane, spheres, found, Entry::unseen, best, counts);
  });
}

void occlude_sphere(const ShadowLane& lane, std::uint32_t id) {
  const query::SceneState& state = *lane.data().state;
  LaneQuery lane_query;
  if (!prepare_query(lane.data(), lane.context(), lane.floats(), lane.floats().tfar, lane_query)) return;
  with_spheres(lane.data(), lane_query, [&](const auto& spheres) {
    exact::Counts counts;
    Candidate found;
    exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
      found = candidate_of(arithmetic, state, lane_query, spheres, id, counts);
    });
    if (found.contact == Contact::miss) return;
    BestHit none;
    if (!lane.data().options.filters || offer_sphere(lane, spheres, found, Entry::unseen, none, counts))
      lane.mark_occluded();
  });
}

/// Calls work(lane) for each valid ray.
template <class Args, class Work>
SPHAERA_INLINE void each_lane(const Args* args, const Work& work) {
  const CallMode mode;
  const Data& data = *static_cast<const Data*>(args->geometryUserPtr);
  if (args->N == 1) {
    if (args->valid[0] != 0) work(Lane<Args>(data, *args, 0, mode));
    return;
  }
  for (unsigned i = 0; i < args->N; ++i)
    if (args->valid[i] != 0) work(Lane<Args>(data, *args, i, mode));
}

// The callbacks below do not throw: walks and exact integers live on the stack.
void intersect_whole(const RTCIntersectFunctionNArguments* args) noexcept {
  each_lane(args, intersect_scene);
}
void occlude_whole(const RTCOccludedFunctionNArguments* args) noexcept { each_lane(args, occlude_scene); }
void intersect_one(const RTCIntersectFunctionNArguments* args) noexcept {
  each_lane(args, [&](const HitLane& lane) { intersect_sphere(lane, args->primID); });
}
void occlude_one(const RTCOccludedFunctionNArguments* args) noexcept {
  each_lane(args, [&](const ShadowLane& lane) { occlude_sphere(lane, args->primID); });
}

void bounds_of_whole(const RTCBoundsFunctionArguments* args) noexcept {
  const CallMode mode;
  const Data& data = *static_cast<const Data*>(args->geometryUserPtr);
  write(box_of(data), data.margin, *args->bounds_o);
}

void bounds_of_one(const RTCBoundsFunctionArguments* args) noexcept {
  const CallMode mode;
  const Data& data = *static_cast<const Data*>(args->geometryUserPtr);
  const std::span<const std::uint8_t> layers = data.state->layers.span();
  const unsigned layer = layers.empty() ? 0 : layers[args->primID];
  const bool on_layer = data.options.layers >> layer & 1;
  write(on_layer ? box_of(data, args->primID) : Box{}, data.margin, *args->bounds_o);
}

}  // namespace

void set_callbacks(const Data& data) {
  const bool whole = data.options.granularity == Granularity::scene;
  rtcSetGeometryBoundsFunction(data.geometry, whole ? bounds_of_whole : bounds_of_one,
                               const_cast<Data*>(&data));
  rtcSetGeometryIntersectFunction(data.geometry, whole ? intersect_whole : intersect_one);
  rtcSetGeometryOccludedFunction(data.geometry, whole ? occlude_whole : occlude_one);
}

}  // namespace sphaera::bridge
