#pragma once
/// \file The visibility of one star for one observer among the spheres of a scene.

#include <query/batch/batch.hpp>
#include <starlight/star_view.hpp>

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

/// Computes visibilities with one set of working memory. One object per thread.
class StarQuery {
 public:
  StarQuery(const SceneState& state, const QueryOptions& options, TaskScratch& scratch);

  /// The visibility for observer number `query` of the batch, whose position and sphere are already checked.
  Visibility visibility(const Star& star, const Observer& observer, std::size_t query, QueryStats& stats);

 private:
  const SceneState& state_;
  const QueryOptions& options_;
  geometry::StarViewScratch& scratch_;
};

/// Throws if the options have what star-light does not know.
inline void check_star_options(const QueryOptions& options, const char* what) {
  refuse_embree(options, what), refuse_times(options, what), refuse_accept(options, what);
}

}  // namespace sphaera::query
