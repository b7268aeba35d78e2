#pragma once
/// \file The median of a list of numbers.

#include <algorithm>
#include <vector>

namespace sphaera::tool {

/// Orders the numbers in part. Precondition: not empty, no NaN.
inline double median_of(std::vector<double>& numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  const double below = numbers.size() % 2 == 1 ? *middle : *std::max_element(numbers.begin(), middle);
  return below + (*middle - below) / 2;
}

}  // namespace sphaera::tool
