#pragma once
/// \file The formulas of <sphaera/irradiance.hpp>. Preconditions: checked input, floating-point mode set by
/// the caller.

#include <sphaera/irradiance.hpp>

namespace sphaera::star_light {

/// As sphaera::normal_irradiance.
double normal_irradiance(const Source& source, const Vec3& position, double flux);
/// As sphaera::irradiance.
double receiver_irradiance(const Source& source, const Receiver& receiver, double flux);

}  // namespace sphaera::star_light
