#pragma once
/// \file Medians and quantiles of measurements.

#include <algorithm>
#include <cstddef>
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

/// The sorted values' element number share · n, at most the last one; NaN for no values.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(values.size() - 1, rank)];
}

/// The median over rounds i of a[i] ÷ b[i].
inline double median_ratio(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios;
  std::ranges::transform(a, b, std::back_inserter(ratios), std::divides<>());
  return median(std::move(ratios));
}

}  // namespace sphaera::bench
