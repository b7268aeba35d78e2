#pragma once
/// \file The light on receivers: visibility of one chosen star, irradiance of all luminous stars.

#include <algorithm>
#include <sphaera/scene.hpp>
#include <tools/scene/cut_stars.hpp>
#include <tools/scene/stars.hpp>

namespace sphaera::tool {

/// Light on a receiver.
struct Lit {
  Visibility seen;        ///< visibility of the chosen star
  double irradiance = 0;  ///< from all stars that count, by Lambert's cosine law; NaN: no value
};

class Lighting {
 public:
  /// `chosen` is the number of a star. All stars with a luminosity and a place count for the irradiance.
  Lighting(const std::vector<NamedStar>& stars, std::size_t chosen);

  /// Stars that a sphere cuts do not count.
  void leave_out(const std::vector<CutStar>& cut);

  std::vector<Lit> of(const Scene& scene, std::span<const Receiver> receivers,
                      const QueryOptions& options) const;
  bool has_irradiance() const { return std::ranges::any_of(stars_, &Counted::counts); }

 private:
  struct Counted {
    NamedStar star;
    std::size_t number;  ///< among all stars
    bool counts;         ///< for the irradiance
  };

  std::vector<Counted> stars_;  ///< the chosen star, then other luminous stars
  std::vector<Star> plain_;     ///< the same stars without names
};

}  // namespace sphaera::tool
