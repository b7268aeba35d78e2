#pragma once
/// \file Contribution of arcs of body edges to the visible area and light, by Green's theorem: ∮ G dψ, where
/// G is the area (or light) within angle ρ of the star's center at azimuth ψ.

#include <star_light/circles/sky_circle.hpp>
#include <star_light/limb/limb_density.hpp>
#include <star_light/limb/limb_profile.hpp>

namespace sphaera::star_light {

/// Pending arcs of circles that cross the limb, given by the angle θ of arc_light.cpp. Their quadrature
/// points are computed together.
struct LimbArcs {
  static constexpr int most = 16;
  using Column = std::array<double, most>;

  int count = 0;
  alignas(64) std::array<const SkyCircle*, most> circle;
  Column from{}, to{};                           ///< parameter t of the ends
  Column curvature{}, reach{}, first{}, last{};  ///< κ, y0, sin θ of the ends
  Column middle_cosine{}, middle_sine{}, width{},
      strip{};  ///< cos and sin of the middle θ; T; a lower bound of tanh²(σ/4)
};

/// Sums over arcs, evaluated many points at a time. Precondition: the arcs lie within the star's disc and do
/// not cross φ = ±π, where they are nearest to the limb.
class ArcSums {
 public:
  /// Starts a sum of the area alone, or of the area and the profile's darkened light.
  void start_area(double tau);
  void start_light(const LimbProfile& profile, double tau);

  /// Adds the circle's arc from parameter `from` to `to`, from < to.
  void add(const SkyCircle& circle, double from, double to);
  void finish();  ///< evaluates pending arcs; circles passed to `add` must still be at the same addresses

  double area() const { return area_; }  ///< area to the left of the arcs, as a fraction of the disc
  double light() const {
    return light_;
  }  ///< ∮ of the darkened part of the light over the arcs, divided by k²

 private:
  void put_limb_arcs();
  void add_parts(const SkyCircle& circle, double from, double to);
  void add_stretch(const SkyCircle& circle, double from, double to);
  void make_room();
  void flush();

  const LimbProfile* profile_ = nullptr;
  double tau_ = 0, area_ = 0, light_ = 0;
  double strip_share_ = 1;  ///< factor of tanh²(σ/4): a strip in which the integrand is moderate
  bool fractional_powers_ = false;
  LimbArcs arcs_;
  ArcPoints points_;
};

/// Approximate area to the left of a circle between its two crossings with the limb, as a fraction of the
/// disc. Error: rough_area_error.
double rough_area(const SkyCircle& circle, double tau);

/// Bound on the error of rough_area. Measured on 600,000 circles: 1.1e-4 at most for stars of up to 1 rad,
/// 6e-4 for larger stars.
inline constexpr double rough_area_error = 1e-3;

}  // namespace sphaera::star_light
