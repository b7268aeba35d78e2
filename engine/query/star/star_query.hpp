#pragma once
/// \file The visibility of one star for one observer among the spheres of a scene.

#include <exact/numbers/elementary.hpp>
#include <index/viewpoint/viewpoint_faces.hpp>
#include <query/batch/batch.hpp>
#include <star_light/star_view.hpp>

namespace sphaera::query {

/// Is the observer on no sphere, or on a sphere of the scene and not at its center?
inline bool stands(const SceneState& state, const Observer& observer) {
  if (observer.on == Observer::nowhere) return true;
  const std::span<const Sphere> spheres = state.spheres.span();
  return observer.on >= 0 && state.contains(static_cast<std::size_t>(observer.on)) &&
         observer.position != spheres[static_cast<std::size_t>(observer.on)].center;
}
inline bool answerable(const SceneState& state, const Observer& observer) {
  return base::valid(observer) && stands(state, observer);
}
inline bool answerable(const SceneState& state, const Receiver& receiver) {
  return base::valid(receiver) && stands(state, receiver.observer);
}
/// Throw for inputs that cannot be answered.
void check_input(const SceneState& state, const Observer& observer, std::int64_t element = Error::no_element);
void check_input(const SceneState& state, const Receiver& receiver, std::int64_t element = Error::no_element);

/// Can a viewpoint index be used for this star? Not if the star is at infinity and too large:
/// ViewpointIndex::in_cone returns false then.
inline bool may_have_index(const Star& star) {
  return star.distance == Star::Distance::finite || exact::sine(star.angular_radius) <= index::widest_sine;
}
/// The place of the star, by which its index is found.
inline index::Viewpoint viewpoint(const Star& star) {
  return star.distance == Star::Distance::finite ? index::Viewpoint(star.center)
                                                 : index::Viewpoint::at_infinity(star.direction);
}

/// The viewpoint indexes of a batch: those that the caller holds, and those of the scene for the first
/// ViewpointIndexes::max_indexes other stars that have one.
class StarsOfBatch {
 public:
  /// Finds the scene's indexes, or builds them where that pays, in the arena that the options ask for.
  /// star_of(j) is star j, j < `stars`. Throws as a query does.
  template <class StarOf>
  StarsOfBatch(const SceneState& state, std::size_t stars, const StarOf& star_of, std::size_t observers,
               const QueryOptions& options)
      : options_(&options) {
    check_options(state, options, observers);
    if (options.search != Search::index || !may_provide_star(state, observers, options)) return;
    with_memory_errors([&] {
      in_arena_of(options, [&] {
        std::size_t found = 0;
        for (std::size_t j = 0; j < stars && found < indexes_.size(); ++j) {
          const Star& star = star_of(j);
          if (!may_have_index(star) || of(star)) continue;
          indexes_[found] = viewpoint_index_about(state, viewpoint(star), observers, options);
          found += indexes_[found] != nullptr;
        }
      });
    });
  }

  const index::ViewpointFaces* of(const Star& star) const {
    if (options_->search != Search::index) return nullptr;
    const index::Viewpoint place = viewpoint(star);
    if (const index::ViewpointFaces* const held = held_star(*options_, place)) return held;
    for (const auto& index : indexes_)
      if (index && index->place() == place) return index.get();
    return nullptr;
  }

 private:
  const QueryOptions* options_;
  std::array<std::shared_ptr<const index::ViewpointFaces>, ViewpointIndexes::max_indexes> indexes_;
};

/// Computes visibilities with one set of working memory. One object per thread.
class StarQuery {
 public:
  StarQuery(const SceneState& state, const QueryOptions& options, TaskScratch& scratch);

  /// The visibility for observer number `query` of the batch, whose position and sphere are already checked.
  /// `own`: the star's index, null if there is none.
  Visibility visibility(const Star& star, const Observer& observer, std::size_t query, QueryStats& stats,
                        const index::ViewpointFaces* own = nullptr);

 private:
  struct StarTask {
    const Star& star;
    const Observer& observer;
    const index::ViewpointFaces* own;
  };
  /// Adds the spheres that may hide a part of the star.
  void add_all(star_light::StarView& view, const SphereFilter& sphere_filter, const StarTask& task,
               QueryStats& stats);

  const SceneState& state_;
  const QueryOptions& options_;
  star_light::StarViewScratch& scratch_;
  std::vector<std::int64_t>& seen_;
};

/// Throws if the options ask for what starlight does not support: Search::embree, times or `accept`.
inline void check_star_options(const QueryOptions& options, const char* what) {
  refuse_embree(options, what), refuse_times(options, what), refuse_accept(options, what);
}

}  // namespace sphaera::query
