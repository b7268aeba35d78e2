#pragma once
/// \file Stars whose surface a sphere cuts. No observer gets numbers for them.

#include <sphaera/scene.hpp>
#include <tools/scene/stars.hpp>
#include <vector>

namespace sphaera::tool {

struct CutStar {
  std::size_t star;     ///< its number
  std::int64_t sphere;  ///< the lowest id among those that cut it
};

/// The stars that a sphere on the layers cuts, by number. Exact, as the status `intersects_star` of
/// starlight.
std::vector<CutStar> cut_stars(const std::vector<NamedStar>& stars, const Scene& scene,
                               const QueryOptions& options);

/// Warns of the first eight and counts the others. `effect`: "it has no numbers".
void warn_of(const std::vector<CutStar>& cut, const std::vector<NamedStar>& stars, const SceneFile& file,
             const std::string& effect, const Console& console);

}  // namespace sphaera::tool
