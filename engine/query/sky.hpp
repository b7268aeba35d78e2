#pragma once
/// \file What one observer sees of one star among the spheres of a scene.

#include <functional>
#include <geometry/star_view.hpp>
#include <query/batch.hpp>

namespace sphaera::query {

/// Throws for an observer who stands on no sphere of the scene, or at the centre of one.
void check_ground(const SceneState& state, const Observer& observer, std::int64_t element);

/// The same for all items, whose observers `observer_of` names: the first bad one.
template <class Item, class ObserverOf = std::identity>
void check_grounds(const SceneState& state, std::span<const Item> items, ObserverOf observer_of = {}) {
  for (std::size_t i = 0; i < items.size(); ++i)
    check_ground(state, std::invoke(observer_of, items[i]), static_cast<std::int64_t>(i));
}

/// The way from an observer to a star's centre.
inline exact::Path sight(const Star& star, const Vec3& observer) {
  return star.distance == Star::Distance::infinite ? exact::path_of(Ray{observer, star.place})
                                                   : exact::path_of(Segment{observer, star.place});
}

/// Looks at stars with one set of working memory: one a thread.
class Sky {
 public:
  Sky(const SceneState& state, const QueryOptions& options);

  /// Observer number `query` of the batch, whose place and ground were checked.
  Visibility look(const Star& star, const Observer& observer, std::size_t query, QueryStats& stats);

 private:
  const SceneState& state_;
  const QueryOptions& options_;
  std::unique_ptr<geometry::StarViewScratch> scratch_;
};

}  // namespace sphaera::query
