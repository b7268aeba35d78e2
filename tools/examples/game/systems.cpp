#include "systems.hpp"

#include <algorithm>
#include <cmath>

#include "walls.hpp"

namespace game {

using namespace sphaera;

namespace {

constexpr double range = 200;  // of a shot, meters

Vec3 place(const Crowd& crowd, const Snapshot& now, std::uint32_t person, Part part) {
  return now->spheres()[crowd.person(person).ids[part]].center;
}

}  // namespace

void Shots::put(Crowd& crowd, const Snapshot& now) {
  batches.clear();
  for (std::size_t lag = 0; lag < crowd.buffer().snapshots(); ++lag)
    batches.push_back({crowd.buffer().past(lag)});
  for (std::size_t i = 0; i < 32; ++i) {
    Batch& batch = batches[i % batches.size()];
    const std::uint32_t shooter = crowd.anyone(), target = crowd.anyone();
    const std::int64_t id = crowd.person(target).ids[head];
    if (shooter == target || batch.past->owner_of(id) != target) continue;  // the target was not yet born
    const Vec3 spread{crowd.random(-.4, .4), crowd.random(-.4, .4), crowd.random(-.4, .4)};
    const Vec3 from = place(crowd, now, shooter, head);
    const Vec3 aim = batch.past->spheres()[id].center + spread - from;
    const Vec3 direction = 1 / std::sqrt(dot(aim, aim)) * aim;
    batch.rays.push_back({from, direction, 0, until_wall(from, direction, range)});
    batch.shooters.push_back(shooter);
  }
}

void Shots::ask(Scratch& scratch) {
  for (Batch& batch : batches) {
    batch.hits.resize(batch.rays.size());
    // Their own spheres do not stop the shooters' shots.
    batch.past->first_hit(batch.rays, batch.hits,
                          {.ignore_owners = batch.shooters, .threads = 1, .scratch = &scratch});
  }
}

void Shots::apply(Crowd& crowd) {
  for (const Batch& batch : batches) {
    for (std::size_t i = 0; i < batch.hits.size(); ++i) {
      const Hit& found = batch.hits[i];
      // In the snapshot that was asked: the id may stand for somebody else by now. The number does not.
      const std::uint32_t person = batch.past->owner_of(found.sphere);
      ++asked, hit += person != no_owner;
      stopped += found.sphere < 0 && batch.rays[i].t_max < range;
      if (person != no_owner && found.sphere == crowd.person(person).ids[head]) killed += crowd.kill(person);
    }
  }
}

/// By a loop over all spheres, in plain doubles.
void Shots::check(Checked& checked) const {
  // Coordinates of 6.4e6 m are off by 1e-9 m, the places where a flat ray meets the ground by 1e-6 m.
  constexpr double margin = 1e-5;
  for (const Batch& batch : batches) {
    for (std::size_t i = 0; i < batch.rays.size(); ++i) {
      const Ray& ray = batch.rays[i];
      std::int64_t first = -1;
      double at = ray.t_max, gap = ray.t_max;  // the gap between the least two, or between another yes and no
      for (std::int64_t id = 0; id < std::ssize(batch.past->spheres()); ++id) {
        if (!batch.past->contains(id) || batch.past->owner_of(id) == batch.shooters[i]) continue;
        const auto& [center, radius] = batch.past->spheres()[id];
        const Vec3 to_center = center - ray.origin;
        const double along = dot(to_center, ray.direction);
        const Vec3 across = to_center - along * ray.direction;
        const double off = std::sqrt(dot(across, across));
        gap = std::min(gap, std::abs(off - radius));
        if (off > radius) continue;
        const double half = std::sqrt(radius * radius - off * off);
        gap = std::min({gap, std::abs(along + half), std::abs(along - half - ray.t_max)});
        const double t = std::max(along - half, 0.);  // 0: it starts inside
        if (along + half < 0 || t > ray.t_max) continue;
        gap = std::min(gap, std::abs(t - at));
        if (t < at) at = t, first = id;
      }
      if (gap < margin)
        ++checked.too_close;
      else
        checked.count(batch.hits[i].sphere == first);
    }
  }
}

void Sight::put(Crowd& crowd, const Snapshot& now) {
  lines.clear(), lookers.clear(), targets.clear();
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t looker = crowd.anyone(), target = crowd.anyone();
    const Vec3 eye = place(crowd, now, looker, head), seen_head = place(crowd, now, target, head);
    ++asked;
    if (until_wall(eye, seen_head - eye, 1) < 1) {
      ++behind_walls;
      continue;
    }
    lines.push_back({eye, seen_head});
    lookers.push_back(looker), targets.push_back(target);
  }
}

void Sight::ask(const Scene& scene, QueryOptions options) {
  hidden.resize(lines.size());
  // The spheres of the two do not hide them from each other.
  options.ignore_owners = lookers, options.also_ignore_owners = targets;
  scene.blocked(lines, hidden, options);
  seen += std::ranges::count(hidden, 0);
}

