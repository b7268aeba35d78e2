#pragma once
/// \file Progress of long work: one line on the terminal that redraws itself.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// Appears after a second and disappears when destroyed. All members may be called from any thread.
class Progress {
 public:
  Progress(const Console& console, std::string_view what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void set_fraction(double done);  ///< 0 … 1
  /// Items done since the last call, for the rate, and the fraction done with them; empty if unknown.
  void add(std::uint64_t items, std::optional<double> done);
  void clear();  ///< before other output; the line returns with the next call

 private:
  using Clock = std::chrono::steady_clock;
  void show();

  const bool shown_;
  const std::string what_;
  const Clock::time_point start_ = Clock::now();
  static constexpr double unknown = -1;
  std::atomic<double> share_{unknown};
  std::atomic<std::uint64_t> items_{0};
  std::mutex drawing_;
  Clock::time_point next_;
  bool drawn_ = false;
};

/// "12 s", "3 min 20 s", "5 h 7 min".
std::string time_text(double seconds);
/// "950", "12.3 thousand", "1.25 million", "3.1 billion".
std::string count_text(double count);

}  // namespace sphaera::tool
