#pragma once
/// \file The light on receivers: visibility of one chosen star, irradiance of all luminous stars.

#include <optional>
#include <sphaera/scene.hpp>
#include <tools/scene/stars.hpp>

namespace sphaera::tool {

/// Light on a receiver.
struct Lit {
  Visibility seen;        ///< visibility of the chosen star
  double irradiance = 0;  ///< from all stars with a luminosity, by Lambert's cosine law; NaN: no value
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
  std::vector<Star> plain_;       ///< the same stars without names
  bool shining_ = false;          ///< at least one star at finite distance has a luminosity
};

}  // namespace sphaera::tool
