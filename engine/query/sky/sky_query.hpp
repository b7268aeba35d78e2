#pragma once
/// \file The sky of one point among the spheres of a scene.

#include <caps/uncovered_part.hpp>
#include <index/tree/front_to_back.hpp>
#include <query/batch/batch.hpp>
#include <query/sky/sky_map.hpp>
#include <sphaera/sky.hpp>

namespace sphaera::query {

/// The spheres of a sky from front to back, and the discs of those that are not known to be hidden. Which
/// discs are kept depends on the spheres alone, as all come in one order, and so does all that follows.
class DiscsInFront : public SphereFilter {
 public:
  DiscsInFront(const SkyPoint& point, const SkyOptions& sky, const SphereFilter& filter, SkyMap& map,
               std::vector<caps::Cap>& discs);

  // As index::FrontToBack asks for.
  double limit() const { return sky_.within; }
  double distance(std::uint32_t id) const;
  bool hides(const std::array<double, 3>& lower, const std::array<double, 3>& upper) const;
  bool take(std::uint32_t id, double distance);

  bool inside() const { return inside_; }  ///< a sphere has the point
  bool too_many() const { return discs_.size() > sky_.most_discs; }

  std::uint64_t candidates = 0;
  exact::Counts counts;

 private:
  bool repeats(std::uint32_t id, double distance);
  bool is_below(const std::array<double, 3>& lower, const std::array<double, 3>& upper) const;

  const SkyPoint& point_;
  const SkyOptions& sky_;
  SkyMap& map_;
  std::vector<caps::Cap>& discs_;
  bool half_, inside_ = false;
  double last_distance_ = -infinity;
  std::uint32_t last_ = index::no_sphere;  ///< the first sphere taken at that distance
};

struct SkyScratch {
  index::FrontToBackMemory walk;
  SkyMap map;
  std::vector<caps::Cap> discs;
  caps::UncoveredPart uncovered;

  /// As TaskScratch::grow_to.
  void grow_to(const SkyScratch& other);
};

/// Computes shares with one set of working memory. One object per thread.
class SkyQuery {
 public:
  SkyQuery(const SceneState& state, const QueryOptions& options, const SkyOptions& sky, TaskScratch& scratch)
      : state_(state), options_(options), sky_(sky), scratch_(scratch.sky()) {}

  /// The share for point number `query` of the batch. Throws std::bad_alloc.
  SkyShare share(const SkyPoint& point, std::size_t query, QueryStats& stats);

 private:
  SkyShare exact_share(const SkyPoint& point);
  template <class Arithmetic>
  SkyShare sampled_share(Arithmetic, const SkyPoint& point, const SphereFilter& filter, QueryStats& stats);

  const SceneState& state_;
  const QueryOptions& options_;
  const SkyOptions& sky_;
  SkyScratch& scratch_;
};

}  // namespace sphaera::query
