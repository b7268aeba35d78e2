#include <algorithm>
#include <base/errors.hpp>
#include <cmath>
#include <io/ephemeris/ephemeris_formats.hpp>
#include <io/ephemeris/ephemeris_samples.hpp>
#include <io/ephemeris/spk_segment.hpp>
#include <io/formats/daf.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>
#include <map>

namespace sphaera::io {
namespace {

/// The segments of one body relative to one center, by time. Where they overlap, one counts until its end.
class Link {
 public:
  void add(const Daf& daf, const DafSegment& segment) { segments_.emplace_back(daf, segment); }

  /// Throws bad_file unless the segments leave no gap.
  void sort(const std::string& name, std::int32_t target) {
    std::ranges::stable_sort(segments_, {}, &SpkSegment::from);
    double end = segments_.front().from();
    for (SpkSegment& segment : segments_) {
      if (segment.from() > end) {
        fail(name, "body " + std::to_string(target) + " has no positions for some time after " +
                       base::text_of(end) +
                       " s since 2000-01-01T12:00 TDB; give \"from\" and \"to\" before or after it");
      }
      end = std::max(end, segment.to());
      ends_.push_back(end);
    }
  }

  bool has_segments() const { return !segments_.empty(); }
  double from() const { return segments_.front().from(); }
  double to() const { return ends_.back(); }

  MotionSample at(double time) const {
    const auto found = std::ranges::lower_bound(ends_, time);
    const std::size_t i =
        std::min<std::size_t>(static_cast<std::size_t>(found - ends_.begin()), ends_.size() - 1);
    return segments_[i].at(time);
  }
  void append_times(double from, double to, std::vector<double>& times) const {
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const double begin = std::max(from, i == 0 ? segments_[i].from() : ends_[i - 1]),
                   end = std::min(to, ends_[i]);
      if (begin <= end) segments_[i].append_times(begin, end, times);
    }
  }

 private:
  std::vector<SpkSegment> segments_;
  std::vector<double> ends_;  // the latest time of segments up to each
};

class SpkReader {
 public:
  SpkReader(ByteSource& source, const EphemerisOptions& options)
      : options_(options),
        daf_(source),
        epoch_(needed_epoch(options, daf_.name())),
        scale_(units_in_kilometer(options, daf_.name())) {}

  Motion read() {
    const std::int32_t target =
        options_.target.empty() ? only_target() : number_of(options_.target, "target");
    add_link(target, +1);
    if (!options_.center.empty()) {
      const std::int32_t center = number_of(options_.center, "center");
      join(target, center);
    }
    limit();
    return sampled();
  }

 private:
  /// A step along the chain of centers: added, or subtracted.
  struct Step {
    double sign;
    Link link;
  };

  [[noreturn]] void refuse(const std::string& what) const { fail(daf_.name(), what); }

  std::int32_t number_of(const std::string& text, const char* key) const {
    std::int64_t value = 0;
    if (parse_integer(text, value) != Parse::ok || std::abs(value) > INT32_MAX)
      refuse("\"" + std::string(key) + "\" is " + shown(text) +
             "; give the number that NAIF has for the body");
    return static_cast<std::int32_t>(value);
  }

  std::int32_t only_target() const {
    const std::int32_t first = daf_.segments().front().target;
    for (const DafSegment& segment : daf_.segments())
      if (segment.target != first) refuse("it has several bodies, " + bodies() + "; give the \"target\"");
    return first;
  }

  /// "10, 301, 399"
  std::string bodies() const {
    constexpr std::size_t most = 20;
    std::vector<std::int32_t> all;
    for (const DafSegment& segment : daf_.segments()) {
      if (std::ranges::find(all, segment.target) == all.end()) all.push_back(segment.target);
      if (all.size() == most) break;
    }
    std::ranges::sort(all);
    std::string text;
    for (const std::int32_t body : all) text += (text.empty() ? "" : ", ") + std::to_string(body);
    return text + (all.size() == most ? ", …" : "");
  }

