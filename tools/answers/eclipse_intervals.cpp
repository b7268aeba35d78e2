#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <map>
#include <tools/answers/eclipse_intervals.hpp>
#include <utility>

namespace sphaera::tool {
namespace {

bool is_total(EclipsePhase phase) { return phase == EclipsePhase::umbra || phase == EclipsePhase::antumbra; }

/// Takes the contacts of one star and body in order of time.
class Intervals {
 public:
  Intervals(std::int64_t star, std::int64_t body, std::vector<EclipseInterval>& found)
      : star_(star), body_(body), found_(found) {}

  void add(const ContactTime& contact) {
    if (contact.before != EclipsePhase::lit && !open_) open_ = interval(contact.before);
    if (!open_) open_ = interval(contact.after), open_->start = contact.time;
    if (is_total(contact.after) && !is_total(contact.before) && std::isnan(open_->total_start))
      open_->total_start = contact.time;
    if (is_total(contact.before) && !is_total(contact.after)) open_->total_end = contact.time;
    if (is_total(contact.after)) open_->phase = contact.after;
    if (contact.after != EclipsePhase::lit) return;
    open_->end = contact.time;
    found_.push_back(*open_);
    open_.reset();
  }
  void finish() {
    if (open_) found_.push_back(*open_);
  }

 private:
  EclipseInterval interval(EclipsePhase phase) const { return {star_, body_, phase}; }

  std::int64_t star_, body_;
  std::vector<EclipseInterval>& found_;
  std::optional<EclipseInterval> open_;
};

/// Finds when the centers are nearest: of even steps the best, then Brent's method between its neighbors.
void find_greatest(const SceneOverTime& sky, const SceneObserver& observer, EclipseInterval& eclipse) {
  const double from = std::isnan(eclipse.start) ? sky.interval().from : eclipse.start;
  const double to = std::isnan(eclipse.end) ? sky.interval().to : eclipse.end;
  const auto star = static_cast<std::size_t>(eclipse.star);
  const auto separation = [&](double t) { return sky.separation(observer, star, eclipse.body, t); };
  constexpr int steps = 64;
  const auto time = [&](int i) { return from + (to - from) * i / steps; };
  std::array<double, steps + 1> apart;
  for (int i = 0; i <= steps; ++i) apart[static_cast<std::size_t>(i)] = separation(time(i));
  const int best = static_cast<int>(std::ranges::min_element(apart) - apart.begin());
  // A minimum can be found to half of the bits: near it the value changes with the square of the time.
  constexpr int bits = std::numeric_limits<double>::digits / 2;
  const double middle = time(best), step = (to - from) / steps;
  const auto beside = [&](double x) { return separation(middle + x * step); };
  const double least = best == 0 ? 0 : -1, most = best == steps ? 0 : 1;
  eclipse.greatest = middle + step * boost::math::tools::brent_find_minima(beside, least, most, bits).first;
  for (const double end : {from, to})
    if (separation(end) < separation(eclipse.greatest)) eclipse.greatest = end;
  const std::int64_t bodies[] = {eclipse.body};
  if (const auto view = sky.view_at(observer, star, bodies, eclipse.greatest))
    eclipse.magnitude = view->magnitude;
}

}  // namespace

std::vector<EclipseInterval> eclipse_intervals(const SceneOverTime& sky, const SceneObserver& observer,
                                               const std::vector<StarContact>& contacts) {
  std::vector<EclipseInterval> found;
  std::map<std::pair<std::int64_t, std::int64_t>, Intervals> pairs;  // by star and body
  std::vector<EclipseInterval> unseen;
  for (const auto& [star, contact, why] : contacts) {
    if (why.status != StarStatus::ok) {
      unseen.push_back({.star = star, .body = -1, .phase = EclipsePhase::lit, .status = why.status});
      continue;
    }
    const auto at = pairs.try_emplace({star, contact.body}, star, contact.body, found).first;
    at->second.add(contact);
  }
  for (auto& [_, intervals] : pairs) intervals.finish();
  for (EclipseInterval& eclipse : found) find_greatest(sky, observer, eclipse);
  found.insert(found.end(), unseen.begin(), unseen.end());
  const auto start = [](const EclipseInterval& eclipse) {
    return std::isnan(eclipse.start) ? -std::numeric_limits<double>::infinity() : eclipse.start;
  };
  std::ranges::sort(found, [&](const EclipseInterval& a, const EclipseInterval& b) {
    return std::tuple(a.star, start(a), a.body) < std::tuple(b.star, start(b), b.body);
  });
  return found;
}

}  // namespace sphaera::tool
