#pragma once
/// \file Words for a star's visibility in results.

#include <io/results/table.hpp>
#include <sphaera/starlight.hpp>
#include <string>
#include <vector>

namespace sphaera::tool {

/// Words in the order of EclipsePhase.
inline std::vector<std::string> phase_names() { return {"lit", "umbra", "antumbra", "penumbra"}; }

/// Words in the order of EclipsePhase, then of StarStatus without ok. NPY stores their positions.
inline io::Column light_column() {
  std::vector<std::string> words = phase_names();
  words.insert(words.end(), {"inside_star", "intersects_star"});
  return io::Column::word("light", std::move(words));
}

inline std::uint8_t light_word(const Visibility& v) {
  constexpr int phases = 4;
  if (v.status == StarStatus::ok) return static_cast<std::uint8_t>(v.phase);
  return static_cast<std::uint8_t>(phases - 1 + static_cast<int>(v.status));
}

}  // namespace sphaera::tool
