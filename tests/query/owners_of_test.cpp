/// \file The owners of the spheres of many answers in one call.

#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>

#include <tests/catch.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using Owners = std::vector<std::uint32_t>;

/// The owners by `Scene::owners`, one after another.
template <class Answers, class IdOf>
Owners one_by_one(const Scene& scene, const Answers& answers, const IdOf& id_of) {
  Owners owners;
  for (const auto& answer : answers) {
    const std::int64_t id = id_of(answer);
    const bool owned = scene.contains(id) && !scene.owners().empty();
    owners.push_back(owned ? scene.owners()[static_cast<std::size_t>(id)] : no_owner);
  }
  return owners;
}

template <class Answers>
void check_owners(const Scene& scene, const Answers& answers) {
  const Owners expected = one_by_one(scene, answers, [](const auto& answer) { return answer.sphere; });
  CHECK(scene.owners_of(answers) == expected);
  Owners out(expected.size(), 77);
  scene.owners_of(std::span(answers), out);
  CHECK(out == expected);
}

struct Target {
  float weight;
  std::int64_t id;
};

}  // namespace

TEST_CASE("answers of all kinds are mapped to owners in one call", "[query]") {
  test::Random random(test::seed());
  const std::vector<Sphere> spheres = test::make_spheres(test::SceneKind::crowd, 60, random);
  Owners owners;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    owners.push_back(random.one_in(6) ? no_owner : static_cast<std::uint32_t>(random.below(9)));
  const std::vector<Ray> rays = test::make_rays(spheres, 40, random);
  const std::vector<Vec3> points = test::make_points(spheres, 40, random);
  std::vector<Bullet> bullets;
  for (const Vec3& point : points) bullets.push_back({.origin = point, .velocity = random.in_cube(9)});
  const bool owned = random.one_in(2);
  for (const Owners& given : {owners, Owners{}}) {
    Scene scene = Scene::build(spheres, {.owners = given});
    const std::vector<std::int64_t> gone{3, 7, 20};
    if (owned) scene.erase(gone);
    check_owners(scene, scene.first_hit(rays)), check_owners(scene, scene.first_surface_hit(rays));
    check_owners(scene, scene.all_hits(rays).items), check_owners(scene, scene.nearest(points, 3));
    check_owners(scene, scene.first_impact(bullets)), check_owners(scene, scene.near_misses(bullets, 5));
    const std::vector<std::int64_t> ids{0, 1, 3, -1, 59, 60, std::int64_t{1} << 40, -9};
    const Owners expected = one_by_one(scene, ids, [](std::int64_t id) { return id; });
    CHECK(scene.owners_of(ids) == expected);
    for (std::size_t i = 0; i < ids.size(); ++i) CHECK(scene.owner_of(ids[i]) == expected[i]);
    const std::vector<Target> targets{{1, 5}, {2, -1}, {3, 8}};
    Owners out(3);
    scene.owners_of({&targets[0].id, targets.size(), sizeof(Target)}, out);
    CHECK(out == one_by_one(scene, targets, [](const Target& target) { return target.id; }));
  }
}

TEST_CASE("owners for another number of answers are refused, and an empty scene owns nothing", "[query]") {
  const Scene scene = Scene::build({{{0, 0, 0}, 1}});
  Owners out(2);
  CHECK_THROWS_WITH(scene.owners_of(std::vector<Hit>(3), out),
                    "there are 2 places for owners for 3 ids; give one for each");
  CHECK(scene.owners_of(std::vector<Hit>()).empty());
  CHECK(Scene().owners_of(std::vector<std::int64_t>{0, -1}) == Owners{no_owner, no_owner});
}

}  // namespace sphaera
