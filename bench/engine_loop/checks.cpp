#include <algorithm>
#include <bench/engine_loop/checks.hpp>

namespace sphaera::bench {
namespace {

bool same(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

Checks::Checks(const Game& game) : game_(game), walls_(game.rules().people) { remember(); }

void Checks::remember() {
  const std::span<const Vec3> now = game_.bodies().centers();
  centers_[game_.frame() % Rules::lags].assign(now.begin(), now.end());
}

Scene Checks::scene_of(std::size_t lag) const {
  const Bodies& bodies = game_.bodies();
  const std::vector<Vec3>& centers = centers_[(game_.frame() - lag) % Rules::lags];
  std::vector<Sphere> then(bodies.start().begin(), bodies.start().end());
  for (std::size_t i = 0; i < then.size(); ++i) then[i].center = centers[i];
  return Scene::build(std::move(then), {.layers = game_.layers(), .owners = bodies.owners()});
}

void Checks::check(const World& world, const Answers& answers, CheckedAnswers& result) const {
  const std::vector<std::size_t>& lags = game_.questions().shots.lags;
  for (std::size_t lag = 0; lag < (world.remembers() ? Rules::lags : 1); ++lag) {
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < lags.size(); ++i)
      if (!world.remembers() || lags[i] == lag) which.push_back(i);
    if (lag > 0 && which.empty()) continue;
    const Scene scene = scene_of(lag);
    check_shots(scene, which, answers, result);
    if (lag > 0) continue;
    check_sights(scene, answers, result);
    if (world.has(System::grenades)) check_grenades(scene, answers, result);
    if (world.has(System::nearest)) check_nearest(scene, answers, result);
    if (world.has(System::interest)) check_interest(scene, answers, result);
    if (world.has(System::walls)) check_walls(scene, answers, result);
  }
}

void Checks::check_shots(const Scene& scene, std::span<const std::size_t> which, const Answers& answers,
                         CheckedAnswers& result) const {
  const Shots& shots = game_.questions().shots;
  for (const std::size_t i : which) {
    const Hit right =
        scene.first_hit(shots.rays[i], {.layers = shots.layers[i], .ignore_owners = {&shots.shooters[i], 1}});
    result.add(System::shots, right.sphere != answers.shots[i]);
  }
}

void Checks::check_sights(const Scene& scene, const Answers& answers, CheckedAnswers& result) const {
  const Sights& sights = game_.questions().sights;
  for (std::size_t i = 0; i < sights.lines.size(); ++i) {
    const bool blocked = scene.blocked(sights.lines[i], {.ignore_owners = {&sights.lookers[i], 1},
                                                         .also_ignore_owners = {&sights.targets[i], 1}});
    result.add(System::sights, blocked != (answers.blocked[i] != 0));
  }
}

void Checks::check_grenades(const Scene& scene, const Answers& answers, CheckedAnswers& result) const {
  const Grenades& grenades = game_.questions().grenades;
  for (std::size_t i = 0; i < grenades.bullets.size(); ++i) {
    FlightEnd end;
    FlightOptions flight = grenade_flight();
    flight.ends = {&end, 1};
    const std::vector<Impact> impacts =
        scene.all_impacts(grenades.bullets[i], flight, {.ignore_owners = {&grenades.throwers[i], 1}});
    const std::int64_t struck = impacts.empty() ? -1 : impacts.front().sphere;
    const FlightEnd& told = answers.ends[i];
    const bool same_end = end.outcome == told.outcome && end.time == told.time &&
                          same(end.center, told.center) && same(end.velocity, told.velocity);
    result.add(System::grenades, !same_end || struck != answers.struck[i]);
  }
}

void Checks::check_nearest(const Scene& scene, const Answers& answers, CheckedAnswers& result) const {
  const Nearest& nearest = game_.questions().nearest;
  for (std::size_t i = 0; i < nearest.points.size(); ++i) {
    std::array<Neighbor, Rules::neighbors> right;
    scene.nearest(nearest.points[i], right,
                  {.layers = people_layers, .ignore_owners = {&nearest.askers[i], 1}});
    bool is_wrong = false;
    for (std::size_t k = 0; k < right.size(); ++k) {
      const std::size_t told = i * Rules::neighbors + k;
      is_wrong |= right[k].sphere != answers.neighbors[told].sphere ||
                  scene.owner_of(right[k].sphere) != answers.owners[told];
    }
    result.add(System::nearest, is_wrong);
  }
}

void Checks::check_interest(const Scene& scene, const Answers& answers, CheckedAnswers& result) const {
  const Interest& interest = game_.questions().interest;
  for (std::size_t i = 0; i < interest.balls.size(); ++i) {
    std::vector<std::uint32_t> right;  // distinct owners, the nearest first
    for (const Neighbor& neighbor : scene.neighbors_within(
             interest.balls[i], {.layers = people_layers, .ignore_owners = {&interest.askers[i], 1}})) {
      const std::uint32_t owner = scene.owner_of(neighbor.sphere);
      if (std::ranges::find(right, owner) == right.end()) right.push_back(owner);
    }
    const std::size_t names = std::min(right.size(), Rules::interest_names);
    const std::uint32_t* const told = &answers.names[i * Rules::interest_names];
    result.add(System::interest,
               right.size() != answers.people_near[i] || !std::equal(told, told + names, right.begin()));
  }
}

/// A person is hit if the entry comes before the wall that the ray hits where nobody is.
void Checks::check_walls(const Scene& scene, const Answers& answers, CheckedAnswers& result) const {
  const WallShots& shots = game_.questions().walls;
  std::vector<FirstOfBoth> walls(shots.rays.size());
  walls_.first(shots.rays, shots.shooters, {}, walls);
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const Hit person = scene.first_hit(shots.rays[i], {.ignore_owners = {&shots.shooters[i], 1}});
    const FirstOfBoth& told = answers.walls[i];
    const bool hits_person = person.sphere >= 0 && person.t_enter < walls[i].t;
    result.add(System::walls,
               hits_person ? told.sphere != person.sphere : told.sphere != -1 || told.t != walls[i].t);
  }
}

}  // namespace sphaera::bench
