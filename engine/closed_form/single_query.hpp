#pragma once
/// \file The common start of the functions of a path and a sphere or point: ray_sphere.cpp, pierce.cpp.

#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <exact/predicates/path.hpp>

namespace sphaera::closed_form {

/// Sets the floating-point mode, checks the input and returns work(path, target). `target` is a sphere or a
/// point.
template <class RayOrSegment, class Target, class Work>
auto with_checked_input(const RayOrSegment& path, const Target& target, const Work& work) {
  const base::FloatingPointEnvironment mode;
  base::check(path);
  base::check(target);
  return work(exact::path_of(path), target);
}

}  // namespace sphaera::closed_form
