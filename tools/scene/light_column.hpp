#pragma once
/// \file Words for a star's visibility in results.

#include <array>
#include <cstdint>
#include <span>
#include <sphaera/starlight.hpp>
#include <string_view>

namespace sphaera::tool {

/// Words in the order of EclipsePhase, then of StarStatus without ok. NPY stores their positions.
inline constexpr std::array<std::string_view, 6> light_words{"lit",      "umbra",       "antumbra",
                                                             "penumbra", "inside_star", "intersects_star"};
/// Words in the order of EclipsePhase.
inline constexpr std::span<const std::string_view> phase_words = std::span(light_words).first(4);

inline std::uint8_t light_word(EclipsePhase phase, StarStatus status) {
  if (status == StarStatus::ok) return static_cast<std::uint8_t>(phase);
  return static_cast<std::uint8_t>(phase_words.size() - 1 + static_cast<std::size_t>(status));
}
inline std::uint8_t light_word(const Visibility& v) { return light_word(v.phase, v.status); }

}  // namespace sphaera::tool
