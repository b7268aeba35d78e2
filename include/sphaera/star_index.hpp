#pragma once
/// \file An index of a scene for one star: a lamp, an eye, or the sun at infinity.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <memory>
#include <sphaera/config/export.hpp>
#include <sphaera/star.hpp>
#include <sphaera/vec3.hpp>
#include <stop_token>

namespace sphaera {

namespace index {
class StarIndex;  // opaque
}

/// Settings of `Scene::star_index`.
struct StarIndexOptions {
  int threads = 0;  ///< 0: the caller's arena; n: at most n threads
  /// Most bytes that the index may hold at a time, 0: no limit; beyond it the build throws out_of_memory.
  std::uint64_t memory_limit = 0;
  std::stop_token stop{};  ///< a stop makes the build throw ErrorCode::cancelled
};

/// An index of a scene for paths that end or start in exactly one point, or have exactly one direction, and
/// for the light of stars at that point or, from infinity, in that direction. If the index is used (`pays`),
/// such queries meet on average less than half as many boxes as in the scene's own index. Made by
/// `Scene::star_index`, used by calls that have it in QueryOptions::star_indexes. It is valid for the scene
/// that made it until that scene changes. Copies share one index. Safe from many threads. The resource of
/// BuildOptions::memory, if the scene has one, must outlive it. At infinity it answers paths that begin
/// within four times the size of the scene, and stars with an angular radius of at most 14°; the scene's own
/// index answers the others.
class SPHAERA_API StarIndex {
 public:
  /// An index of no scene: a query that has it in its options throws invalid_argument.
  StarIndex() noexcept;
  /// For Sphaera's own functions.
  StarIndex(const Star& star, std::shared_ptr<const index::StarIndex> index, bool pays,
            std::uint64_t version) noexcept;

  const Star& star() const { return star_; }          ///< as given to Scene::star_index
  const Vec3& point() const { return star_.center; }  ///< the star's center; 0 for Star::at_infinity
  std::uint64_t bytes() const;                        ///< 37 to 40 for each enabled sphere
  /// Boxes that a random path from the star among the spheres meets, on average; compare SceneInfo::boxes.
  double boxes() const;
  /// True if queries use the index: they would meet less than half as many boxes as in the scene's own index,
  /// and floats resolve the spheres as seen from the star.
  bool pays() const { return pays_; }

  const index::StarIndex* index() const { return index_.get(); }  ///< for Sphaera's own functions
  std::uint64_t version() const { return version_; }              ///< for Sphaera's own functions

 private:
  Star star_;
  std::shared_ptr<const index::StarIndex> index_;  // null: of no scene, or no sphere was enabled
  bool pays_ = false;
  std::uint64_t version_ = 0;  // of the scene's spheres; 0: of none
};

}  // namespace sphaera
