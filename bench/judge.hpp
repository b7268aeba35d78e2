#pragma once
/// \file Who is right: where two engines disagree, the spheres that they name are tested in binary128.

#include <bench/measure.hpp>

namespace sphaera::bench {

/// An engine and what it said of some rays.
struct Testimony {
  const Engine& engine;
  const Answers& answers;
};

/// Of all rays, how many each of two engines answered wrongly: yes or no, the first sphere, or the list of
/// spheres in order. What both say alike counts as right. Rays that start inside a sphere are no fault of an
/// engine that sees them otherwise.
struct Verdict {
  std::size_t reference_wrong = 0, peer_wrong = 0;
};
Verdict judge(Query query, std::span<const Sphere> spheres, std::span<const Ray> rays,
              const Testimony& reference, const Testimony& peer);

}  // namespace sphaera::bench
