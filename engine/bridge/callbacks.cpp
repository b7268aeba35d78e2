#include <bridge/bounds.hpp>
#include <bridge/callbacks.hpp>
#include <bridge/search.hpp>
#include <exact/numbers/dispatch.hpp>

namespace sphaera::bridge {
namespace {

/// Calls work(arithmetic, spheres) with the spheres as the query sees them.
template <class Work>
SPHAERA_INLINE void with_spheres(const Data& data, const LaneQuery& lane_query, const Work& work) {
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    if (data.moving) {
      work(arithmetic, at_instant(*data.state, lane_query));
    } else {
      work(arithmetic, at_rest(*data.state, lane_query));
    }
  });
}

/// The ray's hit so far with another object, if there is one: a sphere must be met before it.
SPHAERA_INLINE BestHit other_hit_of(const RTCRay& floats, const RTCHit& hit) {
  BestHit best;
  if (hit.geomID != RTC_INVALID_GEOMETRY_ID) best.wall = floats.tfar;
  return best;
}

/// Calls work(arithmetic, spheres, lane_query) for the lane's ray, if it can see a sphere.
template <class Lane, class Work>
SPHAERA_INLINE void with_lane_query(const Lane& lane, const Work& work) {
  LaneQuery lane_query;
  if (!prepare_query(lane.data(), lane.context(), lane.floats(), lane.floats().tfar, lane_query)) return;
  if (sees_nothing(*lane.data().state, lane_query)) return;
  with_spheres(lane.data(), lane_query, [&](auto arithmetic, const auto& spheres) SPHAERA_INLINE_LAMBDA {
    work(arithmetic, spheres, lane_query);
  });
}

/// Finds the ray's first hit in the whole scene. If the filters reject the first sphere's entry, a second
/// walk looks for the first crossing that they let through.
void intersect_scene(const HitLane& lane) {
  const query::SceneState& state = *lane.data().state;
  with_lane_query(lane, [&]<class Spheres>(auto arithmetic, const Spheres& spheres,
                                           const LaneQuery& lane_query) SPHAERA_INLINE_LAMBDA {
    FirstWalk<Spheres> walk(arithmetic, state, lane_query, spheres);
    (state.scene_index.get()->*Spheres::nearest_first)(walk);
    const Candidate first = walk.first.candidate();
    if (first.contact == Contact::miss) return;
    const BestHit best = other_hit_of(lane.floats(), lane.hit());
    const EntryOrExit entry = entry_of(spheres, first);
    if (!wins(spheres, entry, best, walk.counts) || lane.offer(spheres, entry, walk.counts)) return;
    FilteredWalk<Spheres> behind(arithmetic, state, lane_query, spheres);
    behind.lane = &lane, behind.shown = first.sphere, behind.best = best;
    (state.scene_index.get()->*Spheres::nearest_first)(behind);
  });
}

void occlude_scene(const ShadowLane& lane) {
  const query::SceneState& state = *lane.data().state;
  with_lane_query(lane, [&]<class Spheres>(auto arithmetic, const Spheres& spheres,
                                           const LaneQuery& lane_query) SPHAERA_INLINE_LAMBDA {
    bool found = false;
    if (lane.data().options.filters) {
      AnyFilteredWalk<Spheres> walk(arithmetic, state, lane_query, spheres);
      walk.lane = &lane;
      (state.scene_index.get()->*Spheres::any)(walk);
      found = walk.best.taken;
    } else {
      AnyWalk<Spheres> walk(arithmetic, state, lane_query, spheres);
      (state.scene_index.get()->*Spheres::any)(walk);
      found = walk.found;
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
  return {arithmetic, spheres.pair(arithmetic, id), id, counts};
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
  with_spheres(lane.data(), lane_query, [&](auto arithmetic, const auto& spheres) SPHAERA_INLINE_LAMBDA {
    exact::Counts counts;
    const Candidate found = candidate_of(arithmetic, state, lane_query, spheres, id, counts);
    if (found.contact == Contact::miss) return;
    BestHit best = ours ? BestHit{} : other_hit_of(lane.floats(), hit);
    if (ours) {
      const Candidate taken(arithmetic, spheres.pair(arithmetic, hit.primID), hit.primID, counts);
      best.taken = true, best.crossing = entry_of(spheres, taken), best.crossing.exit = hit.u != 0;
    }
    offer_sphere(lane, spheres, found, false, best, counts);
  });
}

void occlude_sphere(const ShadowLane& lane, std::uint32_t id) {
  const query::SceneState& state = *lane.data().state;
  LaneQuery lane_query;
  if (!prepare_query(lane.data(), lane.context(), lane.floats(), lane.floats().tfar, lane_query)) return;
  with_spheres(lane.data(), lane_query, [&](auto arithmetic, const auto& spheres) SPHAERA_INLINE_LAMBDA {
    exact::Counts counts;
    const Candidate found = candidate_of(arithmetic, state, lane_query, spheres, id, counts);
    if (found.contact == Contact::miss) return;
    BestHit none;
    if (!lane.data().options.filters || offer_sphere(lane, spheres, found, false, none, counts))
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
