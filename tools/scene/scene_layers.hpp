#pragma once
/// \file The layer of a sphere of a scene, which may have none but the first.

#include <sphaera/scene.hpp>

namespace sphaera::tool {

inline std::size_t layer_of(const Scene& scene, std::size_t sphere) {
  return scene.layers().empty() ? 0 : scene.layers()[sphere];
}

inline bool on_layers(const Scene& scene, LayerMask mask, std::size_t sphere) {
  return mask >> layer_of(scene, sphere) & 1;
}

}  // namespace sphaera::tool
