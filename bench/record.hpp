#pragma once
/// \file What was measured, and how two measurements compare.

#include <bench/limit.hpp>
#include <bench/measure.hpp>
#include <bench/median.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sphaera::bench {

/// What names a measurement.
struct Key {
  SceneSpec scene;
  Query query;
  Order order;
  int threads;
  std::string engine;

  friend bool operator==(const Key&, const Key&) = default;
};

/// One engine's part in one comparison.
struct Record {
  Key key;
  std::size_t rays;                   ///< in a batch
  std::vector<double> rates;          ///< million rays a second, one a round
  double bytes_per_sphere;            ///< beyond the 32 of the input
  double peak_bytes;                  ///< while building, spheres included; NaN: not known
  std::vector<double> build_seconds;  ///< one a round of builds
  double wrong_per_million;           ///< answers; of Sphaera, found wrong with a peer's help
  Limit limit;
  Touches touches;                  ///< that the limit is made of
  std::optional<QueryStats> stats;  ///< of a sample

  double mrays() const { return median(rates); }
  double nanoseconds() const { return 1e3 / mrays(); }  ///< a ray, with all threads at work
};

/// Medians over rounds, in which the two took turns.
double speed_ratio(const Record& a, const Record& b);  ///< a's rate ÷ b's
double build_ratio(const Record& a, const Record& b);  ///< a's time ÷ b's

class Results {
 public:
  void add(std::vector<Record> records);
  std::span<const Record> all() const { return records_; }

  /// The record that agrees with `key` in all that names a measurement; null: there is none.
  const Record* find(const Key& key) const;

 private:
  std::vector<Record> records_;
};

}  // namespace sphaera::bench
