#pragma once
/// \file The formulas of <sphaera/irradiance.hpp>, for input that was checked, in the mode that the caller
/// has set.

#include <sphaera/irradiance.hpp>

namespace sphaera::geometry {

/// As normal_irradiance.
double irradiance_at(const Source& source, const Vec3& place, double flux);
/// As irradiance.
double irradiance_on(const Source& source, const Receiver& receiver, double flux);

}  // namespace sphaera::geometry
