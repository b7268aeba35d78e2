#pragma once
/// \file Numbers and vectors where the caller has them: floats or doubles, any distance apart.

#include <sphaera/config/requirements.hpp>

#include <cstddef>
#include <cstring>
#include <ranges>
#include <sphaera/vec3.hpp>
#include <type_traits>

namespace sphaera::inline SPHAERA_ABI {

/// Rows of an array of structures, or of an array: row i begins i·stride bytes behind `first`. A stride of 0
/// is one row for all. `Number` is float or double, const or not. Precondition: all rows lie in readable
/// memory; not checked.
template <class Number>
struct Strided {
  Number* first = nullptr;
  std::size_t size = 0;       ///< rows
  std::ptrdiff_t stride = 0;  ///< in bytes, may be negative; 0, also if left out, repeats row 0
};

template <class Number>  // not deduced by clang 16 and older
Strided(Number*, std::size_t, std::ptrdiff_t) -> Strided<Number>;

/// True for float and double.
template <class Number>
inline constexpr bool is_real =
    std::is_same_v<std::remove_const_t<Number>, float> || std::is_same_v<std::remove_const_t<Number>, double>;

/// Reads one number of each row, a float or a double, exactly as a double. A view: the memory must outlive
/// it.
class NumberRows {
 public:
  NumberRows() = default;
  template <class Number>
    requires is_real<Number>
  NumberRows(const Strided<Number>& rows)
      : NumberRows(rows.first, rows.size, rows.stride, sizeof(Number) == sizeof(float)) {}
  /// An array, vector or span of floats or doubles.
  template <std::ranges::contiguous_range Range>
    requires is_real<std::ranges::range_value_t<Range>>
  NumberRows(const Range& items)
      : NumberRows(
            Strided{std::ranges::data(items), std::ranges::size(items), sizeof(*std::ranges::data(items))}) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The number of a row. Precondition: row < size(); not checked.
  double operator[](std::size_t row) const { return at(row, 0); }

 protected:
  NumberRows(const void* first, std::size_t size, std::ptrdiff_t stride, bool floats)
      : first_(static_cast<const std::byte*>(first)), size_(size), stride_(stride), floats_(floats) {}

  /// Number `i` of a row. The memory need not be aligned.
  double at(std::size_t row, std::size_t i) const {
    const std::byte* const begin = first_ + static_cast<std::ptrdiff_t>(row) * stride_;
    if (!floats_) return read<double>(begin, i);
    return static_cast<double>(read<float>(begin, i));
  }

 private:
  template <class Number>
  static Number read(const std::byte* begin, std::size_t i) {
    Number number;
    std::memcpy(&number, begin + i * sizeof number, sizeof number);
    return number;
  }

  const std::byte* first_ = nullptr;
  std::size_t size_ = 0;
  std::ptrdiff_t stride_ = 0;
  bool floats_ = false;
};

/// Reads x, y and z, which lie side by side in each row. A view: the memory must outlive it.
class VectorRows : private NumberRows {
 public:
  VectorRows() = default;  ///< no rows
  /// `first` is the x of the first row: `Strided{&agents[0].position[0], agents.size(), sizeof agents[0]}`;
  /// for vectors without gaps between them, the stride is 3·sizeof(Number).
  template <class Number>
    requires is_real<Number>
  VectorRows(const Strided<Number>& rows) : NumberRows(rows) {}
  /// An array, vector or span of Vec3.
  template <std::ranges::contiguous_range Range>
    requires std::is_same_v<std::ranges::range_value_t<Range>, Vec3>
  VectorRows(const Range& items)
      : NumberRows(std::ranges::data(items), std::ranges::size(items), sizeof(Vec3), false),
        vectors_(std::ranges::data(items)) {}

  using NumberRows::empty;
  using NumberRows::size;
  /// The vector of a row. Precondition: row < size(); not checked.
  Vec3 operator[](std::size_t row) const { return {at(row, 0), at(row, 1), at(row, 2)}; }
  /// The rows, if they were given as an array of Vec3; else null.
  const Vec3* vectors() const { return vectors_; }

 private:
  const Vec3* vectors_ = nullptr;
};

/// Spheres whose parts lie in rows of their own. radii.size() = centers.size(), else Error invalid_argument
/// (no element).
struct SphereRows {
  VectorRows centers;
  NumberRows radii;  ///< a stride of 0: one for all, size = centers.size()
  /// If not empty: replaces BuildOptions::velocities or InsertOptions::velocities.
  VectorRows velocities{};
};

}  // namespace sphaera::inline SPHAERA_ABI
