#pragma once
/// \file The light on receivers: visibility of one chosen star, irradiance of all luminous stars.

#include <optional>
#include <sphaera/scene.hpp>
#include <tools/scene/stars.hpp>

namespace sphaera::tool {

/// What a receiver gets.
struct Lit {
  Visibility seen;        ///< of the chosen star
  double irradiance = 0;  ///< of all stars with a luminosity, by Lambert's cosine; NaN: no number
};

class Lighting {
 public:
  /// `chosen` is the number of a star.
  Lighting(const std::vector<NamedStar>& stars, std::size_t chosen);

  std::vector<Lit> of(const Scene& scene, std::span<const Receiver> receivers,
                      const QueryOptions& options) const;
  bool has_irradiance() const { return shining_; }

 private:
  std::vector<NamedStar> stars_;  ///< the chosen star, then other luminous stars
  std::vector<Star> plain_;       ///< the same without names
  bool shining_ = false;          ///< one of them at least
};

}  // namespace sphaera::tool
