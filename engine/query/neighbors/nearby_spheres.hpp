#pragma once
/// \file The spheres near a group of points, gathered by one walk. Each point then tests them in lanes,
/// without a walk of its own.

#include <index/scene_index.hpp>
#include <index/tree/gathered_spheres.hpp>
#include <span>

namespace sphaera::query {

/// Spheres in leaf blocks, in local units of the index's top frame. The lanes that are left over are empty.
class NearbySpheres {
 public:
  enum class Order : std::uint8_t { any, by_id };
  static constexpr std::size_t max_blocks = index::GatheredSpheres::most / index::leaf_block_size;

  /// Gathers, in place of the present spheres, all that the filter admits within the search radius of a
  /// point; admitted ones beyond it may be among them. False if they are too many or the point is too far
  /// away. Precondition: scene_index.can_gather().
  template <class Filter>
  bool gather(const index::SceneIndex& scene_index, const Vec3& point, double search_radius,
              const Filter& filter, Order order) {
    if (!scene_index.gather(point, search_radius, gathered_)) return false;
    if (filter.layers) keep_admitted(filter);
    if (order == Order::by_id) sort_by_id();
    put_into_blocks(order);
    return true;
  }

  std::size_t size() const { return gathered_.size; }
  std::size_t blocks() const { return index::leaf_blocks_for(gathered_.size); }
  const index::LeafBlock& block(std::size_t i) const { return blocks_[i]; }
  const index::LeafIds& ids(std::size_t i) const { return ids_[i]; }
  /// The set of lanes of block i that hold this sphere: one lane or none. Empty if id is −1.
  template <class Arithmetic>
  SPHAERA_INLINE index::LaneSet lanes_with(std::size_t i, std::int64_t id) const {
    if (id < 0) return 0;
    IdLanes ids;
    std::memcpy(&ids, &ids_[i], sizeof ids);
    return index::lanes_of<Arithmetic>(ids == static_cast<std::uint32_t>(id));
  }

 private:
  static constexpr std::size_t width = index::leaf_block_size, most = index::GatheredSpheres::most;

  using IdLanes = std::uint32_t __attribute__((vector_size(sizeof(index::LeafLanes)), may_alias));

  /// A sphere's id, and its place among the gathered ones.
  struct Place {
    std::uint32_t id, at;
  };

  template <class Filter>
  void keep_admitted(const Filter& filter) {
    index::GatheredSpheres& g = gathered_;
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < g.size; ++i) {
      g.ids[kept] = g.ids[i], g.x[kept] = g.x[i], g.y[kept] = g.y[i], g.z[kept] = g.z[i];
      g.radius[kept] = g.radius[i];
      kept += filter.admits(g.ids[i]);
    }
    g.size = kept;
  }
  void sort_by_id();
  void put_into_blocks(Order order);

  index::GatheredSpheres gathered_;
  std::array<Place, most> sorted_;       ///< by id
  std::array<Place, most> sort_buffer_;  ///< working memory of the sort
  std::array<index::LeafBlock, max_blocks> blocks_;
  std::array<index::LeafIds, max_blocks> ids_;
};

}  // namespace sphaera::query
