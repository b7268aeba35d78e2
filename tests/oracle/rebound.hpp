#pragma once
/// \file The velocity after a ricochet, by the textbook, in 100 digits.

#include <tests/oracle/place.hpp>

namespace sphaera::oracle {

/// In the sphere's frame: `d` is the velocity before, `normal` the outward normal. The speed along the normal
/// is multiplied by `restitution`; the speed along the surface loses friction · (1 + restitution) · (speed
/// along the normal), at most all of it. A bullet that does not approach keeps its velocity.
inline Place rebound(const Place& d, const Place& normal, double restitution, double friction) {
  const Real inward = -dot(d, normal);
  if (!(inward > 0)) return d;
  const Place along_surface = along(d, inward, normal);
  const Real speed = length(along_surface), lost = Real(friction) * (1 + Real(restitution)) * inward;
  const Real kept = friction == 0 ? Real(1) : lost < speed ? Real(1 - lost / speed) : Real(0);
  return along(along({}, kept, along_surface), restitution * inward, normal);
}

}  // namespace sphaera::oracle
