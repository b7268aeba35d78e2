#pragma once
/// \file The cap that one ball cuts from the surface of another.

#include <caps/cap.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::caps {

/// The cap of `sphere` that lies in `other`, both grown by the probe ≥ 0. The cosine is off by at most 2^-46.
/// Precondition: the surfaces cross.
Cap cap_on(const Sphere& sphere, const Sphere& other, double probe);

}  // namespace sphaera::caps
