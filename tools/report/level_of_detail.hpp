#pragma once
/// \file Chooses spheres that stand for a large scene in a picture.

#include <cstddef>
#include <cstdint>
#include <span>
#include <sphaera/scene.hpp>
#include <vector>

namespace sphaera::tool {

/// Ids of at most `most` spheres on the layers: all if they are no more; else half of them the largest in
/// each cell of the finest grid over the centers that has no more than most / 2 occupied cells, the rest the
/// largest that are left. Equally large ones come in an order that looks random, the same in every run. They
/// are sorted, the largest first, so that the beginning of the list is a choice, too.
std::vector<std::int64_t> level_of_detail(const Scene& scene, LayerMask layers, std::size_t most);

}  // namespace sphaera::tool
