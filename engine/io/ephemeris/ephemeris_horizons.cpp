#include <algorithm>
#include <array>
#include <io/ephemeris/ephemeris_formats.hpp>
#include <io/ephemeris/ephemeris_samples.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/line_reader.hpp>

namespace sphaera::io {
namespace {

constexpr double kilometers_in_au = 149597870.7, seconds_in_day = 86400;

/// A text answer of type VECTORS: from $$SOE to $$EOE a Julian date and lines with X, Y, Z, VX, VY, VZ behind
/// their names, or as CSV.
class HorizonsReader {
 public:
  HorizonsReader(ByteSource& source, const EphemerisOptions& options)
      : lines_(source, "Horizons"),
        epoch_(needed_epoch(options, source.name())),
        unit_(units_in_kilometer(options, source.name())),
        samples_(source.name()) {}

  Motion read() {
    std::string_view line;
    bool begun = false;
    while (!begun && lines_.line(line)) {
      begun = trimmed(line) == "$$SOE";
      read_header(trimmed(line));
    }
    if (!begun) fail_here("the line '$$SOE' is missing, where the table begins");
    if (length_ == 0) fail_here("the line 'Output units' is missing before $$SOE");
    while (next(line)) {
      // Other lines hold light time, range and range rate.
      const bool begins =
          line.find("A.D.") != std::string_view::npos || line.find("B.C.") != std::string_view::npos;
      if (begins) line.find(',') == std::string_view::npos ? read_lines(line) : read_csv(line);
    }
    return std::move(samples_).finish(lines_.number());
  }

 private:
  [[noreturn]] void fail_here(const std::string& what) const { fail(lines_.name(), lines_.number(), what); }

  /// The next line of the table; false at $$EOE.
  bool next(std::string_view& line) {
    if (!lines_.line(line)) fail_here("the file ends before $$EOE; it may have been cut");
    line = trimmed(line);
    return line != "$$EOE";
  }

  void read_header(std::string_view line) {
    if (line.starts_with("JDUT")) scale_ = TimeScale::utc;
    if (!line.starts_with("Output units")) return;
    const std::string_view units = trimmed(line.substr(std::min(line.find(':') + 1, line.size())));
    if (units.starts_with("KM-S")) {
      length_ = 1, time_ = 1;
    } else if (units.starts_with("KM-D")) {
      length_ = 1, time_ = seconds_in_day;
    } else if (units.starts_with("AU-D")) {
      length_ = kilometers_in_au, time_ = seconds_in_day;
    } else {
      fail_here("the output units are " + shown(units) + "; supported are KM-S, KM-D and AU-D");
    }
  }

  double time_of(std::string_view julian) const {
    try {
      return seconds_between(epoch_, parse_date("JD" + std::string(julian), scale_));
    } catch (const Error& error) {
      fail(lines_.name(), lines_.number(), error);
    }
  }

  double number(std::string_view word) const {
    double value = 0;
    if (parse_number(trimmed(word), value) != Parse::ok) fail_here(shown(word) + " is no number");
    return value;
  }

  void add(double time, const std::array<double, 6>& v) {
    const double length = unit_ * length_, speed = length / time_;
    samples_.add(
        {time, {length * v[0], length * v[1], length * v[2]}, {speed * v[3], speed * v[4], speed * v[5]}},
        lines_.number());
  }

  /// "2460408.5, A.D. 2024-Apr-08 00:00:00.0000, X, Y, Z, VX, VY, VZ, …".
  void read_csv(std::string_view line) {
    std::array<std::string_view, 8> fields;
    for (std::string_view& field : fields) {
      if (line.empty()) fail_here("a row needs X, Y, Z, VX, VY and VZ; ask Horizons for both");
      const std::size_t comma = std::min(line.find(','), line.size());
      field = line.substr(0, comma);
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
    std::array<double, 6> v;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = number(fields[i + 2]);
    add(time_of(trimmed(fields[0])), v);
  }

  /// "2460408.5 = A.D. 2024-Apr-08 00:00:00.0000 TDB", then lines such as "X = 1.5E+08 Y =-2.5E+07 Z
  /// = 9.9E+03".
  void read_lines(std::string_view line) {
    const double time = time_of(trimmed(line.substr(0, line.find('='))));
    constexpr std::array<std::string_view, 6> names{"X", "Y", "Z", "VX", "VY", "VZ"};
    std::array<double, 6> v;
    std::size_t known = 0;
    while (known < v.size()) {
      if (!next(line)) fail_here("a state lacks X, Y, Z, VX, VY or VZ; ask Horizons for both");
      while (known < v.size() && !(line = trimmed(line)).empty()) {
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos) {
          if (trimmed(line.substr(0, equals)) != names[known])
            fail_here("here should be " + std::string(names[known]) +
                      "; ask Horizons for position and velocity");
          line = trimmed(line.substr(equals + 1));
        }
        v[known++] = number(take_word(line));
      }
    }
    add(time, v);
  }

  LineReader lines_;
  Instant epoch_;
  double unit_;
  EphemerisSamples samples_;
  double length_ = 0, time_ = 1;  // kilometers and seconds in the units of the table; length 0: not yet known
  TimeScale scale_ = TimeScale::tdb;
};

}  // namespace

bool is_horizons(std::string_view beginning) {
  const std::string_view text =
      beginning.substr(std::min(beginning.find_first_not_of(" \r\n"), beginning.size()));
  return text.starts_with("*****") || text.starts_with("API VERSION") || text.starts_with("$$SOE");
}

Motion read_horizons_ephemeris(ByteSource& source, const EphemerisOptions& options) {
  return HorizonsReader(source, options).read();
}

}  // namespace sphaera::io