  /// The center of the body's last segment.
  std::optional<std::int32_t> center_of(std::int32_t body) const {
    if (centers_.empty())
      for (const DafSegment& segment : daf_.segments()) centers_[segment.target] = segment.center;
    const auto found = centers_.find(body);
    return found == centers_.end() ? std::nullopt : std::optional(found->second);
  }

  void add_link(std::int32_t body, double sign) {
    const auto center = center_of(body);
    if (!center) refuse("it has no body " + std::to_string(body) + ", but " + bodies());
    Link link;
    for (const DafSegment& segment : daf_.segments())
      if (segment.target == body && segment.center == *center && wanted(segment)) link.add(daf_, segment);
    if (!link.has_segments())
      refuse("body " + std::to_string(body) + " has no positions from \"from\" to \"to\"");
    link.sort(daf_.name(), body);
    steps_.push_back({sign, std::move(link)});
  }

  bool wanted(const DafSegment& segment) const {
    const auto [from, to] = wanted_times();
    return segment.from <= to && segment.to >= from;
  }

  std::pair<double, double> wanted_times() const {
    return {options_.from ? seconds_between({}, *options_.from) : -HUGE_VAL,
            options_.to ? seconds_between({}, *options_.to) : HUGE_VAL};
  }

  /// Adds what leads from the target's center to `center`, over their nearest common center.
  void join(std::int32_t target, std::int32_t center) {
    const std::vector<std::int32_t> up = chain_of(target), other = chain_of(center);
    const auto common = std::ranges::find_first_of(up, other);
    if (common == up.end())
      refuse("bodies " + std::to_string(target) + " and " + std::to_string(center) +
             " have no common center in it");
    if (common == up.begin()) {
      if (target == center) refuse("\"target\" and \"center\" are one body");
      steps_.clear();
    }
    for (auto body = up.begin(); body != common; ++body)
      if (body != up.begin()) add_link(*body, +1);
    for (auto body = other.begin(); *body != *common; ++body) add_link(*body, -1);
  }

  /// The body, its center, the center of that, …
  std::vector<std::int32_t> chain_of(std::int32_t body) const {
    constexpr std::size_t longest = 100;
    std::vector<std::int32_t> chain{body};
    while (const auto center = center_of(chain.back())) {
      if (chain.size() == longest) refuse("its centers run in a circle");
      chain.push_back(*center);
    }
    return chain;
  }

  /// The times that all steps cover and that are wanted.
  void limit() {
    std::tie(from_, to_) = wanted_times();
    for (const Step& step : steps_)
      from_ = std::max(from_, step.link.from()), to_ = std::min(to_, step.link.to());
    if (!(from_ < to_)) refuse("its bodies have no time in common from \"from\" to \"to\"");
  }

  Motion sampled() {
    std::vector<double> times;
    for (const Step& step : steps_) {
      step.link.append_times(from_, to_, times);
      check_memory(3 * times.size() * sizeof(double), daf_.name());
    }
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    EphemerisSamples samples(daf_.name());
    for (const double time : times) {
      MotionSample sum{seconds_between(epoch_, Instant::since_2000(time, TimeScale::tdb)), {}, {}};
      for (const Step& step : steps_) {
        const MotionSample part = step.link.at(time);
        sum.position = sum.position + step.sign * scale_ * part.position;
        sum.velocity = sum.velocity + step.sign * scale_ * part.velocity;
      }
      samples.add(sum, 0);
    }
    return std::move(samples).finish(0);
  }

  const EphemerisOptions& options_;
  Daf daf_;
  Instant epoch_;
  double scale_;
  mutable std::map<std::int32_t, std::int32_t> centers_;
  std::vector<Step> steps_;
  double from_ = 0, to_ = 0;
};

}  // namespace

bool is_spk(std::string_view beginning) {
  return beginning.starts_with("DAF/SPK") || beginning.starts_with("NAIF/DAF");
}

Motion read_spk_ephemeris(ByteSource& source, const EphemerisOptions& options) {
  return SpkReader(source, options).read();
}

}  // namespace sphaera::io
