#pragma once
/// \file What one observer sees of one star among the spheres of a scene.

#include <query/batch/batch.hpp>
#include <starlight/star_view.hpp>

namespace sphaera::query {

/// Does an observer stand nowhere, or on a sphere of the scene and not at its centre?
inline bool stands(const SceneState& state, const Observer& observer) {
  if (observer.on == Observer::nowhere) return true;
  const std::span<const Sphere> spheres = state.spheres.span();
  return observer.on >= 0 && observer.on < static_cast<std::int64_t>(spheres.size()) &&
         observer.position != spheres[static_cast<std::size_t>(observer.on)].center;
}
inline bool answerable(const SceneState& state, const Observer& observer) {
  return base::valid(observer) && stands(state, observer);
}
inline bool answerable(const SceneState& state, const Receiver& receiver) {
  return base::valid(receiver) && stands(state, receiver.observer);
}
/// Throw for what is not answerable.
void check_input(const SceneState& state, const Observer& observer, std::int64_t element = Error::no_element);
void check_input(const SceneState& state, const Receiver& receiver, std::int64_t element = Error::no_element);

/// The way from an observer to a star's centre.
inline exact::Path sight(const Star& star, const Vec3& observer) {
  return star.distance == Star::Distance::infinite ? exact::path_of(Ray{observer, star.place})
                                                   : exact::path_of(Segment{observer, star.place});
}

/// Looks at stars with one set of working memory: one a thread.
class StarQuery {
 public:
  StarQuery(const SceneState& state, const QueryOptions& options);

  /// Observer number `query` of the batch, whose place and ground were checked.
  Visibility look(const Star& star, const Observer& observer, std::size_t query, QueryStats& stats);

 private:
  const SceneState& state_;
  const QueryOptions& options_;
  std::unique_ptr<geometry::StarViewScratch> scratch_;
};

}  // namespace sphaera::query
