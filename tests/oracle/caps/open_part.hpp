#pragma once
/// \file The part of the unit sphere that no cap covers: its area and first moment, by the arcs that bound it
/// and by an integral.

#include <tests/oracle/caps/cap.hpp>

namespace sphaera::oracle {

struct OpenPart {
  Long area;         ///< sr
  Direction moment;  ///< ∫ w dω over the part; |moment| ≤ π
};

/// By brute force over all crossings: an arc between neighboring crossings is tested in every other cap. The
/// area is that of triangles from one point, `hub`, to the arcs, and of the pieces between arc and chord; the
/// moment is the vector area of the closed curve in space that the arcs make. Errors below 1e-20; below
/// 1e-60 where no circles touch.
OpenPart open_part(const Caps& caps, const Direction& hub = unit({0.3, -0.5, 0.8}));

/// By an integral over the distance from a pole, in long double (open_azimuths.hpp): errors of about 1e-17.
OpenPart open_part_by_integral(const Caps& caps);

}  // namespace sphaera::oracle
