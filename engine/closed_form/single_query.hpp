#pragma once
/// \file The common start of every closed-form function of a path and a sphere.

#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <exact/predicates/path.hpp>

namespace sphaera::geometry {

/// Sets the floating-point mode, checks the input and returns use(path, target). `target` is a sphere or a
/// point.
template <class RayOrSegment, class Target, class Use>
auto ask(const RayOrSegment& path, const Target& target, const Use& use) {
  const base::FloatingPointEnvironment mode;
  base::check(path);
  base::check(target);
  return use(exact::path_of(path), target);
}

}  // namespace sphaera::geometry
