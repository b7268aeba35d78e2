#include <algorithm>
#include <exact/floating_point_environment.hpp>
#include <geometry/fail.hpp>
#include <geometry/motion.hpp>
#include <geometry/star_view.hpp>
#include <geometry/validate.hpp>
#include <memory>
#include <new>
#include <sphaera/contact_times.hpp>
#include <string>

namespace sphaera {
namespace {

using exact::u;
using geometry::length;
using geometry::MotionPiece;
using geometry::piece_at;
using geometry::TimeSpan;
using geometry::Whereabouts;

[[noreturn, gnu::cold]] void refuse(const std::string& who, std::int64_t element, const std::string& why) {
  const std::string number = element == Error::no_element ? "" : ' ' + std::to_string(element);
  throw Error(ErrorCode::invalid_argument, who + number + ": " + why, element);
}

void check_motion(const Motion& motion, const std::string& who, std::int64_t element = Error::no_element) {
  if (motion.samples.empty()) refuse(who, element, "its motion has no samples; give one at least");
  for (std::size_t i = 0; i < motion.samples.size(); ++i) {
    const MotionSample& s = motion.samples[i];
    const auto sample = [&] { return "sample " + std::to_string(i) + " of its motion "; };
    if (!geometry::in_domain(s.position) || !geometry::in_domain(s.velocity) ||
        !geometry::in_domain(s.time)) {
      refuse(who, element, sample() + "is not finite; give numbers of at most 2^200 in magnitude");
    }
    if (i > 0 && !(motion.samples[i - 1].time < s.time)) {
      refuse(who, element, sample() + "is not after the one before; give samples by ascending time");
    }
  }
}

void check_star(const MovingStar& star) {
  geometry::check(star.star);
  if (!star.motion) return;
  if (star.star.distance == Star::Distance::infinite) {
    refuse("star", Error::no_element, "it is at infinity and has a motion; leave the motion out");
  }
  check_motion(*star.motion, "star");
}

void check_body(const MovingSphere& body, std::int64_t element) {
  check_motion(body.motion, "body", element);
  geometry::check(Sphere{body.motion.samples[0].position, body.radius}, element);
}

void check_interval(double begin, double end, const ContactOptions& options) {
  const bool finite = geometry::is_finite(begin) && geometry::is_finite(end);
  if (!finite || !(begin < end)) {
    refuse("interval", Error::no_element, "empty or not finite; give a finite begin before a finite end");
  }
  if (!(options.resolution > 0)) {
    refuse("resolution", Error::no_element, "not positive; give a time greater than 0");
  }
}

/// A ball whose centre keeps within `drift` of a place, as the observer sees it.
struct DriftingBall {
  Vec3 toward;      ///< unit vector to the place
  double distance;  ///< of the place
  double radius, drift;
  double widest;     ///< a disc of this angular radius about `toward` holds the ball's; if `outside`
  double narrowest;  ///< the ball's disc holds one of this angular radius; < 0 if none is known to be held
  bool outside;      ///< the observer stays outside

  /// The ball stays within the one of radius + drift about the place and holds the one of radius − drift. The
  /// sines are quotients of sums: off by 3u; the arc sine by 1 ulp.
  DriftingBall(const Whereabouts& where, double r) : radius(r), drift(where.drift) {
    distance = length(where.offset);
    toward = (1 / distance) * where.offset;
    const double most = (radius + drift) / distance * (1 + 8 * u),
                 least = (radius - drift) / distance * (1 - 8 * u);
    outside = most < 1;
    widest = std::asin(std::min(most, 1.0)) * (1 + 4 * u);
    narrowest = least >= 0 ? std::asin(std::min(least, 1.0)) * (1 - 4 * u) : -1;
  }

  /// A disc at infinity.
  DriftingBall(const Vec3& direction, double angular_radius)
      : toward((1 / length(direction)) * direction),
        distance(infinity),
        radius(0),
        drift(0),
        widest(angular_radius * (1 + 4 * u)),
        narrowest(angular_radius * (1 - 4 * u)),
        outside(true) {}

