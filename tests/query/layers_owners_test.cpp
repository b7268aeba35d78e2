/// \file Which spheres a query sees: a mask of layers, two ignored owners and two ignored spheres for each
/// query of a batch, against scenes that hold only what the query sees.

#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/scene_buffer.hpp>

#include <algorithm>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::AllRows, test::all_rows, test::Bytes, test::differing, test::Query, test::Questions;
using test::SceneKind, test::Random;

struct OwnedWorld {
  std::vector<Sphere> spheres;
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  Scene scene;

  OwnedWorld(SceneKind scene_kind, std::size_t n, Random& random)
      : spheres(test::make_spheres(scene_kind, n, random)), layers(random.one_in(4) ? 0 : n) {
    for (std::uint8_t& layer : layers) layer = static_cast<std::uint8_t>(random.below(3));
    for (std::size_t i = 0; i < n; ++i)
      owners.push_back(random.one_in(5) ? no_owner : static_cast<std::uint32_t>(random.below(4)));
    scene = Scene::build(spheres, {.layers = layers, .owners = owners});
  }
};

/// The spheres that count, for each query.
struct Selection {
  LayerMask layers = all_layers;
  std::vector<LayerMask> layers_each;
  std::vector<std::int64_t> ignore_owners, also_ignore_owners, ignore, also_ignore;

  Selection(std::size_t queries, std::size_t spheres, Random& random) {
    if (random.one_in(2)) layers = random.bits();
    const bool masks = random.one_in(2), owners = !masks || random.one_in(2);
    for (std::size_t i = 0; masks && i < queries; ++i) layers_each.push_back(random.bits());
    for (std::size_t i = 0; owners && i < queries; ++i) ignore_owners.push_back(some_owner(random));
    if (random.one_in(2))
      for (std::size_t i = 0; i < queries; ++i) also_ignore_owners.push_back(some_owner(random));
    for (std::vector<std::int64_t>* const ids : {&ignore, &also_ignore})
      for (std::size_t i = random.one_in(2) ? 0 : queries; i < queries; ++i)
        ids->push_back(random.whole(-1, static_cast<std::int64_t>(spheres) - 1));
  }
  QueryOptions options(Search search = Search::index) const {
    return {.layers = layers,
            .ignore = ignore,
            .layers_each = layers_each,
            .ignore_owners = ignore_owners,
            .search = search,
            .also_ignore_owners = also_ignore_owners,
            .also_ignore = also_ignore};
  }
  bool sees_layer(const OwnedWorld& world, std::size_t sphere, std::size_t query) const {
    const LayerMask mask = layers_each.empty() ? layers : layers & layers_each[query];
    const std::uint8_t layer = world.layers.empty() ? std::uint8_t{0} : world.layers[sphere];
    return (mask >> layer & 1) == 1;
  }
  /// A query about a sphere takes no ids to ignore.
  bool sees(const OwnedWorld& world, std::size_t sphere, std::size_t query, bool about_sphere) const {
    if (!sees_layer(world, sphere, query)) return false;
    const auto is_id = [&](const std::vector<std::int64_t>& ids) {
      return !ids.empty() && ids[query] == static_cast<std::int64_t>(sphere);
    };
    if (!about_sphere && (is_id(ignore) || is_id(also_ignore))) return false;
    const std::int64_t owner = world.owners[sphere];
    if (owner == std::int64_t{no_owner}) return true;
    const auto is_ignored = [&](const std::vector<std::int64_t>& owners) {
      return !owners.empty() && owners[query] == owner;
    };
    return !is_ignored(ignore_owners) && !is_ignored(also_ignore_owners);
  }

 private:
  /// Also values that stand for no owner.
  static std::int64_t some_owner(Random& random) {
    return random.one_in(8) ? std::int64_t{no_owner} + random.whole(0, 1) : random.whole(-1, 4);
  }
};

/// A scene of the spheres that query i sees, and their ids; with the sphere that the query is about.
struct SelectedSpheres {
  std::vector<std::int64_t> ids;
  Scene scene;
  std::size_t itself = 0;  ///< the place of sphere i in it, if `about_sphere`

  SelectedSpheres(const OwnedWorld& world, const Selection& selection, std::size_t i, bool about_sphere) {
    std::vector<Sphere> spheres;
    for (std::size_t k = 0; k < world.spheres.size(); ++k) {
      const bool is_itself = about_sphere && k == i;
      if (is_itself) itself = spheres.size();
      if (!is_itself && !selection.sees(world, k, i, about_sphere)) continue;
      ids.push_back(static_cast<std::int64_t>(k)), spheres.push_back(world.spheres[k]);
    }
    scene = Scene::build(std::span<const Sphere>(spheres));
  }
};

