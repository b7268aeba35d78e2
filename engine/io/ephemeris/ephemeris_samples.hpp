#pragma once
/// \file The samples of an ephemeris as a reader finds them.

#include <cstdint>
#include <sphaera/motion.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

/// Collects samples, each checked.
class EphemerisSamples {
 public:
  /// `name` is that of the file and outlives this object.
  explicit EphemerisSamples(const std::string& name) : name_(name) {}

  /// Throws Error bad_file about the line (0: the file) for a sample that is not within the domain, or not
  /// later than the one before; out_of_memory if the samples exceed the machine's memory.
  void add(const MotionSample& sample, std::uint64_t line);
  std::size_t size() const { return samples_.size(); }
  double last_time() const { return samples_.back().time; }
  /// Gives each sample the velocity of the parabola through it and its neighbors, one sample none. Throws
  /// bad_file about the line for a velocity that is not within the domain.
  void differentiate(std::uint64_t line);
  /// Throws bad_file if there is none.
  Motion finish(std::uint64_t line) &&;

 private:
  [[noreturn]] void refuse(std::uint64_t line, const char* what) const;

  const std::string& name_;
  std::vector<MotionSample> samples_;
};

}  // namespace sphaera::io
