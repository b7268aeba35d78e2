#include <bit>
#include <exception>
#include <index/viewpoint/viewpoint_faces.hpp>
#include <query/batch/batch.hpp>
#include <query/batch/viewpoint_of_batch.hpp>
#include <scene/rebuild.hpp>

namespace sphaera::query {
namespace {

/// Counts, along a path to or from the star, the spheres that the float filter neither rejects nor accepts
/// for certain.
struct UnsureCount : index::PathWalk {
  std::uint64_t unsure = 0;

  explicit UnsureCount(const exact::Path& sample) : PathWalk(sample, {.visit = add}) {}
  static index::TraversalControl add(index::PathWalk& walk, const index::LeafIds&, index::LaneHits hits) {
    auto& count = static_cast<UnsureCount&>(walk);
    count.unsure += static_cast<unsigned>(std::popcount(hits.maybe & ~hits.surely));
    return count.unsure < sampled_paths * max_unsure ? index::TraversalControl::go_on
                                                     : index::TraversalControl::stop;
  }

  static constexpr std::uint64_t sampled_paths = 64;
  static constexpr std::uint64_t max_unsure = 8;  ///< per sampled path, on average
};

/// Are floats accurate enough to separate the spheres as seen from the star? They are not if small spheres
/// crowd far away: all of these would be candidates of every path towards one of them.
bool resolves(const index::ViewpointFaces& star, const index::SphereSubset& members) {
  const index::Viewpoint& place = star.place();
  std::uint64_t answered = 0, unsure = 0;
  for (std::uint64_t k = 0; k < UnsureCount::sampled_paths; ++k) {
    const std::size_t i = k * (members.size() - 1) / (UnsureCount::sampled_paths - 1);
    const Vec3& center = members.sphere_set.spheres[members.id(i)].center;
    const exact::Path through = exact::path_of(place.at_infinity() ? Ray{center, place.at(), -infinity}
                                                                   : Ray{place.at(), center - place.at()});
    UnsureCount count(through);
    answered += star.any(count);
    unsure += count.unsure;
  }
  return answered > 0 && unsure < UnsureCount::sampled_paths * UnsureCount::max_unsure;
}

/// No index if it cannot be built: queries need none. Throws cancelled.
BuiltStar built(const SceneState& state, const index::Viewpoint& place, const QueryOptions& options) {
  const index::BuildControl control{
      .memory_limit = state.memory_limit, .memory = state.memory, .stop = options.stop};
  try {
    return build_star(state, place, control);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cancelled) throw_cancelled();
  } catch (const std::exception&) {
  }
  return {};
}

}  // namespace

BuiltStar build_star(const SceneState& state, const index::Viewpoint& place,
                     const index::BuildControl& control) {
  BuiltStar star;
  with_members(state, [&](const index::SphereSubset& members) {
    star.index = std::make_shared<const index::ViewpointFaces>(place, members, control);
    star.pays = resolves(*star.index, members) &&
                star.index->boxes() < worthwhile_boxes * state.scene_index->top().cost().boxes();
  });
  return star;
}

const index::ViewpointFaces* held_star(const QueryOptions& options, const index::Viewpoint& place) {
  for (const ViewpointIndex& star : options.viewpoint_indexes)
    if (star.pays() && star.index()->place() == place) return star.index();
  return nullptr;
}

std::shared_ptr<const index::ViewpointFaces> viewpoint_index_about(const SceneState& state,
                                                                   const index::Viewpoint& place,
                                                                   std::size_t rays,
                                                                   const QueryOptions& options) {
  if (!may_provide_star(state, rays, options)) return nullptr;
  const bool may_build = options.threads != 1 && !options.scratch;
  const ViewpointIndexes::Offer offer =
      state.stars.ask(place, rays, may_build ? worthwhile_rays(state.enabled) : UINT64_MAX);
  if (!offer.build) return offer.index;
  BuiltStar star;
  try {
    star = built(state, place, options);
  } catch (...) {
    state.stars.give_up(place);
    throw;
  }
  if (!star.pays) star.index.reset();  // null already if it could not be built
  state.stars.put(place, star.index);
  return star.index;
}

}  // namespace sphaera::query
