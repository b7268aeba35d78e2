#pragma once
/// \file What an arc of a body's edge contributes to the area and to the light that is seen within a boundary
/// (Green's theorem: ∮ G dψ, G what lies within ρ at azimuth ψ about the star's centre).

#include <geometry/limb_profile.hpp>
#include <geometry/sky_circle.hpp>

namespace sphaera::geometry {

/// The arc's part of the fraction of the star's disc that lies to its left: between two points of the circle,
/// through `turn`, the azimuth about the body's axis from one to the other.
double arc_area(double tau, const SkyCircle& circle, Vec2 from, Vec2 to, double turn);

/// ∮ over the arc of the darkened part of the light, over k². The arc lies within the disc and does not cross
/// φ = ±π, where it is nearest to the limb.
double arc_light(const LimbProfile& profile, const SkyCircle& circle, double from, double to);

}  // namespace sphaera::geometry