  bool at_infinity() const { return distance == infinity; }
};

/// Less than the least, or more than the most, that |offset|² − r² can be, by the share of it that rounding
/// takes, 4u of each square.
double least_power(const DriftingBall& b) {
  const double near = std::max(b.distance - b.drift, 0.0);
  return near * near * (1 - 8 * u) - b.radius * b.radius * (1 + 8 * u);
}
double most_power(const DriftingBall& b) {
  const double far = b.distance + b.drift;
  return far * far * (1 + 8 * u) - b.radius * b.radius * (1 - 8 * u);
}

/// The unit vectors are off by 3u, their products' sums by 8u each, the arc tangent by an ulp of π.
double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(length(cross(a, b)), dot(a, b)); }
constexpr double angle_error = 32 * u;

/// The observer stays inside.
bool is_around_observer(const DriftingBall& b) { return (b.distance + b.drift) * (1 + 8 * u) < b.radius; }

/// How the balls lie to each other wherever in their bounds they are, by the distance of their centres.
enum class Lie { unknown, apart, body_in_star, star_in_body };

Lie lie(const DriftingBall& star, const DriftingBall& body) {
  if (star.at_infinity()) return Lie::apart;
  const double gap = length(body.distance * body.toward - star.distance * star.toward);
  const double slack = star.drift + body.drift + 16 * u * (star.distance + body.distance);
  if (gap - slack > (star.radius + body.radius) * (1 + 2 * u)) return Lie::apart;
  if (gap + slack + body.radius < star.radius * (1 - 2 * u)) return Lie::body_in_star;
  if (gap + slack + star.radius < body.radius * (1 - 2 * u)) return Lie::star_in_body;
  return Lie::unknown;
}

/// Is the class of star and body proven to be one and the same, wherever in their bounds they are?
bool is_settled(const DriftingBall& star, const DriftingBall& body) {
  if (!star.outside) return false;
  const double apart = angle_between(star.toward, body.toward);
  const double low = apart - angle_error, high = apart + angle_error;
  if (body.outside && low > star.widest + body.widest) return true;  // lit
  const Lie balls = lie(star, body);
  if (balls != Lie::apart) return balls != Lie::unknown;  // lit, or umbra
  if (is_around_observer(body)) return true;              // umbra
  if (!body.outside) return false;
  if (!star.at_infinity()) {
    if (least_power(body) > most_power(star)) return true;  // behind: lit
    if (!(most_power(body) < least_power(star))) return false;
  }
  if (high + star.widest < body.narrowest) return true;  // umbra
  if (high + body.widest < star.narrowest) return true;  // antumbra
  const bool overlap = star.narrowest >= 0 && body.narrowest >= 0 && high < star.narrowest + body.narrowest;
  return overlap && low + star.narrowest > body.widest && low + body.narrowest > star.widest;  // penumbra
}

/// Contacts of one body.
class Scan {
 public:
  Scan(const MovingStar& star, const Motion& observer, const MovingSphere& body, std::int64_t id,
       double resolution, geometry::StarViewScratch& scratch, std::vector<ContactTime>& found)
      : star_(star),
        observer_(observer),
        body_(body),
        id_(id),
        resolution_(resolution),
        scratch_(scratch),
        found_(found) {}

  void run(double begin, double end) {
    Light light = light_at(begin);
    double from = begin;
    for (const double to : knots(begin, end)) {
      pieces_ = {star_.motion ? piece_at(*star_.motion, from) : MotionPiece{0, star_.star.place},
                 piece_at(observer_, from), piece_at(body_.motion, from)};
      if (!is_at_rest() && !is_settled(from, to)) {
        const Light last = light_at(to);
        halve(from, to, light, last);
        light = last;
      }
      from = to;
    }
  }

 private:
  struct Pieces {
    MotionPiece star, observer, body;
  };

  /// Times after begin where one of the cubics ends, and the end.
  std::vector<double> knots(double begin, double end) const {
    std::vector<double> times{end};
    const auto add = [&](const Motion& motion) {
      for (const MotionSample& s : motion.samples) {
        if (s.time > begin && s.time < end) times.push_back(s.time);
      }
    };
    if (star_.motion) add(*star_.motion);
    add(observer_), add(body_.motion);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }

