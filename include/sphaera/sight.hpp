#pragma once
/// \file Lines of sight between two sets of points: the input and the answer of `Scene::visibility`.

#include <sphaera/config/requirements.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sphaera/vec3.hpp>
#include <vector>

namespace sphaera::inline SPHAERA_ABI {

/// Points that are looked at.
struct SightTargets {
  std::span<const Vec3> points;
  /// For each target the id of a sphere that no line to it meets, −1 for none: the body that it is on. Empty:
  /// none ignores any.
  std::span<const std::int64_t> ignore{};
  /// The same for the spheres of an owner, as in QueryOptions::ignore_owners.
  std::span<const std::int64_t> ignore_owners{};
};

/// Which of `columns` targets each of `rows` points sees, a bit for each pair.
struct SightTable {
  std::size_t rows = 0, columns = 0;
  /// Bit j % 8 of bits[i · row_bytes() + j/8] is 1 if point i sees target j. NumPy's unpackbits with
  /// bitorder="little" reads a row.
  std::vector<std::uint8_t> bits;

  static constexpr std::size_t row_bytes(std::size_t columns) { return columns / 8 + (columns % 8 != 0); }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes(columns); }
  /// Does point i see target j? Precondition: i < rows, j < columns; not checked.
  [[nodiscard]] bool sees(std::size_t i, std::size_t j) const {
    return bits[i * row_bytes() + j / 8] >> (j % 8) & 1;
  }
  /// Lets point i not see target j, such as itself. Precondition as above.
  void hide(std::size_t i, std::size_t j) {
    bits[i * row_bytes() + j / 8] &= static_cast<std::uint8_t>(~(1 << j % 8));
  }
  /// The number of targets that point i sees. Precondition: i < rows; not checked.
  [[nodiscard]] std::size_t seen_from(std::size_t i) const {
    std::size_t count = 0;
    for (const std::uint8_t byte : std::span(bits).subspan(i * row_bytes(), row_bytes()))
      count += static_cast<std::size_t>(std::popcount(byte));
    return count;
  }
  /// For each target the number of points that see it.
  [[nodiscard]] std::vector<std::size_t> seen_of_each() const {
    std::vector<std::size_t> counts(columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) counts[j] += sees(i, j);
    return counts;
  }
};

}  // namespace sphaera::inline SPHAERA_ABI
