#pragma once
/// \file Medians of measurements.

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

namespace sphaera::bench {

/// The median: the middle value, or the mean of the two middle values; NaN for no values.
inline double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The median over rounds i of a[i] ÷ b[i].
inline double median_ratio(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios;
  std::ranges::transform(a, b, std::back_inserter(ratios), std::divides<>());
  return median(std::move(ratios));
}

}  // namespace sphaera::bench
