#pragma once
/// \file What a Scene holds.

#include <index/extent.hpp>
#include <index/huge_array.hpp>
#include <index/tree.hpp>
#include <memory>
#include <sphaera/scene.hpp>

namespace sphaera::query {

struct SceneState {
  index::HugeArray<Sphere> spheres;
  index::HugeArray<std::uint8_t> layers;  ///< empty: all on layer 0
  index::HugeArray<Vec3> velocities;      ///< empty: all at rest
  Horizon horizon;                        ///< of those that move
  index::Extent extent;
  std::unique_ptr<const index::Tree> tree;  ///< none for an empty scene
};

}  // namespace sphaera::query
