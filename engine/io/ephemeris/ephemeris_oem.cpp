#include <array>
#include <io/ephemeris/ephemeris_formats.hpp>
#include <io/ephemeris/ephemeris_samples.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/line_reader.hpp>

namespace sphaera::io {
namespace {

/// CCSDS 502.0-B: blocks of metadata, each followed by lines of "date x y z vx vy vz [ax ay az]" in km and
/// km/s, and perhaps by covariances, which are skipped.
class OemReader {
 public:
  OemReader(ByteSource& source, const EphemerisOptions& options)
      : lines_(source, "CCSDS OEM"),
        options_(options),
        epoch_(needed_epoch(options, source.name())),
        scale_(units_in_kilometer(options, source.name())),
        samples_(source.name()) {}

  Motion read() {
    std::string_view line;
    while (lines_.line(line)) read_line(trimmed(line));
    if (in_meta_ || in_covariance_) fail_here("the file ends inside a block; it may have been cut");
    if (samples_.size() == 0 && !options_.target.empty()) {
      fail_here("it has no states of " + shown(options_.target) + "; its objects are" + objects_);
    }
    return std::move(samples_).finish(lines_.number());
  }

 private:
  [[noreturn]] void fail_here(const std::string& what) const { fail(lines_.name(), lines_.number(), what); }

  void read_line(std::string_view line) {
    if (line.empty() || line.starts_with("COMMENT")) return;
    if (line == "META_START") return begin_meta();
    if (line == "META_STOP") return end_meta();
    if (line == "COVARIANCE_START" || line == "COVARIANCE_STOP") {
      in_covariance_ = line.ends_with("START");
      return;
    }
    if (in_covariance_) return;
    if (line.find('=') != std::string_view::npos) return read_member(line);
    if (in_meta_) fail_here("'META_STOP' is missing before this line");
    read_state(line);
  }

  void begin_meta() {
    if (in_meta_) fail_here("'META_STOP' is missing before this 'META_START'");
    in_meta_ = true, block_begins_ = true;
    name_.clear(), id_.clear(), frame_.clear(), own_center_.clear();
    time_scale_.reset();
  }

  void end_meta() {
    if (!in_meta_) fail_here("'META_START' is missing before this 'META_STOP'");
    in_meta_ = false;
    if (!time_scale_) fail_here("the metadata lack 'TIME_SYSTEM'");
    if (objects_.size() < most_listed) objects_.append(objects_.empty() ? " " : ", ").append(shown(name_));
    wanted_ = options_.target.empty() || options_.target == name_ || options_.target == id_;
    if (!wanted_) return;
    const std::string object = id_.empty() ? name_ : id_;
    if (samples_.size() > 0 && object != object_)
      fail_here("it has several objects," + objects_ + "; give the \"target\" of this ephemeris");
    if (samples_.size() > 0 && (frame_ != first_frame_ || own_center_ != first_center_))
      fail_here("its blocks have several frames or centers; give one of each");
    object_ = object, first_frame_ = frame_, first_center_ = own_center_;
    if (!options_.center.empty() && options_.center != own_center_)
      fail_here("the center is " + shown(own_center_) + ", not " + shown(options_.center));
  }

  void read_member(std::string_view line) {
    const std::size_t equals = line.find('=');
    const std::string_view key = trimmed(line.substr(0, equals)), value = trimmed(line.substr(equals + 1));
    if (!in_meta_) return;
    if (key == "OBJECT_NAME") name_ = value;
    if (key == "OBJECT_ID") id_ = value;
    if (key == "REF_FRAME") frame_ = value;
    if (key == "CENTER_NAME") own_center_ = value;
    if (key != "TIME_SYSTEM") return;
    time_scale_ = time_scale(value);
    if (!time_scale_)
      fail_here("TIME_SYSTEM is " + shown(value) + "; supported are UTC, TAI, TT, TDB and GPS");
  }

  void read_state(std::string_view line) {
    if (!wanted_) return;
    if (!time_scale_)
      fail_here("this is no line of an OEM: metadata from META_START to META_STOP come first");
    const std::string_view date = take_word(line);
    std::array<double, 6> v;
    for (double& number : v) {
      const std::string_view word = take_word(line);
      if (word.empty()) fail_here("a state needs a date and six numbers; this line may have been cut");
      if (parse_number(word, number) != Parse::ok) fail_here(shown(word) + " is no number");
    }
    const double time = seconds_to(date);
    if (block_begins_ && samples_.size() > 0 && time <= samples_.last_time()) return;
    block_begins_ = false;
    samples_.add(
        {time, {scale_ * v[0], scale_ * v[1], scale_ * v[2]}, {scale_ * v[3], scale_ * v[4], scale_ * v[5]}},
        lines_.number());
  }

  double seconds_to(std::string_view date) {
    try {
      const Instant instant = parse_date(date, time_scale_);
      if (!leap_seconds_are_known(instant) && options_.warnings && !std::exchange(warned_of_dates_, true))
        options_.warnings->push_back(lines_.name() + ": " + leap_seconds_note());
      return seconds_between(epoch_, instant);
    } catch (const Error& error) {
      fail(lines_.name(), lines_.number(), error);
    }
  }

  static constexpr std::size_t most_listed = 200;  // characters

  LineReader lines_;
  const EphemerisOptions& options_;
  Instant epoch_;
  double scale_;
  EphemerisSamples samples_;
  bool warned_of_dates_ = false, in_meta_ = false, in_covariance_ = false, wanted_ = true;
  bool block_begins_ = false;  // where blocks overlap, the earlier one counts until its end
  std::string name_, id_, frame_, own_center_, object_, first_frame_, first_center_, objects_;
  std::optional<TimeScale> time_scale_;
};

}  // namespace

bool is_oem(std::string_view beginning) {
  const std::size_t at = beginning.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && beginning.substr(at).starts_with("CCSDS_OEM_VERS");
}

Motion read_oem_ephemeris(ByteSource& source, const EphemerisOptions& options) {
  return OemReader(source, options).read();
}

}  // namespace sphaera::io
