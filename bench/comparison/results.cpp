#include <algorithm>
#include <bench/comparison/results.hpp>
#include <iterator>

namespace sphaera::bench {

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
