#include <algorithm>
#include <bit>
#include <cmath>
#include <io/ephemeris/spk_segment.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

constexpr std::int32_t inertial_frame = 1;  // J2000
constexpr std::uint64_t polynomial_tail = 4, states_tail = 2;
constexpr double most_steps = 4096;  // of a record

/// True for a count that a double holds.
bool is_count(double value, std::uint64_t most) {
  return value >= 1 && value <= static_cast<double>(most) && value == std::floor(value);
}

/// Coefficients of the derivative of Σ c[k] T_k.
void differentiate(std::vector<double>& c) {
  const std::size_t n = c.size();
  std::vector<double> d(n + 2, 0);
  for (std::size_t k = n; k-- > 1;) d[k - 1] = d[k + 1] + 2 * static_cast<double>(k) * c[k];
  d[0] /= 2;
  d.resize(n);
  c = std::move(d);
}

/// The state at a time of the cubic with these ends; before and after them, that of the end.
MotionSample cubic_at(const MotionSample& a, const MotionSample& b, double time) {
  const double h = b.time - a.time, s = (time - a.time) / h, r = 1 - s;
  if (!(s > 0)) return a;
  if (!(s < 1)) return b;
  const Vec3 step = b.position - a.position;
  return {time, a.position + s * s * (3 - 2 * s) * step + h * s * r * (r * a.velocity - s * b.velocity),
          (6 * s * r / h) * step + r * (1 - 3 * s) * a.velocity + s * (3 * s - 2) * b.velocity};
}

}  // namespace

SpkSegment::SpkSegment(const Daf& daf, const DafSegment& segment) : daf_(&daf), segment_(segment) {
  if (segment.frame != inertial_frame)
    refuse("it is in frame " + std::to_string(segment.frame) + "; supported is 1, J2000");
  if (segment.type == 2 || segment.type == 3) {
    check_polynomials();
  } else if (segment.type == states_type) {
    check_states();
  } else {
    refuse("it is of type " + std::to_string(segment.type) + "; supported are 2, 3 and 13");
  }
}

void SpkSegment::refuse(const std::string& what) const {
  fail(daf_->name(), "segment of body " + std::to_string(segment_.target) + ": " + what);
}

void SpkSegment::check_polynomials() {
  const std::uint64_t words = segment_.end - segment_.begin;
  if (words <= polynomial_tail) refuse("it is too short");
  const auto tail = [&](std::uint64_t i) { return daf_->word(segment_.end - polynomial_tail + i); };
  first_ = tail(0), length_ = tail(1);
  if (!is_count(tail(2), words) || !is_count(tail(3), words)) refuse("its records have no length or number");
  record_words_ = static_cast<std::uint64_t>(tail(2)), count_ = static_cast<std::uint64_t>(tail(3));
  const std::uint64_t axes = segment_.type == 2 ? 3 : 6;
  coefficients_ = record_words_ > 2 ? (record_words_ - 2) / axes : 0;
  if (coefficients_ == 0 || record_words_ != 2 + axes * coefficients_ ||
      words != count_ * record_words_ + polynomial_tail)
    refuse("its records do not fill it; it may be damaged");
  const double end = first_ + static_cast<double>(count_) * length_;
  if (!(length_ > 0 && first_ <= segment_.from && segment_.to <= end))
    refuse("its records do not cover its times");
}

void SpkSegment::check_states() {
  const std::uint64_t words = segment_.end - segment_.begin;
  if (words <= states_tail) refuse("it is too short");
  const double number = daf_->word(segment_.end - 1);
  if (!is_count(number, words)) refuse("it has no number of states");
  count_ = static_cast<std::uint64_t>(number);
  if (words != 7 * count_ + (count_ - 1) / 100 + states_tail)
    refuse("its states do not fill it; it may be damaged");
  if (!(epoch(0) <= segment_.from && segment_.to <= epoch(count_ - 1)))
    refuse("its states do not cover its times");
  for (std::uint64_t i = 1; i < count_; ++i)
    if (!(epoch(i - 1) < epoch(i))) refuse("the times of its states do not grow");
}

