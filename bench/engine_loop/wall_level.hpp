#pragma once
/// \file Walls and the people among them in one Embree scene, through the bridge <sphaera/embree.hpp>.

#include <bench/bridge/embree_level.hpp>
#include <bench/bridge/method.hpp>
#include <bench/bridge/walls.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <sphaera/embree.hpp>

namespace sphaera::bench {

/// The walls of a crowd. `follow` brings people in.
class WallLevel {
 public:
  explicit WallLevel(std::uint64_t people);

  /// The people become those of `scene`, which is kept until the next call.
  void follow(std::shared_ptr<const Scene> scene);
  /// What each ray hits first. Ray i ignores the owner owners[i]. `hits` is memory for as many hits.
  void first(std::span<const Ray> rays, std::span<const std::int64_t> owners, std::span<Hit> hits,
             std::span<FirstOfBoth> out) const;

 private:
  Walls walls_;
  std::shared_ptr<const Scene> scene_;  // outlives the geometry
  std::optional<embree::SphereGeometry> people_;
  EmbreeLevel level_;
};

}  // namespace sphaera::bench
