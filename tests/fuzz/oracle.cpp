#include <algorithm>
#include <tests/fuzz/checks.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/queries/query.hpp>

namespace sphaera::fuzz {
namespace {

using oracle::Dyadic, oracle::Sight;

enum class About : std::uint8_t { places, flights };

/// The scene as one query sees it, by the definition of the options.
class Seen {
 public:
  Seen(const FuzzCase& fuzzed, About about, std::size_t query) : fuzzed_(fuzzed), query_(query) {
    if (about == About::places && !fuzzed.restriction.times.empty()) time_ = fuzzed.restriction.times[query];
    for (std::size_t id = 0; id < fuzzed.spheres.size(); ++id)
      if (sees(id)) ids_.push_back(id);
  }

  const std::vector<std::size_t>& ids() const { return ids_; }
  /// A place, path or segment before the sphere where it is at the query's time.
  template <class Path>
  Sight sight(const Path& path, std::size_t id) const {
    Sight s = oracle::sight(path, fuzzed_.spheres[id]);
    if (fuzzed_.velocities.empty()) return s;
    for (std::size_t axis = 0; axis < 3; ++axis)
      s.l[axis] = s.l[axis] - Dyadic(fuzzed_.velocities[id][static_cast<int>(axis)]) * Dyadic(time_);
    return s;
  }
  Sight sight(const Bullet& bullet, std::size_t id) const {
    if (fuzzed_.velocities.empty()) return oracle::sight(bullet, fuzzed_.spheres[id], {});
    return oracle::sight(bullet, fuzzed_.spheres[id], fuzzed_.velocities[id], fuzzed_.horizon);
  }

 private:
  bool sees(std::size_t id) const {
    const Restriction& r = fuzzed_.restriction;
    const auto number = static_cast<std::int64_t>(id);
    LayerMask mask = r.layers;
    if (!r.layers_each.empty()) mask &= r.layers_each[query_];
    if (!(mask >> (fuzzed_.layers.empty() ? 0 : fuzzed_.layers[id]) & 1)) return false;
    if (!r.ignore.empty() && r.ignore[query_] == number) return false;
    const auto has_owner = [&](const std::vector<std::int64_t>& ignored) {
      return !ignored.empty() && !fuzzed_.owners.empty() && fuzzed_.owners[id] != no_owner &&
             ignored[query_] == std::int64_t{fuzzed_.owners[id]};
    };
    if (has_owner(r.ignore_owners) || has_owner(r.also_ignore_owners)) return false;
    return r.accept == 0 || (query_ + id) % r.accept != 0;
  }

