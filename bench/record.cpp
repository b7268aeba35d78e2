#include <algorithm>
#include <bench/record.hpp>
#include <iterator>
#include <limits>

namespace sphaera::bench {
namespace {

double median_ratio(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios;
  std::ranges::transform(a, b, std::back_inserter(ratios), std::divides<>());
  return median(std::move(ratios));
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double speed_ratio(const Record& a, const Record& b) { return median_ratio(a.rates, b.rates); }
double build_ratio(const Record& a, const Record& b) {
  return median_ratio(a.build_seconds, b.build_seconds);
}

void Results::add(std::vector<Record> records) { std::ranges::move(records, std::back_inserter(records_)); }

const Record* Results::find(const Key& key) const {
  const auto found = std::ranges::find(records_, key, &Record::key);
  return found == records_.end() ? nullptr : &*found;
}

}  // namespace sphaera::bench
