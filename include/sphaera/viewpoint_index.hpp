#pragma once
/// \file An index of a scene for one point where paths start or end, or for one direction. Both are called a
/// star here: a lamp, an eye, or the sun at infinity.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <memory>
#include <sphaera/config/export.hpp>
#include <sphaera/star.hpp>
#include <sphaera/vec3.hpp>
#include <stop_token>

namespace sphaera::index {
class ViewpointFaces;  // opaque
}  // namespace sphaera::index

namespace sphaera::inline SPHAERA_ABI {

/// Settings of `Scene::viewpoint_index`.
struct ViewpointIndexOptions {
  int threads = 0;  ///< 0: the caller's arena; n: at most n threads
  /// Limit of the bytes that the index takes at any time during its build; 0: no limit. Beyond it the build
  /// throws out_of_memory.
  std::uint64_t memory_limit = 0;
  std::stop_token stop{};  ///< a stop makes the build throw ErrorCode::cancelled
};

/// An index of a scene for paths that end or start exactly at the star; if the star is at infinity, for paths
/// that have exactly its direction. It also serves the star's light. If the index is used (`pays`), such
/// queries meet on average less than half as many boxes as in the scene's own index.
///
/// `Scene::viewpoint_index` makes it; calls that have it in QueryOptions::viewpoint_indexes use it. It is
/// valid for the scene that made it until that scene changes. Copies share one index. Several threads may use
/// one object at the same time. The resource of BuildOptions::memory, if the scene has one, must outlive it.
///
/// At infinity it answers stars with an angular radius of at most 14°, and paths that begin (observers that
/// are) within 4R of the center of the first enabled sphere, along each axis. R is the farthest that any
/// enabled sphere reaches from there along an axis. The scene's own index answers what this one does not.
class SPHAERA_API ViewpointIndex {
 public:
  /// An index of no scene: a query that has it in its options throws invalid_argument.
  ViewpointIndex() noexcept;
  /// For Sphaera's own functions.
  ViewpointIndex(const Star& star, std::shared_ptr<const index::ViewpointFaces> index, bool pays,
                 std::uint64_t version) noexcept;

  const Star& star() const { return star_; }          ///< as given to Scene::viewpoint_index
  const Vec3& point() const { return star_.center; }  ///< the star's center; 0 for Star::at_infinity
  std::uint64_t bytes() const;                        ///< 37 to 40 for each enabled sphere
  /// Average number of boxes that a path meets. The path goes from the star through a random place among the
  /// spheres. Compare SceneInfo::boxes.
  double boxes() const;
  /// True if queries use the index: they would meet less than half as many boxes as in the scene's own index,
  /// and floats resolve the spheres as seen from the star.
  bool pays() const { return pays_; }

  const index::ViewpointFaces* index() const { return index_.get(); }  ///< for Sphaera's own functions
  std::uint64_t version() const { return version_; }                   ///< for Sphaera's own functions

 private:
  Star star_;
  std::shared_ptr<const index::ViewpointFaces> index_;  // null: made for no scene, or no sphere was enabled
  bool pays_ = false;
  std::uint64_t version_ = 0;  // of the scene's spheres; 0: made for no scene
};

}  // namespace sphaera::inline SPHAERA_ABI
