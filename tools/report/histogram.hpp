#pragma once
/// \file Histograms of numbers, and their picture as SVG.

#include <cstdint>
#include <string>
#include <vector>

namespace sphaera::tool {

/// Finite numbers from `least` to `greatest`, evenly or by their logarithm: by binary exponents, and evenly
/// between two powers of 2. So it is the same on all machines, which the logarithms of C libraries are not.
struct HistogramScale {
  double least = 0, greatest = 0;
  bool logarithmic = false;

  /// Logarithmic if all are positive and the greatest is 1000 times the least, or more.
  static HistogramScale of(double least, double greatest);
  double share(double value) const;  ///< 0 … 1, for a value of the range; 0 if it is a single number
  double value(double share) const;  ///< the inverse, rounded
};

class Histogram {
 public:
  /// Few whole numbers have a bin each, other ranges 32 bins.
  enum class Numbers : bool { real, whole };

  explicit Histogram(const HistogramScale& scale = {}, Numbers numbers = Numbers::real);

  void add(double value) { ++counts_[bin(value)]; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  /// The picture with its axis; `title` is read aloud. Each bar tells its range and its number.
  std::string svg(std::string_view title) const;

 private:
  std::size_t bin(double value) const;
  std::string range_text(std::size_t bin) const;

  HistogramScale scale_;
  bool one_by_one_ = false;  // a bin for each whole number
  std::vector<std::uint64_t> counts_;
};

/// A number of a report, with six digits.
std::string short_number(double value);

}  // namespace sphaera::tool
