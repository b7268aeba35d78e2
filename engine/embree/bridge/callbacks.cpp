#include <embree/bridge/bounds.hpp>
#include <embree/bridge/callbacks.hpp>
#include <embree/bridge/search.hpp>
#include <exact/numbers/dispatch.hpp>

namespace sphaera::bridge {
namespace {

/// Calls work(arithmetic, spheres) with the spheres as the query sees them.
template <class Work>
SPHAERA_INLINE void with_spheres(const Data& data, const LaneQuery& asked, const Work& work) {
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    if (data.moving) {
      work(arithmetic, at_instant(*data.state, asked));
    } else {
      work(arithmetic, at_rest(*data.state, asked));
    }
  });
}

/// The ray's hit so far with another object, if there is one: a sphere must be met before it.
SPHAERA_INLINE MetSoFar other_hit_of(const RTCRay& floats, const RTCHit& hit) {
  MetSoFar met;
  if (hit.geomID != RTC_INVALID_GEOMETRY_ID) met.wall = floats.tfar;
  return met;
}

/// Calls work(arithmetic, spheres, asked) for the lane's ray, if it can see a sphere.
template <class Lane, class Work>
SPHAERA_INLINE void with_lane_query(const Lane& lane, const Work& work) {
  LaneQuery asked;
  if (!ask(lane.data(), lane.context(), lane.floats(), lane.floats().tfar, asked)) return;
  if (sees_nothing(*lane.data().state, asked)) return;
  with_spheres(lane.data(), asked, [&](auto arithmetic, const auto& spheres) SPHAERA_INLINE_LAMBDA {
    work(arithmetic, spheres, asked);
  });
}

/// Finds the ray's first hit in the whole scene. If the filters reject the first sphere's entry, a second
/// walk looks for the first crossing that they let through.
void intersect_scene(const HitLane& lane) {
  const query::SceneState& state = *lane.data().state;
  with_lane_query(lane, [&]<class Spheres>(auto arithmetic, const Spheres& spheres,
                                           const LaneQuery& asked) SPHAERA_INLINE_LAMBDA {
    FirstWalk<Spheres> walk(arithmetic, state, asked, spheres);
    (state.scene_index.get()->*Spheres::nearest_first)(walk);
    const Candidate first = walk.first.candidate();
    if (first.contact == Contact::miss) return;
    const MetSoFar met = other_hit_of(lane.floats(), lane.hit());
    const EntryOrExit entry = entry_of(spheres, first);
    if (!wins(spheres, entry, met, walk.counts) || lane.offer(spheres, entry, walk.counts)) return;
    FilteredWalk<Spheres> behind(arithmetic, state, asked, spheres);
    behind.lane = &lane, behind.shown = first.sphere, behind.met = met;
    (state.scene_index.get()->*Spheres::nearest_first)(behind);
  });
}

void occlude_scene(const ShadowLane& lane) {
  const query::SceneState& state = *lane.data().state;
  with_lane_query(lane, [&]<class Spheres>(auto arithmetic, const Spheres& spheres, const LaneQuery& asked)
                            SPHAERA_INLINE_LAMBDA {
                              bool found = false;
                              if (lane.data().options.filters) {
                                AnyFilteredWalk<Spheres> walk(arithmetic, state, asked, spheres);
                                walk.lane = &lane;
                                (state.scene_index.get()->*Spheres::any)(walk);
                                found = walk.met.taken;
                              } else {
                                AnyWalk<Spheres> walk(arithmetic, state, asked, spheres);
                                (state.scene_index.get()->*Spheres::any)(walk);
                                found = walk.found;
                              }
                              if (found) lane.block();
                            });
}

/// The candidate of one sphere; a miss if the filter rejects the sphere.
template <class Arithmetic, class Spheres>
SPHAERA_INLINE Candidate candidate_of(Arithmetic arithmetic, const query::SceneState& state,
                                      const LaneQuery& asked, const Spheres& spheres, std::uint32_t id,
                                      exact::Counts& counts) {
  if (sees_nothing(state, asked) || !LaneFilter(state, asked).admits(id)) return {};
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
  LaneQuery asked;
  if (!ask(lane.data(), lane.context(), lane.floats(), search_end, asked)) return;
  with_spheres(lane.data(), asked, [&](auto arithmetic, const auto& spheres) SPHAERA_INLINE_LAMBDA {
    exact::Counts counts;
    const Candidate found = candidate_of(arithmetic, state, asked, spheres, id, counts);
    if (found.contact == Contact::miss) return;
    MetSoFar met = ours ? MetSoFar{} : other_hit_of(lane.floats(), hit);
    if (ours) {
      const Candidate best(arithmetic, spheres.pair(arithmetic, hit.primID), hit.primID, counts);
      met.taken = true, met.best = entry_of(spheres, best), met.best.exit = hit.u != 0;
    }
    offer_sphere(lane, spheres, found, false, met, counts);
  });
}

void occlude_sphere(const ShadowLane& lane, std::uint32_t id) {
  const query::SceneState& state = *lane.data().state;
  LaneQuery asked;
  if (!ask(lane.data(), lane.context(), lane.floats(), lane.floats().tfar, asked)) return;
  with_spheres(lane.data(), asked, [&](auto arithmetic, const auto& spheres) SPHAERA_INLINE_LAMBDA {
    exact::Counts counts;
    const Candidate found = candidate_of(arithmetic, state, asked, spheres, id, counts);
    if (found.contact == Contact::miss) return;
    MetSoFar none;
    if (!lane.data().options.filters || offer_sphere(lane, spheres, found, false, none, counts)) lane.block();
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