void Sight::check(const Scene& again, Checked& checked) const {
  Sight same = *this;
  same.ask(again, {.search = Search::brute_force});
  for (std::size_t i = 0; i < hidden.size(); ++i) checked.count(hidden[i] == same.hidden[i]);
}

void Enemies::put(Crowd& crowd, const Snapshot& now) {
  points.clear(), seekers.clear();
  for (std::size_t i = 0; i < 32; ++i) {
    seekers.push_back(crowd.anyone());
    points.push_back(place(crowd, now, seekers.back(), body));
  }
}

void Enemies::ask(const Scene& scene, QueryOptions options) {
  nearest.resize(points.size() * spheres), owners.resize(nearest.size());
  // Nobody is an own enemy, and the ground, on its own layer, is nobody's.
  options.ignore_owners = seekers, options.layers = only_people;
  scene.nearest(points, spheres, nearest, options);
  scene.owners_of(nearest, owners);  // whose spheres these are
  for (std::size_t i = 0; i < nearest.size(); i += spheres) {
    std::size_t j = i + 1, others = 0;  // the third owner in order of distance is the third nearest enemy
    for (std::uint32_t second = owners[i]; others < 2; ++j)
      if (owners[j] != owners[i] && owners[j] != second) second = owners[j], ++others;
    ++asked, surrounded += nearest[j - 1].distance < 10;
  }
}

void Enemies::check(const Scene& again, Checked& checked) const {
  Enemies same = *this;
  same.ask(again, {.search = Search::brute_force});
  for (std::size_t i = 0; i < nearest.size(); ++i) checked.count(nearest[i].sphere == same.nearest[i].sphere);
}

void Interest::put(Crowd& crowd, const Snapshot& now) {
  balls.clear();
  for (std::size_t i = 0; i < 16; ++i) balls.push_back({place(crowd, now, crowd.anyone(), head), 30});
}

void Interest::ask(const Scene& scene, QueryOptions options) {
  options.layers = only_people;
  scene.neighbors_within(balls, lists, options);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::vector<std::uint32_t> people = scene.owners_of(lists[i]);
    std::ranges::sort(people);
    ++asked, told += std::unique(people.begin(), people.end()) - people.begin();
  }
}

void Interest::check(const Scene& again, Checked& checked) const {
  Interest same = *this;
  same.ask(again, {.search = Search::brute_force});
  for (std::size_t i = 0; i < lists.size(); ++i)
    checked.count(std::ranges::equal(lists[i], same.lists[i], {}, &Neighbor::sphere, &Neighbor::sphere));
}

void Grenades::put(Crowd& crowd, const Snapshot& now) {
  const std::uint32_t thrower = crowd.anyone();
  const Vec3 velocity{crowd.random(-9, 9), crowd.random(-9, 9), 3};
  bullets.push_back({place(crowd, now, thrower, head), velocity, .05, 0, frame_time});
  throwers.push_back(thrower), frames_left.push_back(90);
  ++thrown;
}

void Grenades::ask(const Scene& scene, QueryOptions options) {
  ends.resize(bullets.size());
  options.ignore_owners = throwers;
  // What a grenade starts in, it leaves: it has just bounced off it, or somebody has teleported there.
  const FlightOptions flight{.bounces = 8,
                             .start_inside = StartInside::leaves,
                             .gravity = {0, 0, -9.81},
                             .restitution = .5,
                             .friction = .2,
                             .ends = ends};
  scene.all_impacts(bullets, impacts, flight, options);
  bounces += impacts.items.size();
}

void Grenades::apply(Crowd& crowd) {
  const Snapshot scene = crowd.buffer().current();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    Bullet next = ends[i].next(bullets[i], frame_time);
    next.start = 0;  // the update has made the end of this flight its time 0
    if (ends[i].outcome == Outcome::stops || --frames_left[i] == 0) {
      for (const std::int64_t id : scene->within(Ball{next.origin, 3}, {.layers = only_people}))
        killed += crowd.kill(scene->owner_of(id));
    } else {
      bullets[kept] = next, throwers[kept] = throwers[i], frames_left[kept++] = frames_left[i];
    }
  }
  bullets.resize(kept), throwers.resize(kept), frames_left.resize(kept);
}

void Grenades::check(const Scene& again, Checked& checked) const {
  Grenades same = *this;
  same.ask(again, {.search = Search::brute_force});
  for (std::size_t i = 0; i < ends.size(); ++i)
    checked.count(ends[i].center == same.ends[i].center && ends[i].velocity == same.ends[i].velocity);
}

void Marks::follow(Crowd& crowd, Checked& checked) {
  const Snapshot now = crowd.buffer().current();
  std::erase_if(marks, [&](const Mark& mark) {
    const bool there = now->contains(mark.id, mark.generation);
    checked.count(there == crowd.person(mark.person).alive);
    lost += !there, misleading += !there && now->contains(mark.id);  // a newborn has got the id
    return !there;
  });
  while (marks.size() < 50) {
    const std::uint32_t person = crowd.anyone();
    const std::int64_t id = crowd.person(person).ids[head];
    marks.push_back({person, now->generations()[id], id});
  }
}

}  // namespace game
