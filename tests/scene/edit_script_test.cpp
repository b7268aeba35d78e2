/// \file A long life: a million times a sphere comes, goes, moves or changes in one scene of 0 to 100,000
/// spheres, and in a plain list; now and then the index is compared with the oracle's answers for the list.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tests/effort.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/seed.hpp>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/inputs/random_numbers.hpp>

namespace sphaera {
namespace {

using test::Random;

class Life {
 public:
  Life(std::size_t most, Random& random)
      : random_(random), places_(workload::spheres(workload::Kind::crowd, most, test::seed())) {}

  /// One edit of a few spheres. Most edits bring the number of spheres nearer to `goal`.
  void live(std::size_t goal) {
    const std::size_t few = 1 + static_cast<std::size_t>(random_.below(16));
    const bool grow = alive_.size() < goal;
    switch (random_.below(8)) {
      case 0:
        return move(few);
      case 1:
        return set_radii(few);
      case 2:
        return grow ? erase(few / 2) : insert(few / 2);
      default:
        return grow ? insert(few) : erase(few);
    }
  }

  std::size_t steps() const { return steps_; }

  /// Rays through the index against the list.
  void check() {
    std::size_t wrong = 0;
    REQUIRE(scene_.size() == alive_.size());
    Ids ids;
    std::vector<Sphere> spheres;
    for (std::size_t id = 0; id < list_.size(); ++id)
      if (list_[id]) ids.push_back(static_cast<std::int64_t>(id)), spheres.push_back(*list_[id]);
    for (int i = 0; i < 20; ++i) {
      const Sphere &from = anywhere(), &to = anywhere();
      const Ray ray{from.center + random_.in_cube(1), to.center - from.center, 0,
                    random_.one_in(2) ? 1 : infinity};
      if (ray.direction == Vec3{}) continue;
      const std::vector<oracle::SphereHit> expected = oracle::all_hits({spheres}, ray);
      const auto same = [&](const Hit& hit, const oracle::SphereHit& by_oracle) {
        return hit.sphere == ids[static_cast<std::size_t>(by_oracle.sphere)] &&
               hit.contact == by_oracle.contact;
      };
      wrong += !std::ranges::equal(scene_.all_hits(ray), expected, same);
      const Hit first = scene_.first_hit(ray);
      wrong += expected.empty() ? first.sphere != -1 : !same(first, expected.front());
    }
    CHECK(wrong == 0);
    for (std::size_t id = 0; id < list_.size(); ++id) {
      wrong += scene_.contains(static_cast<std::int64_t>(id)) != list_[id].has_value();
      if (list_[id]) wrong += !(scene_.spheres()[id] == *list_[id]);
    }
    CHECK(wrong == 0);
  }

 private:
  using Ids = std::vector<std::int64_t>;

  const Sphere& anywhere() { return places_[random_.bits() % places_.size()]; }
  UpdateOptions options() {
    using Rebuild = UpdateOptions::Rebuild;
    constexpr Rebuild kinds[] = {Rebuild::when_degraded, Rebuild::in_background};
    return {.rebuild = kinds[random_.below(2)]};
  }
  /// Some ids, ascending.
  Ids some(std::size_t n) {
    Ids ids;
    for (std::size_t i = 0; i < n && !alive_.empty(); ++i)
      ids.push_back(alive_[random_.bits() % alive_.size()]);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }

  void insert(std::size_t n) {
    std::vector<Sphere> spheres;
    for (std::size_t i = 0; i < n; ++i)
      spheres.push_back({anywhere().center + random_.in_cube(3), anywhere().radius});
    const Ids ids = scene_.insert(spheres, {.update = options()});
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t id = list_.size();
      if (free_.empty()) {
        list_.emplace_back();
      } else {
        id = free_.top(), free_.pop();
      }
      REQUIRE(ids[i] == static_cast<std::int64_t>(id));
      list_[id] = spheres[i];
      place_.resize(list_.size()), place_[id] = alive_.size();
      alive_.push_back(ids[i]);
    }
    steps_ += n;
  }
  void erase(std::size_t n) {
    const Ids ids = some(n);
    scene_.erase(ids, options());
    for (const std::int64_t gone : ids) {
      const auto id = static_cast<std::size_t>(gone);
      list_[id].reset(), free_.push(id);
      alive_[place_[id]] = alive_.back(), place_[static_cast<std::size_t>(alive_.back())] = place_[id];
      alive_.pop_back();
    }
    steps_ += ids.size();
  }
  void move(std::size_t n) {
    const Ids ids = some(n);
    std::vector<Vec3> centers;
    for (const std::int64_t id : ids) {
      Vec3& center = list_[static_cast<std::size_t>(id)]->center;
      center = random_.one_in(4) ? anywhere().center : center + random_.in_cube(0.1);
      centers.push_back(center);
    }
    scene_.update(ids, centers, {}, options());
    steps_ += ids.size();
  }
  void set_radii(std::size_t n) {
    const Ids ids = some(n);
    std::vector<double> radii;
    for (const std::int64_t id : ids) {
      double& radius = list_[static_cast<std::size_t>(id)]->radius;
      radii.push_back(radius = random_.between(0.1, 0.7));
    }
    scene_.set_radii(ids, radii, options());
    steps_ += ids.size();
  }

  Random& random_;
  std::vector<Sphere> places_;
  Scene scene_;
  std::vector<std::optional<Sphere>> list_;
  std::vector<std::int64_t> alive_;  // ids, in no order
  std::vector<std::size_t> place_;   // index in alive_, by id
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
  std::size_t steps_ = 0;
};

}  // namespace

TEST_CASE("a million edits leave the scene that a plain list has", "[scene][edit]") {
  Random random(test::seed());
  const auto steps = static_cast<std::size_t>(test::sanitized() ? 20'000 : test::fewer_in_repeats(1'000'000));
  const std::size_t most = test::sanitized() ? 2'000 : 100'000;
  Life life(most, random);
  const std::size_t goals[] = {most, most / 100, most / 3, 0, most / 1000, most / 2};
  while (life.steps() < steps) {
    const std::size_t goal = goals[life.steps() * std::size(goals) / (steps + 1)];
    const std::size_t until = life.steps() + steps / 30;
    while (life.steps() < std::min(until, steps)) life.live(goal);
    life.check();
  }
}

}  // namespace sphaera
