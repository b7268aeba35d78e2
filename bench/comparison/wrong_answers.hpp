#pragma once
/// \file Judges answers by the naive peer's certified test, in binary128 where double is unsure: where two
/// engines disagree, the spheres that they report; for samples, spread evenly over the rays, all spheres.

#include <bench/measure/measure.hpp>

namespace sphaera::bench {

/// An engine and its answers for some rays.
struct EngineAnswers {
  const Engine& engine;
  const Answers& answers;
};

/// Numbers of wrong answers of two engines: any hit, the first sphere, or the list of spheres in order. An
/// answer that both engines share counts as right, but in the samples: 16 to 2,000 rays, fewer in larger
/// scenes. Rays that start inside a sphere do not count against a peer whose inside_start() is `differs`.
struct WrongAnswers {
  std::size_t reference = 0, peer = 0;
};
WrongAnswers judge(Query query, std::span<const Sphere> spheres, std::span<const Ray> rays,
                   const EngineAnswers& reference, const EngineAnswers& peer);

}  // namespace sphaera::bench
