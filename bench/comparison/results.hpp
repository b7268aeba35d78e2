#pragma once
/// \file Results of measurements, and their comparison.

#include <bench/lower_limit/lower_limit.hpp>
#include <bench/measure/measure.hpp>
#include <bench/measure/median.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sphaera::bench {

/// Key of a measurement.
struct Key {
  SceneSpec scene;
  Query query;
  Order order;
  int threads;
  std::string engine;

  friend bool operator==(const Key&, const Key&) = default;
};

/// Result of one engine in one measurement.
struct Record {
  Key key;
  std::string way;                    ///< the fastest of an engine's ways; empty: it has one
  std::size_t rays;                   ///< in a batch
  std::vector<double> rates;          ///< million rays per second, one value per round
  double bytes_per_sphere;            ///< beyond the 32 of the input
  double peak_bytes;                  ///< while building, spheres included; NaN: not known
  std::vector<double> build_seconds;  ///< one value per round of builds
  double wrong_per_million;           ///< for the first engine: the most in a comparison with a peer
  LowerLimit limit;
  Visits visits;                    ///< node visits that the limit is computed from
  std::optional<QueryStats> stats;  ///< of a sample

  double mrays() const { return median(rates); }
  double nanoseconds() const { return 1e3 / mrays(); }  ///< time per ray, with all threads busy
};

/// Medians over rounds; in each round the two engines ran in turns.
double speed_ratio(const Record& a, const Record& b);  ///< a's rate ÷ b's
double build_ratio(const Record& a, const Record& b);  ///< a's time ÷ b's

class Results {
 public:
  void add(std::vector<Record> records);
  std::span<const Record> all() const { return records_; }

  /// The record with this key; null: there is none.
  const Record* find(const Key& key) const;

 private:
  std::vector<Record> records_;
};

}  // namespace sphaera::bench
