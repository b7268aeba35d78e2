#include <base/validate.hpp>
#include <io/ephemeris/ephemeris_samples.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>

namespace sphaera::io {

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

Motion EphemerisSamples::finish(std::uint64_t line) && {
  if (samples_.empty()) refuse(line, "an ephemeris needs at least one row");
  return Motion(std::move(samples_));
}

}  // namespace sphaera::io
