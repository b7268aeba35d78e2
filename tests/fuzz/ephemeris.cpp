/// libFuzzer target for a reader of ephemerides.

#include <base/validate.hpp>
#include <io/ephemeris/ephemeris.hpp>
#include <sphaera/error.hpp>
#include <tests/fuzz/file_name.hpp>

using namespace sphaera;

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void check(const Motion& motion) {
  require(!motion.samples().empty());
  double last = -HUGE_VAL;
  for (const MotionSample& sample : motion.samples()) {
    require(base::in_domain(sample.position) && base::in_domain(sample.velocity) &&
            base::in_domain(sample.time));
    require(sample.time > last);
    last = sample.time;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const io::Instant epoch = io::parse_date("2015-03-03T00:00:00Z");
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    check(io::read_ephemeris(io::memory_source(fuzz::file_name(), text), {.epoch = epoch}));
  } catch (const Error& error) {
    require(error.code() == ErrorCode::bad_file);
    require(error.subject().starts_with(fuzz::file_name()));
  }
  return 0;
}
