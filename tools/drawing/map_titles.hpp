#pragma once
/// \file Words on the pictures of `map`.

#include <string>
#include <tools/receivers/map_answers.hpp>
#include <tools/scene/stars.hpp>
#include <vector>

namespace sphaera::tool {

/// What the words are about.
struct MapWords {
  const std::vector<NamedStar>& stars;
  std::vector<std::size_t> chosen{};  ///< the stars shown
  std::string where{};                ///< "on Earth"
  std::string view{};                 ///< of a disc: "seen from Moon"
  std::string unit{};                 ///< of length; may be empty
  std::uint64_t targets = 0;          ///< of Quantity::seen

  /// "Share of the light of Sun that arrives on Earth".
  std::string title(const Shown& shown) const;
  /// What the colors stand for: "irradiance, W/m²".
  std::string bar_label(const Shown& shown) const;
  /// The stars of maps and their sizes; empty if none shows one.
  std::string stars_shown(std::span<const Quantity> shown) const;
};

}  // namespace sphaera::tool
