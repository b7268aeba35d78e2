#pragma once
/// \file Counts of equal, nested and touching spheres of a scene.

#include <cstdint>
#include <functional>
#include <optional>
#include <sphaera/scene.hpp>
#include <stop_token>

namespace sphaera::tool {

struct SurveyOptions {
  LayerMask layers = all_layers;
  std::stop_token stop{};
  std::function<void(double)> progress{};
};

/// Two spheres, as an example of many.
struct Pair {
  std::int64_t sphere, other;
};

struct Survey {
  std::uint64_t spheres = 0;            ///< on the selected layers
  std::uint64_t duplicates = 0;         ///< equal to a sphere of lower id
  std::optional<Pair> duplicate;        ///< the duplicate of lowest id
  std::uint64_t neighbors_checked = 0;  ///< spheres (all or a random sample) whose neighbors were counted
  std::uint64_t touching = 0;           ///< spheres that have a common point with another sphere
  std::uint64_t nested = 0;             ///< spheres inside a larger sphere (touching it from inside counts)
  std::optional<Pair> nest;             ///< the nested sphere of lowest id among the checked ones
};

/// Counts by exact decisions. All duplicates are counted. Neighbors are checked for spheres in a random
/// order, equal in every run, until 200,000 spheres are checked or their lists reach ten million ids in all;
/// the last batch may exceed that.
Survey survey(const Scene& scene, const SurveyOptions& options);

}  // namespace sphaera::tool
