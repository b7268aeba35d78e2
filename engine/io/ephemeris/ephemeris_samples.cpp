#include <algorithm>
#include <base/validate.hpp>
#include <io/ephemeris/ephemeris_samples.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>

namespace sphaera::io {
namespace {

Vec3 mean_velocity(const MotionSample& a, const MotionSample& b) {
  return (1 / (b.time - a.time)) * (b.position - a.position);
}

/// Derivative at time `at` of the parabola through three samples.
Vec3 slope(const MotionSample& a, const MotionSample& b, const MotionSample& c, double at) {
  const Vec3 first = mean_velocity(a, b), change = mean_velocity(b, c) - first;
  return first + ((at - a.time) + (at - b.time)) / (c.time - a.time) * change;
}

}  // namespace

void EphemerisSamples::refuse(std::uint64_t line, const char* what) const { fail(name_, line, what); }

void EphemerisSamples::add(const MotionSample& sample, std::uint64_t line) {
  if (!base::in_domain(sample.position) || !base::in_domain(sample.time))
    refuse(line, "t,x,y,z are not all finite, or too large; give numbers of at most 2^200 in magnitude");
  if (!base::in_domain(sample.velocity))
    refuse(line, "the velocity is not finite or too large; give numbers of at most 2^200 in magnitude");
  if (!samples_.empty() && !(sample.time > samples_.back().time))
    refuse(line, "t does not grow from row to row; sort the rows and drop repeated times");
  check_growth(samples_, 0, name_);
  samples_.push_back(sample);
}

void EphemerisSamples::differentiate(std::uint64_t line) {
  const std::size_t n = samples_.size();
  if (n == 2) samples_[0].velocity = samples_[1].velocity = mean_velocity(samples_[0], samples_[1]);
  for (std::size_t i = 0; n > 2 && i < n; ++i) {
    const std::size_t middle = std::clamp<std::size_t>(i, 1, n - 2);
    samples_[i].velocity =
        slope(samples_[middle - 1], samples_[middle], samples_[middle + 1], samples_[i].time);
  }
  for (const MotionSample& sample : samples_)
    if (!base::in_domain(sample.velocity))
      refuse(line, "a velocity by difference is beyond 2^200; give vx,vy,vz");
}

Motion EphemerisSamples::finish(std::uint64_t line) && {
  if (samples_.empty()) refuse(line, "an ephemeris needs at least one row");
  return Motion(std::move(samples_));
}

}  // namespace sphaera::io