/// The answers to all questions, each from a scene that holds only what the query sees.
AllRows expected(const OwnedWorld& world, const Selection& selection, const Questions& questions) {
  AllRows all;
  for (std::size_t i = 0; i < questions.rays.size(); ++i) {
    for (const bool about_sphere : {false, true}) {
      const SelectedSpheres seen(world, selection, i, about_sphere);
      for (const Query* query : test::every_query()) {
        if (query->about_spheres != about_sphere) continue;
        std::vector<Bytes>& rows = all[query];
        if (i >= query->count(world.scene, questions)) continue;
        if (query->about_seen_spheres() && !selection.sees_layer(world, i, i)) {
          rows.push_back(query->miss(questions));
          continue;
        }
        rows.push_back(query->alone(seen.scene, questions, about_sphere ? seen.itself : i));
        rows.back().rename(
            [&](std::int64_t id) { return id < 0 ? id : seen.ids[static_cast<std::size_t>(id)]; });
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("each query of a batch has its own layers, two ignored owners and two ignored spheres", "[query]") {
  Random random(test::seed());
  for (int round = 0; round < test::fewer_in_repeats(10); ++round) {
    for (const SceneKind scene_kind :
         {SceneKind::crowd, SceneKind::nested, SceneKind::lattice, SceneKind::peopled}) {
      INFO(test::name(scene_kind) << ", round " << round);
      const OwnedWorld world(scene_kind, static_cast<std::size_t>(random.whole(0, 60)), random);
      const std::size_t n = 30;
      const Selection selection(std::max(n, world.spheres.size()), world.spheres.size(), random);
      Questions questions = test::draw_questions(world.spheres, n, n, random);
      questions.fallers.resize(2), questions.observers.resize(3), questions.receivers.resize(3);  // slow
      const AllRows wanted = expected(world, selection, questions);
      for (const Search search : {Search::index, Search::brute_force, Search::embree})
        CHECK(differing(all_rows(world.scene, questions, selection.options(search)), wanted) == "");
    }
  }
}

TEST_CASE("a line of sight between two people of several spheres ignores both and nobody else", "[query]") {
  const std::uint32_t looker = 3, target = 8, other = 5;
  const std::vector<Sphere> spheres{
      {{0, 0, 0}, 1}, {{0, 0, 1}, 1}, {{10, 0, 0}, 1}, {{10, 0, 1}, 1}, {{5, 9, 0}, 1}};
  const std::vector<std::uint32_t> owners{looker, looker, target, target, other};
  Scene scene = Scene::build(spheres, {.owners = owners});
  const Segment sight{{0, 0, 0.5}, {10, 0, 0.5}};
  const std::int64_t from = looker, to = target, fifth = 4;
  const QueryOptions both{.ignore_owners = {&from, 1}, .also_ignore_owners = {&to, 1}};
  CHECK(scene.blocked(sight, {.ignore_owners = {&from, 1}}));
  CHECK(scene.blocked(sight, {.also_ignore_owners = {&from, 1}}));
  CHECK_FALSE(scene.blocked(sight, both));
  scene.update(std::span(&fifth, 1), std::vector<Vec3>{{5, 0, 0}});
  CHECK(scene.blocked(sight, both));
}

TEST_CASE("layers and owners for another number of queries are refused", "[query]") {
  const Scene scene = Scene::build({{{0, 0, 0}, 1}});
  const std::vector<Ray> rays(3, {{-2, 0, 0}, {1, 0, 0}});
  const std::vector<LayerMask> layers(2, all_layers);
  const std::vector<std::int64_t> owners(4, -1);
  CHECK_THROWS_WITH(scene.blocked(rays, {.layers_each = layers}),
                    "`layers_each` has 2 items for 3 queries; give none or one for each query");
  CHECK_THROWS_WITH(scene.blocked(rays, {.ignore_owners = owners}),
                    "`ignore_owners` has 4 items for 3 queries; give none or one for each query");
  CHECK_THROWS_WITH(scene.blocked(rays, {.also_ignore_owners = owners}),
                    "`also_ignore_owners` has 4 items for 3 queries; give none or one for each query");
  const std::vector<std::uint32_t> two(2, 1);
  CHECK_THROWS_WITH(Scene::build({{{0, 0, 0}, 1}}, {.owners = two}),
                    "there are 2 owners for 1 spheres; give none or one for each sphere");
}

TEST_CASE("a scene without layers and owners has none in memory that held some before", "[query]") {
  const std::vector<Sphere> two{{{0, 0, 0}, 1}, {{10, 0, 0}, 1}};
  const std::vector<std::uint8_t> layers{1, 1};
  const std::vector<std::uint32_t> owners{7, 7};
  const Ray ray{{-5, 0, 0}, {1, 0, 0}};
  const auto check = [&](const Scene& scene) {
    const std::int64_t owner = 7;
    for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
      CHECK(scene.first_hit(ray, {.layers = 1, .search = search}).sphere == 0);
      CHECK(scene.first_hit(ray, {.layers = 2, .search = search}).sphere == -1);
      CHECK(scene.first_hit(ray, {.ignore_owners = {&owner, 1}, .search = search}).sphere == 0);
    }
  };
  SceneBuffer buffer(two, {.layers = layers, .owners = owners}, {.keep = 2});
  buffer.adopt(Scene::build(two));
  for (int i = 0; i < 6; ++i) {
    buffer.update(std::vector<Vec3>{{0, 0, 0}, {10, 0, 0}});
    check(*buffer.current());
  }

  Scene scene;
  std::stop_source stop;
  stop.request_stop();
  std::vector<std::int64_t> ids(2);
  CHECK_THROWS_AS(
      scene.insert(two, ids, {.layers = layers, .owners = owners, .update = {.stop = stop.get_token()}}),
      Error);
  scene.insert(two, ids);
  check(scene);
}

TEST_CASE("an empty scene refuses the options that every scene refuses", "[query]") {
  std::vector<RowStatus> statuses(1);
  const std::vector<std::int64_t> ids{3};
  const std::vector<Vec3> places{{0, 0, 0}};
  CHECK_THROWS_AS(Scene().update(ids, places, {}, {.threads = -1, .statuses = statuses}), Error);
  CHECK_NOTHROW(Scene().update(ids, places, {}, {.statuses = statuses}));
  CHECK(statuses[0] == RowStatus::skipped);
}

}  // namespace sphaera
