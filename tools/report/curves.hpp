#pragma once
/// \file Curves of a number over time, and their picture as SVG.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tools/report/histogram.hpp>
#include <unordered_map>
#include <vector>

namespace sphaera::tool {

/// At most max_curves, in the order of their first rows. Of more than 512 times a curve has the least and the
/// greatest number in each of 512 intervals of time, so that no peak is lost.
class Curves {
 public:
  static constexpr std::size_t max_curves = 8;
  static constexpr std::size_t max_counted = 100'000;  ///< beyond it further curves are not told apart

  Curves() = default;
  Curves(const HistogramScale& time, const HistogramScale& values) : time_(time), values_(values) {}

  /// A row: `key` tells its curve, which the first `name` names. Rows of a curve come by time; of equal times
  /// the first counts. `date` may be empty.
  void add(const std::string& key, std::string_view name, std::string_view date, double time, double value);

  bool empty() const { return curves_.empty(); }
  /// The picture, a legend, and how many curves are left out.
  std::string html(std::string_view title) const;

 private:
  struct Point {
    double time = 0, value = 0;
  };
  struct Range {
    Point least, greatest;
  };
  struct Curve {
    std::string name;
    double last_time = 0;
    std::map<std::size_t, Range> ranges{};  ///< by intervals of time
  };

  std::string line(const Curve& curve) const;
  std::string axes() const;

  HistogramScale time_, values_;
  std::vector<Curve> curves_;
  std::unordered_map<std::string, std::size_t> numbers_;  ///< of curves, also of those left out
  std::map<std::size_t, std::string> dates_;              ///< by intervals of time
};

}  // namespace sphaera::tool
