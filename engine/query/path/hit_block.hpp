#pragma once
/// \file Hits whose numbers are still to be computed. A batch gathers them and computes the roots of many at
/// once, at a quarter of the cost of one by one.

#include <exact/roots/root_block.hpp>
#include <query/path/scene_path.hpp>
#include <span>

namespace sphaera::query {

/// Writes a hit, with its point and normal if the item has them.
inline void put_hit(Hit& item, const exact::Path&, const Sphere&, const Hit& hit) { item = hit; }
void put_hit(SurfaceHit& item, const exact::Path& path, const Sphere& sphere, const Hit& hit);

/// The same for one candidate, at once.
template <class ScenePath>
void put_hit(Hit& item, const ScenePath& scene_path, const Candidate& candidate) {
  item = hit_of(scene_path, candidate);
}
template <class ScenePath>
void put_hit(SurfaceHit& item, const ScenePath& scene_path, const Candidate& candidate) {
  const auto [point, normal] = scene_path.contact_point(candidate);
  item = {hit_of(scene_path, candidate), point, normal};
}

/// Gathers candidates, each with the index of its hit in an array. Writes the hits when it is full and on
/// `write`.
template <class Input, class Item = Hit>
class HitBlock {
 public:
  HitBlock(std::span<const Input> inputs, std::span<const Sphere> spheres)
      : inputs_(inputs.data()), spheres_(spheres.data()) {}

  /// Adds the candidate of inputs[query]; a miss adds nothing, without a branch. `hits` is the current array;
  /// it may have moved since the last call.
  SPHAERA_INLINE void add(std::size_t query, const Candidate& candidate, Item* hits, std::size_t place) {
    entries_[count_] = {query, place, candidate.sphere, candidate.contact};
    count_ += candidate.contact != Contact::miss;
    if (count_ == entries_.size()) write(hits);
  }

  void write(Item* hits);

 private:
  struct Entry {
    std::size_t query, place;
    std::uint32_t sphere;
    Contact contact;
  };

  const Input* inputs_;
  const Sphere* spheres_;
  exact::RootBlock<Input> roots_;
  std::array<Entry, exact::RootBlock<Input>::capacity> entries_;
  std::size_t count_ = 0;
};

}  // namespace sphaera::query