std::uint64_t SpkSegment::record_of(double time) const {
  const double record = std::floor((time - first_) / length_);
  return static_cast<std::uint64_t>(std::clamp(record, 0.0, static_cast<double>(count_ - 1)));
}

MotionSample SpkSegment::state(std::uint64_t i) const {
  const std::uint64_t at = segment_.begin + 6 * i;
  const auto vector = [&](std::uint64_t from) {
    return Vec3{daf_->word(from), daf_->word(from + 1), daf_->word(from + 2)};
  };
  return {epoch(i), vector(at), vector(at + 3)};
}

MotionSample SpkSegment::at(double time) const {
  if (!is_polynomial()) {
    std::uint64_t i = 0;
    for (std::uint64_t step = std::bit_floor(count_); step > 0; step /= 2)
      if (i + step < count_ && epoch(i + step) <= time) i += step;
    return cubic_at(state(i), state(std::min(i + 1, count_ - 1)), time);
  }
  const std::uint64_t record = record_of(time);
  const double middle = word(record, 0), radius = word(record, 1);
  const double x = std::clamp((time - middle) / radius, -1.0, 1.0);
  double position[3], velocity[3];
  for (int axis = 0; axis < 3; ++axis) {
    // Clenshaw's recurrence for the sum and its derivative.
    double b1 = 0, b2 = 0, d1 = 0, d2 = 0;
    for (std::uint64_t k = coefficients_; k-- > 1;) {
      const double d = 2 * (x * d1 + b1) - d2, b = 2 * x * b1 - b2 + coefficient(record, axis, k);
      d2 = d1, d1 = d, b2 = b1, b1 = b;
    }
    position[axis] = x * b1 - b2 + coefficient(record, axis, 0);
    velocity[axis] = (x * d1 + b1 - d2) / radius;
  }
  return {time, {position[0], position[1], position[2]}, {velocity[0], velocity[1], velocity[2]}};
}

double SpkSegment::fourth_derivative(std::uint64_t record, int axis) const {
  std::vector<double> c(coefficients_);
  for (std::uint64_t k = 0; k < coefficients_; ++k) c[k] = coefficient(record, axis, k);
  for (int i = 0; i < 4; ++i) differentiate(c);
  double sum = 0;
  for (const double each : c) sum += std::fabs(each);
  return sum / std::pow(word(record, 1), 4);
}

void SpkSegment::append_record_times(std::uint64_t record, double from, double to,
                                     std::vector<double>& times) const {
  const double middle = word(record, 0), radius = word(record, 1);
  if (!(radius > 0 && std::isfinite(radius) && std::isfinite(middle)))
    refuse("a record has no middle or radius");
  double bound = 0;
  for (int axis = 0; axis < 3; ++axis) bound = std::max(bound, fourth_derivative(record, axis));
  const double steps = std::ceil((to - from) * std::pow(bound / (384 * spk_error), 0.25));
  if (!(steps <= most_steps)) refuse("its coefficients are not finite or change too fast");
  const auto n = static_cast<std::uint64_t>(std::max(steps, 1.0));
  for (std::uint64_t i = 0; i < n; ++i)
    times.push_back(std::lerp(from, to, static_cast<double>(i) / static_cast<double>(n)));
}

void SpkSegment::append_times(double from, double to, std::vector<double>& times) const {
  if (is_polynomial()) {
    for (std::uint64_t record = record_of(from); record < count_; ++record) {
      const double begin = std::max(from, first_ + static_cast<double>(record) * length_);
      if (begin >= to) break;
      append_record_times(record, begin, std::min(to, first_ + static_cast<double>(record + 1) * length_),
                          times);
    }
  } else {
    times.push_back(from);
    for (std::uint64_t i = 0; i < count_; ++i)
      if (epoch(i) > from && epoch(i) < to) times.push_back(epoch(i));
  }
  times.push_back(to);
}

}  // namespace sphaera::io