  /// The exact class at t.
  Light light_at(double t) {
    Star star = star_.star;
    if (star_.motion) star.place = star_.motion->at(t);
    const Vec3 observer = observer_.at(t);
    const Sphere sphere{body_.motion.at(t), body_.radius};
    if (!geometry::valid(star) || !geometry::valid(observer) || !geometry::valid(sphere)) {
      refuse("body", id_,
             "it, the star or the observer is out of range" + when(t) + "; shorten the interval");
    }
    geometry::StarView view(star, observer, scratch_, counts_);
    view.add(sphere, id_);
    if (view.status() == StarStatus::inside_star) {
      refuse("observer", Error::no_element, "inside the star" + when(t));
    }
    if (view.status() == StarStatus::intersects_star) refuse("body", id_, "it cuts the star" + when(t));
    return view.light_of_one();
  }

  /// Nothing moves, however close to a contact.
  bool is_at_rest() const {
    const auto rests = [](const MotionPiece& p) {
      return p.c1 == Vec3{} && p.c2 == Vec3{} && p.c3 == Vec3{};
    };
    return rests(pieces_.star) && rests(pieces_.observer) && rests(pieces_.body);
  }

  static std::string when(double t) { return " at time " + std::to_string(t); }

  bool is_settled(double from, double to) const {
    const double middle = from + (to - from) / 2;
    const TimeSpan span{middle, std::max(to - middle, middle - from)};
    const auto seen = [&](const MotionPiece& piece) { return whereabouts(pieces_.observer, piece, span); };
    const Star& star = star_.star;
    const DriftingBall disc = star.distance == Star::Distance::infinite
                                  ? DriftingBall(star.place, star.radius)
                                  : DriftingBall(seen(pieces_.star), star.radius);
    return sphaera::is_settled(disc, DriftingBall(seen(pieces_.body), body_.radius));
  }

  /// Looks into from … to, which is not settled and has the classes `first` and `last` at its ends.
  void halve(double from, double to, Light first, Light last) {
    const double middle = from + (to - from) / 2;
    if (to - from <= resolution_ || !(from < middle && middle < to)) return pin_down(from, to, first, last);
    const Light light = light_at(middle);
    if (!is_settled(from, middle)) halve(from, middle, first, light);
    if (!is_settled(middle, to)) halve(middle, to, light, last);
  }

  /// All changes on the way from `first` to `last`, each between two neighbouring doubles.
  void pin_down(double from, double to, Light first, Light last) {
    while (first != last) {
      double before = from, after = to;
      Light next = last;
      for (;;) {
        const double middle = before + (after - before) / 2;
        if (!(before < middle && middle < after)) break;
        const Light light = light_at(middle);
        (light == first ? before : after) = middle;
        if (light != first) next = light;
      }
      found_.push_back({after, id_, first, next});
      from = after, first = next;
    }
  }

  const MovingStar& star_;
  const Motion& observer_;
  const MovingSphere& body_;
  std::int64_t id_;
  double resolution_;
  geometry::StarViewScratch& scratch_;
  std::vector<ContactTime>& found_;
  exact::Counts counts_{};
  Pieces pieces_{};
};

}  // namespace

std::vector<ContactTime> contact_times(const MovingStar& star, const Motion& observer,
                                       std::span<const MovingSphere> bodies, double begin, double end,
                                       const ContactOptions& options) {
  try {
    check_star(star);
    check_motion(observer, "observer");
    for (const MovingSphere& body : bodies) check_body(body, &body - bodies.data());
    check_interval(begin, end, options);
    const exact::FloatingPointEnvironment environment;
    const auto scratch = std::make_unique<geometry::StarViewScratch>();
    std::vector<ContactTime> contacts;
    for (const MovingSphere& body : bodies) {
      Scan(star, observer, body, &body - bodies.data(), options.resolution, *scratch, contacts)
          .run(begin, end);
    }
    std::stable_sort(contacts.begin(), contacts.end(),
                     [](const ContactTime& x, const ContactTime& y) { return x.time < y.time; });
    return contacts;
  } catch (const std::bad_alloc&) {
    geometry::throw_out_of_memory();
  }
}

}  // namespace sphaera
