#pragma once
/// \file The light on receivers: visibility of chosen stars, irradiance of all luminous stars.

#include <algorithm>
#include <sphaera/scene.hpp>
#include <tools/scene/cut_stars.hpp>
#include <tools/scene/stars.hpp>

namespace sphaera::tool {

/// Light on a receiver.
struct Lit {
  std::vector<Visibility> seen{};  ///< of each chosen star
  double irradiance = 0;           ///< from all stars that count, by Lambert's cosine law; NaN: no value
};

class Lighting {
 public:
  /// `chosen` are numbers of stars, each once. All stars with a luminosity and a place count for the
  /// irradiance.
  Lighting(const std::vector<NamedStar>& stars, std::span<const std::size_t> chosen);

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

  std::size_t chosen_;          ///< their number
  std::vector<Counted> stars_;  ///< the chosen stars, then other luminous ones
  std::vector<Star> plain_;     ///< the same stars without names
};

}  // namespace sphaera::tool
