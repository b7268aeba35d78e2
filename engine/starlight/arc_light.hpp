#pragma once
/// \file What arcs of bodies' edges contribute to the area and to the light that is seen within a boundary
/// (Green's theorem: ∮ G dψ, G what lies within ρ at azimuth ψ about the star's centre).

#include <starlight/limb_density.hpp>
#include <starlight/limb_profile.hpp>
#include <starlight/sky_circle.hpp>

namespace sphaera::geometry {

/// Arcs of circles that cross the limb, on the way to their points: by the angle θ of arc_light.cpp.
struct LimbArcs {
  static constexpr int most = 16;
  using Column = std::array<double, most>;

  int count = 0;
  std::array<const SkyCircle*, most> circle;
  Column from{}, to{};                                      ///< t of the ends
  Column curvature{}, reach{}, first{}, last{};             ///< κ, y0, sin θ of the ends
  Column middle_cosine{}, middle_sine{}, width{}, strip{};  ///< of the middle θ; T and tanh²(σ/4) or less
};

/// Sums over arcs, many points at a time. The arcs lie within the disc and do not cross φ = ±π, where they
/// are nearest to the limb.
class ArcSums {
 public:
  /// Of the area alone, or of the area and the profile's darkened light.
  void start_area(double tau);
  void start_light(const LimbProfile& profile, double tau);

  /// The circle's arc from one t to a greater one.
  void add(const SkyCircle& circle, double from, double to);
  void finish();  ///< of arcs whose circles still stand where they stood

  double area() const { return area_; }    ///< as a fraction of the disc, of what lies to the arcs' left
  double light() const { return light_; }  ///< ∮ over the arcs of the darkened part of the light, over k²

 private:
  void put_limb_arcs();
  void add_parts(const SkyCircle& circle, double from, double to);
  void add_stretch(const SkyCircle& circle, double from, double to);
  void make_room();
  void flush();

  const LimbProfile* profile_ = nullptr;
  double tau_ = 0, area_ = 0, light_ = 0;
  double strip_share_ = 1;  ///< of a strip where what is analytic stays moderate, too
  bool half_powers_ = false;
  LimbArcs arcs_;
  ArcPoints points_;
};

/// The area to the left of a circle that crosses the limb, from there to there, in few operations.
double rough_area(const SkyCircle& circle, double tau);

/// It is off by 1.1e-4 at most for stars of up to 1 rad, by 6e-4 for larger ones: measured on 600,000
/// circles.
inline constexpr double rough_area_error = 1e-3;

}  // namespace sphaera::geometry
