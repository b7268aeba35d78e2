#pragma once
/// \file Summary of a scene, for `info`.

#include <string>
#include <tools/options/shared_options.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/overlap_counts.hpp>
#include <tools/scene/stars.hpp>
#include <utility>
#include <vector>

namespace sphaera::tool {

struct SceneSummary {
  std::string scene;
  double time = 0;
  std::string unit;                                           ///< empty: none is given
  std::vector<std::pair<std::string, std::uint64_t>> layers;  ///< names, and numbers of spheres
  std::vector<std::string> stars;                             ///< name of each star
  Vec3 lower, upper;                                          ///< bounding box of the balls
  double radius_min = 0, radius_median = 0, radius_max = 0;   ///< all 0 for no spheres
  std::uint64_t moving = 0;                                   ///< spheres whose velocity is not 0
  std::uint64_t orbiting = 0;                                 ///< spheres with an ephemeris
  std::uint64_t orbiting_stars = 0;                           ///< stars with an ephemeris of their own
  double covered_from = -infinity, covered_to = infinity;     ///< times that all these ephemerides cover
  std::uint64_t spinning = 0;                                 ///< spheres with a spin
  double speed_max = 0;                                       ///< largest speed
  Survey survey;
  SceneInfo index;
  double build_seconds = 0;  ///< 0: the file has the index
  std::vector<std::string> warnings;
};

struct DescribedScene {
  SceneSummary summary;
  LoadedScene file;  ///< without its spheres and velocities, unless it has its own index
  Scene scene;
};

/// Loads a scene, builds the index and measures. Bounds, radii, motion and survey are those of the selected
/// layers; the index holds all spheres.
DescribedScene describe_scene(const SceneOptions& scene, const CommonOptions& common,
                              const StarOptions& stars, const LayerOptions& layers, const IndexOptions& index,
                              const std::stop_token& stop);

/// A label and what belongs to it.
struct Fact {
  std::string label, value;
};
std::vector<Fact> contents_of(const SceneSummary& summary);  ///< what the spheres are
std::vector<Fact> frames_of(const SceneSummary& summary);    ///< in which the index holds them

/// The summary as text, and as one JSON object on a line.
std::string text_of(const SceneSummary& summary);
std::string json_of(const SceneSummary& summary);

}  // namespace sphaera::tool
