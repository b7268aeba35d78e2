#pragma once
/// \file How the spheres of a scene lie to one another: equal, nested, touching.

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

/// Two spheres that stand for many.
struct Pair {
  std::int64_t sphere, other;
};

struct Survey {
  std::uint64_t spheres = 0;            ///< on the layers asked for
  std::uint64_t duplicates = 0;         ///< equal to a sphere of lower id
  std::optional<Pair> duplicate;        ///< that of lowest id
  std::uint64_t neighbors_checked = 0;  ///< spheres, all or a random sample, that the next two counts are of
  std::uint64_t touching = 0;           ///< with a point in common with another sphere
  std::uint64_t nested = 0;             ///< inside another, larger sphere (touching it from inside counts)
  std::optional<Pair> nest;             ///< that of lowest id among those checked
};

/// Counts by exact decisions. Duplicates are counted in full; neighbours of at most 200 thousand spheres, or
/// ten million pairs, are looked at, chosen at random but the same in every run.
Survey survey(const Scene& scene, const SurveyOptions& options);

}  // namespace sphaera::tool
