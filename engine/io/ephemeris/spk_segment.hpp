#pragma once
/// \file One segment of an SPK kernel: positions as polynomials (types 2, 3) or states (type 13).

#include <cstdint>
#include <io/formats/daf.hpp>
#include <sphaera/motion.hpp>
#include <vector>

namespace sphaera::io {

/// Motion is cubic between samples. For polynomials, samples are so close that each axis is off by at most
/// this: between samples h apart by h^4 max|f''''|/384, where the bound of f'''' is the sum of its Chebyshev
/// coefficients' magnitudes.
inline constexpr double spk_error = 0.001;  // km

class SpkSegment {
 public:
  /// Checks the segment's shape. `daf` outlives this object. Throws Error bad_file.
  SpkSegment(const Daf& daf, const DafSegment& segment);

  double from() const { return segment_.from; }
  double to() const { return segment_.to; }

  /// State in km and km/s at a time, that of the nearest end outside. A polynomial's velocity is the
  /// derivative of its positions.
  MotionSample at(double time) const;
  /// Appends times from `from` to `to`, both included, between which a cubic of the states is near enough.
  /// Throws Error bad_file for a polynomial that needs more than 4096 in a record.
  void append_times(double from, double to, std::vector<double>& times) const;

 private:
  bool is_polynomial() const { return segment_.type != states_type; }
  void check_polynomials();
  void check_states();
  std::uint64_t record_of(double time) const;
  void append_record_times(std::uint64_t record, double from, double to, std::vector<double>& times) const;
  double fourth_derivative(std::uint64_t record, int axis) const;
  MotionSample state(std::uint64_t i) const;
  double epoch(std::uint64_t i) const { return daf_->word(segment_.begin + 6 * count_ + i); }
  double word(std::uint64_t record, std::uint64_t i) const {
    return daf_->word(segment_.begin + record * record_words_ + i);
  }
  double coefficient(std::uint64_t record, int axis, std::uint64_t k) const {
    return word(record, 2 + static_cast<std::uint64_t>(axis) * coefficients_ + k);
  }
  [[noreturn]] void refuse(const std::string& what) const;

  static constexpr std::int32_t states_type = 13;

  const Daf* daf_;
  DafSegment segment_;
  std::uint64_t count_ = 0;         // of records or states
  std::uint64_t record_words_ = 0;  // of polynomials
  std::uint64_t coefficients_ = 0;  // of an axis
  double first_ = 0, length_ = 0;   // begin of the first record, length of each
};

}  // namespace sphaera::io
