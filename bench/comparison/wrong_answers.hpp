#pragma once
/// \file Judges disagreements: if two engines disagree, the spheres that they report are tested in binary128.

#include <bench/measure/measure.hpp>

namespace sphaera::bench {

/// An engine and its answers for some rays.
struct Testimony {
  const Engine& engine;
  const Answers& answers;
};

/// Numbers of wrong answers of two engines: any hit, the first sphere, or the list of spheres in order. An
/// answer that both engines share counts as right. Rays that start inside a sphere do not count against an
/// engine that `differs` there.
struct Verdict {
  std::size_t reference_wrong = 0, peer_wrong = 0;
};
Verdict judge(Query query, std::span<const Sphere> spheres, std::span<const Ray> rays,
              const Testimony& reference, const Testimony& peer);

}  // namespace sphaera::bench