  const FuzzCase& fuzzed_;
  std::size_t query_;
  double time_ = 0;
  std::vector<std::size_t> ids_;
};

/// A sphere that a path meets.
struct Met {
  std::int64_t sphere;
  Contact contact;
  oracle::ExpandedSight sight;
};

/// In order of (entry, id).
template <class Path>
std::vector<Met> met_by(const Seen& seen, const Path& path) {
  std::vector<Met> met;
  for (const std::size_t id : seen.ids()) {
    const oracle::ExpandedSight sight(seen.sight(path, id));
    const Contact contact = oracle::contact(sight);
    if (contact != Contact::miss) met.push_back({static_cast<std::int64_t>(id), contact, sight});
  }
  std::ranges::stable_sort(met,
                           [](const Met& a, const Met& b) { return compare_entries(a.sight, b.sight) < 0; });
  return met;
}

/// The answers of a batch, and which of its rows were taken. No answers: the whole call was refused.
template <class Ask>
auto ask_batch(const FuzzCase& w, About about, std::size_t n, std::vector<RowStatus>& rows, const Ask& ask) {
  rows.assign(n, RowStatus::ok);
  QueryOptions options = test::Query::of_first(options_of(w, Search::index), n);
  if (about == About::flights) options.times = {};
  options.statuses = rows;
  return ask(options);
}

template <class Path>
void check_paths(const FuzzCase& w, const Scene& scene, const std::vector<Path>& paths) {
  std::vector<RowStatus> rows;
  const auto ask = [&](const auto& call) { return ask_batch(w, About::places, paths.size(), rows, call); };
  const auto blocked = ask([&](const QueryOptions& o) { return scene.blocked(paths, o); });
  const auto first = ask([&](const QueryOptions& o) { return scene.first_surface_hit(paths, o); });
  const auto all = ask([&](const QueryOptions& o) { return scene.all_hits(paths, o); });
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (rows[i] != RowStatus::ok) continue;
    const std::vector<Met> met = met_by(Seen(w, About::places, i), paths[i]);
    const auto is_met = [](const Hit& hit, const Met& m) {
      return hit.sphere == m.sphere && hit.contact == m.contact;
    };
    if ((blocked[i] != 0) == met.empty()) fail(w, "blocked", "the oracle answers otherwise");
    if (met.empty() ? first[i].sphere >= 0 : !is_met(first[i], met.front()))
      fail(w, "first_surface_hit", "the oracle answers otherwise");
    if (!std::ranges::equal(all[i], met, is_met)) fail(w, "all_hits", "the oracle answers otherwise");
  }
}

/// Spheres in order of (signed distance from the point, id).
std::vector<std::int64_t> by_distance(const Seen& seen, const Vec3& point) {
  std::vector<std::size_t> ids = seen.ids();
  const auto sight = [&](std::size_t id) { return seen.sight(Segment{point, point}, id); };
  std::ranges::stable_sort(
      ids, [&](std::size_t a, std::size_t b) { return oracle::compare_distances(sight(a), sight(b)) < 0; });
  return {ids.begin(), ids.end()};
}

/// Is the signed distance of the sphere from the ball's center at most the ball's radius?
bool reaches(const Seen& seen, const Ball& ball, std::int64_t id) {
  Sight at_radius{};  // |l| − r is the ball's radius
  at_radius.l = {Dyadic(ball.radius), Dyadic(0.0), Dyadic(0.0)};
  const Sight sphere = seen.sight(Segment{ball.center, ball.center}, static_cast<std::size_t>(id));
  return oracle::compare_distances(sphere, at_radius) <= 0;
}

void check_points(const FuzzCase& w, const Scene& scene) {
  const std::size_t k = w.questions.k;
  std::vector<RowStatus> rows;
  const auto nearest =
      ask_batch(w, About::places, w.questions.points.size(), rows,
                [&](const QueryOptions& o) { return scene.nearest(w.questions.points, k, o); });
  for (std::size_t i = 0; i < w.questions.points.size(); ++i) {
    if (rows[i] != RowStatus::ok) continue;
    std::vector<std::int64_t> ids = by_distance(Seen(w, About::places, i), w.questions.points[i]);
    ids.resize(k, -1);
    if (!std::ranges::equal(std::span(nearest).subspan(i * k, k), ids, {}, &Neighbor::sphere))
      fail(w, "nearest", "the oracle answers otherwise");
  }
}

void check_balls(const FuzzCase& w, const Scene& scene) {
  std::vector<RowStatus> rows;
  const auto ask = [&](const auto& call) {
    return ask_batch(w, About::places, w.questions.balls.size(), rows, call);
  };
  const auto within = ask([&](const QueryOptions& o) { return scene.within(w.questions.balls, o); });
  const auto neighbors =
      ask([&](const QueryOptions& o) { return scene.neighbors_within(w.questions.balls, o); });
  for (std::size_t i = 0; i < w.questions.balls.size(); ++i) {
    if (rows[i] != RowStatus::ok) continue;
    const Seen seen(w, About::places, i);
    std::vector<std::int64_t> ids = by_distance(seen, w.questions.balls[i].center);
    std::erase_if(ids, [&](std::int64_t id) { return !reaches(seen, w.questions.balls[i], id); });
    if (!std::ranges::equal(neighbors[i], ids, {}, &Neighbor::sphere))
      fail(w, "neighbors_within", "the oracle answers otherwise");
    std::ranges::sort(ids);
    if (!std::ranges::equal(within[i], ids)) fail(w, "within", "the oracle answers otherwise");
  }
}

void check_bullets(const FuzzCase& w, const Scene& scene) {
  FlightOptions straight = w.questions.flight;
  straight.start_inside = StartInside::hits;
  std::vector<RowStatus> rows;
  const auto first =
      ask_batch(w, About::flights, w.questions.bullets.size(), rows,
                [&](const QueryOptions& o) { return scene.first_impact(w.questions.bullets, straight, o); });
  for (std::size_t i = 0; i < w.questions.bullets.size(); ++i) {
    if (rows[i] != RowStatus::ok) continue;
    const std::vector<Met> met = met_by(Seen(w, About::flights, i), w.questions.bullets[i]);
    const bool right = met.empty()
                           ? first[i].sphere < 0
                           : first[i].sphere == met.front().sphere && first[i].contact == met.front().contact;
    if (!right) fail(w, "first_impact", "the oracle answers otherwise");
  }
}

}  // namespace

void compare_with_oracle(const FuzzCase& fuzzed, const Scene& scene) {
  check_paths(fuzzed, scene, fuzzed.questions.rays);
  check_paths(fuzzed, scene, fuzzed.questions.segments);
  check_points(fuzzed, scene);
  check_balls(fuzzed, scene);
  check_bullets(fuzzed, scene);
}

}  // namespace sphaera::fuzz
