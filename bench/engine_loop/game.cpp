#include <algorithm>
#include <bench/engine_loop/game.hpp>
#include <cmath>

namespace sphaera::bench {
namespace {

constexpr int parts = 3, head = 2;                               // of a person
constexpr std::size_t bystander_every = 10, refresh_every = 30;  // people, frames
constexpr Vec3 to_muzzle{0, 0, 0.2};                             // from a person's center, meters
constexpr double grenade_radius = 0.04, grenade_speed = 12, grenade_slope = 0.7;
constexpr double fuse = 3;      // seconds
constexpr double lowest = -20;  // below all ground: a grenade there is lost

}  // namespace

Game::Game(const Rules& rules) : rules_(rules), bodies_(rules.people, parts, rules.on_planet) {
  for (std::size_t i = 0; i < rules.people; ++i)
    layers_.insert(layers_.end(), parts, i % bystander_every == 0 ? bystander_layer : fighter_layer);
  if (rules.on_planet) layers_.push_back(ground_layer);
  questions_.grenades.bullets.resize(rules.grenades);
  questions_.grenades.throwers.resize(rules.grenades);
  thrown_.resize(rules.grenades);
  for (std::size_t i = 0; i < rules.grenades; ++i) {
    throw_grenade(i);
    thrown_[i] = -fuse * static_cast<double>(i) / static_cast<double>(rules.grenades);  // not all at once
  }
}

workload::Random Game::random() { return {people_seed, workload::Purpose::bullet, draws_++}; }

Vec3 Game::head_of(std::size_t person) const { return bodies_.centers()[person * parts + head]; }

void Game::walk() {
  ++frame_;
  bodies_.walk();
  for (std::size_t i = 0; i < rules_.jumps; ++i) bodies_.jump(bodies_.anyone());
  choose_respawns();
}

void Game::choose_respawns() {
  respawning_.clear(), places_.clear();
  gone_.clear(), born_.clear(), born_owners_.clear(), born_layers_.clear();
  for (std::size_t i = 0; i < rules_.respawns; ++i) respawning_.push_back(bodies_.anyone());
  std::ranges::sort(respawning_);
  respawning_.erase(std::unique(respawning_.begin(), respawning_.end()), respawning_.end());
  for (const std::size_t person : respawning_) {
    places_.push_back(bodies_.elsewhere());
    bodies_.add_ids(person, gone_);
    bodies_.add_spheres(person, places_.back(), born_, born_owners_);
    born_layers_.insert(born_layers_.end(), parts, layers_[person * parts]);
  }
}

void Game::ask() {
  for (std::size_t i = 0; i < respawning_.size(); ++i) bodies_.put(respawning_[i], places_[i]);
  if (frame_ % refresh_every == 1) nearby_.refresh(bodies_);
  shoot();
  look();
  ask_for_neighbors();
}

Ray Game::shot_of(std::size_t person) {
  return {bodies_.center(person) + to_muzzle, random().heading(), 0, Rules::shot_range};
}

void Game::shoot() {
  Shots& shots = questions_.shots;
  shots.rays.clear(), shots.shooters.clear(), shots.layers.clear(), shots.lags.clear();
  for (std::size_t i = 0; i < rules_.shots; ++i) {
    const std::size_t shooter = bodies_.anyone();
    shots.rays.push_back(shot_of(shooter));
    shots.shooters.push_back(static_cast<std::int64_t>(shooter));
    shots.layers.push_back(i % 2 == 0 ? all_layers : no_bystanders);
    shots.lags.push_back(std::min(i * Rules::lags / rules_.shots, frame_));  // frame 0 is the first
  }
  WallShots& walls = questions_.walls;
  walls.rays.clear(), walls.shooters.clear();
  for (std::size_t i = 0; i < rules_.walls; ++i) {
    const std::size_t shooter = bodies_.anyone();
    walls.rays.push_back(shot_of(shooter));
    walls.shooters.push_back(static_cast<std::int64_t>(shooter));
  }
}

void Game::look() {
  Sights& sights = questions_.sights;
  sights.lines.clear(), sights.lookers.clear(), sights.targets.clear();
  for (std::size_t i = 0; i < rules_.sights; ++i) {
    const std::size_t looker = bodies_.anyone();
    workload::Random random = this->random();
    const std::size_t target = nearby_.someone(bodies_, looker, random);
    sights.lines.push_back({head_of(looker), head_of(target)});
    sights.lookers.push_back(static_cast<std::int64_t>(looker));
    sights.targets.push_back(static_cast<std::int64_t>(target));
  }
}

void Game::ask_for_neighbors() {
  Nearest& nearest = questions_.nearest;
  Interest& interest = questions_.interest;
  nearest.points.clear(), nearest.askers.clear();
  interest.balls.clear(), interest.askers.clear();
  for (std::size_t i = 0; i < rules_.nearest; ++i) {
    const std::size_t asker = bodies_.anyone();
    nearest.points.push_back(bodies_.center(asker));
    nearest.askers.push_back(static_cast<std::int64_t>(asker));
  }
  for (std::size_t i = 0; i < rules_.interest; ++i) {
    const std::size_t asker = bodies_.anyone();
    interest.balls.push_back({bodies_.center(asker), Rules::interest_radius});
    interest.askers.push_back(static_cast<std::int64_t>(asker));
  }
}

void Game::throw_grenade(std::size_t i) {
  const std::size_t thrower = bodies_.anyone();
  const Vec3 velocity = grenade_speed * (random().heading() + Vec3{0, 0, grenade_slope});
  questions_.grenades.bullets[i] = {head_of(thrower), velocity, grenade_radius, time(), Rules::frame_time};
  questions_.grenades.throwers[i] = static_cast<std::int64_t>(thrower);
  thrown_[i] = time();
}

void Game::follow_grenades(std::span<const FlightEnd> ends) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const FlightEnd& end = ends[i];
    Bullet& bullet = questions_.grenades.bullets[i];
    if (end.outcome != Outcome::none || end.center.z < lowest || time() > thrown_[i] + fuse) {
      throw_grenade(i);
    } else {
      bullet = end.next(bullet, Rules::frame_time);
    }
  }
}

}  // namespace sphaera::bench
