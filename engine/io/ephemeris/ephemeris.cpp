#include <algorithm>
#include <io/ephemeris/ephemeris_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {

Motion read_ephemeris(std::unique_ptr<ByteSource> source, const EphemerisOptions& options) {
  PeekedSource peeked(std::move(source));
  const auto* const format = std::ranges::find_if(
      ephemeris_formats, [&](const EphemerisFormat& each) { return each.is(peeked.beginning()); });
  return format->read(peeked, options);
}

double units_in_kilometer(const EphemerisOptions& options, const std::string& name) {
  constexpr double kilometers_in_au = 149597870.7;
  if (options.unit.empty() || options.unit == "m") return 1000;
  if (options.unit == "km") return 1;
  if (options.unit == "au" || options.unit == "AU") return 1 / kilometers_in_au;
  fail(name, "its lengths are in km, and the scene's unit is " + shown(options.unit) +
                 "; give the scene in m, km or au");
}

const Instant& needed_epoch(const EphemerisOptions& options, const std::string& name) {
  if (!options.epoch)
    fail(name, "its times are dates; give the scene an \"epoch\", the date of time 0, in its JSON");
  return *options.epoch;
}

}  // namespace sphaera::io
