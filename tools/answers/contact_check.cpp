#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tools/answers/contact_check.hpp>
#include <tools/scene/light_column.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::tool {
namespace {

/// Number of random times at which each observer, star and body is checked.
constexpr int random_times = 256;

/// Number of evenly spaced times over one resolution at which an unexpected phase is checked. The phase is an
/// error only if no time has the expected phase, because the search may miss shorter phases.
constexpr int lasting_samples = 9;

/// The search and a direct query differ in whether the star is seen.
[[noreturn]] void throw_unseen(const ContactCheck& check, std::size_t star, double t, StarStatus by_search) {
  const bool seen = by_search == StarStatus::ok;
  throw Mismatch(
      fmt::format("observer {}, star {} at time {}: {} by the contacts, {} by a direct query (seed {}); "
                  "please report this scene and observer",
                  check.observer, star, t, seen ? "seen" : light_words[light_word({}, by_search)],
                  seen ? "not seen" : "seen", check.seed));
}

/// The contacts of one star with one body, or with all together.
class Timeline {
 public:
  Timeline(const SceneOverTime& sky, const SceneObserver& observer, const Wanted& wanted,
           const ContactCheck& check, std::size_t star, std::int64_t body)
      : sky_(sky), observer_(observer), wanted_(wanted), check_(check), star_(star), body_(body) {
    if (body == StarContact::all_bodies) {
      bodies_ = sky.bodies(observer, star);
    } else {
      bodies_ = {body};
    }
  }

  /// Checks the phase at the contacts and between them. Precondition: `contacts` ascends by time.
  void run(std::vector<ContactTime> contacts) {
    contacts_ = std::move(contacts);
    const auto& [from, to] = sky_.interval();
    first_ = contacts_.empty() ? phase_at(from).value_or(EclipsePhase::lit) : contacts_.front().before;
    if (!expect(from, first_)) throw_unseen(check_, star_, from, StarStatus::ok);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const ContactTime& c = contacts_[i];
      expect(std::nextafter(c.time, from), c.before);
      expect(c.time, c.after);
      expect_lasting((c.time + (i + 1 < contacts_.size() ? contacts_[i + 1].time : to)) / 2);
    }
    workload::Random random(check_.seed, workload::Purpose::ray, check_.observer);
    for (int i = 0; i < random_times; ++i) expect_lasting(random.between(from, to));
  }

  std::uint64_t queries() const { return queries_; }

 private:
  std::optional<EclipsePhase> phase_at(double t) {
    ++queries_;
    return sky_.phase_at(observer_, star_, bodies_, t);
  }

  /// Returns whether the star is seen.
  bool expect(double t, EclipsePhase phase) {
    const std::optional<EclipsePhase> seen = phase_at(t);
    if (seen && *seen != phase) throw_mismatch(t, phase, *seen);
    return seen.has_value();
  }

  /// Checks the phase at t, unless a contact or an end of the interval is within half a resolution of t. A
  /// different phase is an error only if it lasts for the resolution.
  void expect_lasting(double t) {
    const auto& [from, to] = sky_.interval();
    const double half = wanted_.resolution / 2;
    if (t - half < from || t + half > to) return;
    const auto next = std::ranges::upper_bound(contacts_, t - half, {}, &ContactTime::time);
    if (next != contacts_.end() && next->time <= t + half) return;
    const EclipsePhase phase = next == contacts_.begin() ? first_ : std::prev(next)->after;
    const std::optional<EclipsePhase> seen = phase_at(t);
    if (!seen || *seen == phase) return;
    for (int i = 0; i < lasting_samples; ++i) {
      const std::optional<EclipsePhase> near =
          phase_at(t - half + wanted_.resolution * i / (lasting_samples - 1));
      if (!near || *near == phase) return;
    }
    throw_mismatch(t, phase, *seen);
  }

  [[noreturn]] void throw_mismatch(double t, EclipsePhase expected, EclipsePhase seen) const {
    const auto word = [](EclipsePhase phase) { return phase_words[static_cast<std::size_t>(phase)]; };
    const std::string body =
        body_ == StarContact::all_bodies ? "all bodies" : fmt::format("sphere {}", body_);
    throw Mismatch(
        fmt::format("observer {}, star {} behind {} at time {}: {} by the contacts, {} by a direct query "
                    "(seed {}); please report this scene and observer",
                    check_.observer, star_, body, t, word(expected), word(seen), check_.seed));
  }

  const SceneOverTime& sky_;
  const SceneObserver& observer_;
  const Wanted& wanted_;
  const ContactCheck& check_;
  std::size_t star_;
  std::int64_t body_;
  std::vector<std::int64_t> bodies_;
  std::vector<ContactTime> contacts_;
  EclipsePhase first_ = EclipsePhase::lit;
  std::uint64_t queries_ = 0;
};

/// Checks that a direct query has no numbers either.
void check_unseen(const SceneOverTime& sky, const SceneObserver& observer, const StarContact& found,
                  const ContactCheck& check) {
  const auto star = static_cast<std::size_t>(found.star);
  const auto& [status, time, _] = found.unseen;
  if (sky.view_at(observer, star, sky.bodies(observer, star), time)) throw_unseen(check, star, time, status);
}

}  // namespace

std::uint64_t check_contacts(const SceneOverTime& sky, const SceneObserver& observer,
                             const std::vector<StarContact>& contacts, const Wanted& wanted,
                             const ContactCheck& check) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<ContactTime>> by_pair;
  std::set<std::size_t> unseen;
  for (const StarContact& found : contacts) {
    if (found.is_contact()) {
      by_pair[{found.star, found.contact.body}].push_back(found.contact);
    } else {
      check_unseen(sky, observer, found, check);
      unseen.insert(static_cast<std::size_t>(found.star));
    }
  }
  std::uint64_t queries = unseen.size();
  for (std::size_t j = 0; j < sky.stars(); ++j) {
    if (unseen.contains(j)) continue;
    const std::vector<std::int64_t> bodies =
        wanted.together ? std::vector{StarContact::all_bodies} : sky.bodies(observer, j);
    for (const std::int64_t body : bodies) {
      Timeline timeline(sky, observer, wanted, check, j, body);
      timeline.run(by_pair[{static_cast<std::int64_t>(j), body}]);
      queries += timeline.queries();
    }
  }
  return queries;
}

}  // namespace sphaera::tool
