#pragma once
/// \file The parts of a frame that are measured one by one.

#include <array>
#include <cstddef>
#include <cstdint>

namespace sphaera::bench {

/// In the order in which a frame runs them. `respawns` is a part of `update`.
enum class System : std::uint8_t {
  update,
  respawns,
  bridge,
  shots,
  sights,
  grenades,
  nearest,
  interest,
  walls,
};
inline constexpr std::size_t system_count = 9;
/// Those that ask questions.
inline constexpr std::array asking_systems{System::shots,   System::sights,   System::grenades,
                                           System::nearest, System::interest, System::walls};

constexpr std::size_t index_of(System system) { return static_cast<std::size_t>(system); }

}  // namespace sphaera::bench
