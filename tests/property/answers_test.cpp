/// \file End to end: index, brute force and oracle answer alike, on scenes of every kind.

#include <bit>
#include <sphaera/scene.hpp>
#include <tests/cases/cases.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/instruction_set.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// The error of a reported number that hit.hpp promises: 1 ulp.
constexpr double promised_half_ulps = 2;

/// A random scene, half of the time with layers.
struct World {
  std::vector<Sphere> spheres;
  std::vector<std::uint8_t> layers;
  Scene scene;

  World(SceneKind scene_kind, std::size_t n, Random& random) : spheres(make_spheres(scene_kind, n, random)) {
    constexpr int layer_count = 4;
    if (random.one_in(2)) {
      for (std::size_t i = 0; i < n; ++i)
        layers.push_back(static_cast<std::uint8_t>(random.below(layer_count)));
    }
    const auto quality = static_cast<BuildQuality>(random.below(3));
    scene = Scene::build(spheres, {.layers = layers, .quality = quality});
  }
};

/// A layer mask, and for each query a sphere to ignore or none.
struct Restriction {
  LayerMask mask = all_layers;
  std::vector<std::int64_t> ignore;

  Restriction(const World& world, std::size_t queries, Random& random) {
    if (random.one_in(world.layers.empty() ? 16 : 2)) mask = random.bits();
    if (world.spheres.empty() || random.one_in(2)) return;
    for (std::size_t i = 0; i < queries; ++i) {
      const auto id = static_cast<std::int64_t>(random.bits() % world.spheres.size());
      ignore.push_back(random.one_in(2) ? id : -1);
    }
  }

  QueryOptions options(Search search) const { return {.layers = mask, .ignore = ignore, .search = search}; }
  oracle::View view(const World& world, std::size_t query) const {
    return {world.spheres, world.layers, mask, ignore.empty() ? -1 : ignore[query]};
  }
};

/// A hit against the exact one: sphere, contact, and numbers to 1 ulp.
template <class Path>
bool is_right(const Hit& hit, const oracle::SphereHit& expected, const World& world, const Path& path) {
  if (hit.sphere != expected.sphere || hit.contact != expected.contact) return false;
  if (hit.contact == Contact::miss) return std::isnan(hit.t_enter) && std::isnan(hit.t_exit);
  const oracle::Sight sight = oracle::sight(path, world.spheres[hit.sphere]);
  const auto roots = oracle::roots(sight);
  if (!roots) return hit.t_enter == sight.t_min && hit.t_exit == infinity;  // a path of no length
  const bool enter = hit.contact == Contact::starts_inside
                         ? hit.t_enter == sight.t_min
                         : oracle::error_in_half_ulps(hit.t_enter, roots->t1) <= promised_half_ulps;
  return enter && oracle::error_in_half_ulps(hit.t_exit, roots->t2) <= promised_half_ulps;
}

bool is_right(const Neighbor& neighbor, std::int64_t id, const World& world, const Vec3& point) {
  if (neighbor.sphere != id) return false;
  return oracle::error_in_half_ulps(neighbor.distance, oracle::signed_distance(point, world.spheres[id])) <=
         promised_half_ulps;
}

std::string spheres_named(const World& world, std::int64_t a, std::int64_t b) {
  std::string text;
  for (const std::int64_t id : {a, b}) {
    if (id >= 0) text += "; sphere " + std::to_string(id) + " = " + describe(world.spheres[id]);
  }
  return text;
}

/// One path's answers against the oracle's. Empty if right.
template <class Path>
std::string check_path(const World& world, const oracle::View& view, const Path& path, bool blocked,
                       const Hit& first, std::span<const Hit> all) {
  const std::vector<oracle::SphereHit> met = oracle::all_hits(view, path);
  const oracle::SphereHit expected = met.empty() ? oracle::SphereHit{} : met.front();
  const std::string where = "; " + describe(path) + spheres_named(world, expected.sphere, first.sphere);
  if (blocked != !met.empty()) return "blocked is wrong" + where;
  if (!is_right(first, expected, world, path)) return "first hit is wrong" + where;
  if (all.size() != met.size()) return "all hits miss or invent some" + where;
  for (std::size_t i = 0; i < met.size(); ++i) {
    if (!is_right(all[i], met[i], world, path)) {
      return "hit " + std::to_string(i) + " of all is wrong; " + describe(path) +
             spheres_named(world, met[i].sphere, all[i].sphere);
    }
  }
  return {};
}

/// Every query, each with a restriction of its own, has the same answers by index and brute force.
void check_searches(const World& world, const Questions& questions, Random& random) {
  for (const Query* query : every_query()) {
    INFO(query->name);
    const std::size_t n = std::max(query->count(world.scene, questions), world.spheres.size());
    const Restriction restriction(world, n, random);
    const auto rows = [&](Search search) {
      return query->rows(world.scene, questions,
                         query->fitting(world.scene, questions, restriction.options(search)));
    };
    CHECK(rows(Search::index) == rows(Search::brute_force));
  }
}

/// The answers by the index for one path in `oracle_share`, as the oracle says.
template <class Path>
void check_paths(const World& world, const std::vector<Path>& paths, std::size_t oracle_share,
                 Random& random) {
  const Restriction restriction(world, paths.size(), random);
  const QueryOptions index = restriction.options(Search::index);
  const auto blocked = world.scene.blocked(paths, index);
  const auto first = world.scene.first_hit(paths, index);
  const auto surface = world.scene.first_surface_hit(paths, index);
  const HitLists all = world.scene.all_hits(paths, index);
  CHECK(all_same(first, std::vector<Hit>(surface.begin(), surface.end())));
  std::string wrong;
  for (std::size_t i = 0; i < paths.size() && wrong.empty(); i += oracle_share) {
    wrong = check_path(world, restriction.view(world, i), paths[i], blocked[i] != 0, first[i], all[i]);
  }
  CHECK(wrong == "");
}

void check_nearest(const World& world, const std::vector<Vec3>& points, std::size_t k,
                   std::size_t oracle_share, Random& random) {
  const Restriction restriction(world, points.size(), random);
  const auto nearest = world.scene.nearest(points, k, restriction.options(Search::index));
  std::string wrong;
  for (std::size_t i = 0; i < points.size(); i += oracle_share) {
    const std::vector<std::int64_t> expected = oracle::nearest(restriction.view(world, i), points[i], k);
    for (std::size_t j = 0; j < k && wrong.empty(); ++j) {
      const Neighbor& got = nearest[i * k + j];
      const bool right =
          j < expected.size() ? is_right(got, expected[j], world, points[i]) : same(got, Neighbor{});
      if (right) continue;
      wrong = "neighbor " + std::to_string(j) + " of " + describe(points[i]) +
              spheres_named(world, j < expected.size() ? expected[j] : -1, got.sphere);
    }
  }
  CHECK(wrong == "");
}

void check_within(const World& world, const std::vector<Ball>& balls, std::size_t oracle_share,
                  Random& random) {
  const Restriction restriction(world, balls.size(), random);
  const IdLists within = world.scene.within(balls, restriction.options(Search::index));
  const NeighborLists neighbors = world.scene.neighbors_within(balls, restriction.options(Search::index));
  CHECK(neighbors.offsets == within.offsets);
  std::string wrong;
  for (std::size_t i = 0; i < balls.size() && wrong.empty(); i += oracle_share) {
    const std::vector<std::int64_t> expected = oracle::within(restriction.view(world, i), balls[i]);
    if (std::equal(expected.begin(), expected.end(), within[i].begin(), within[i].end())) continue;
    wrong = "within " + describe(Sphere{balls[i].center, balls[i].radius});
  }
  CHECK(wrong == "");
}

/// Numbers of queries for a scene of n spheres: about the same work for every n. 1e5 paths in all in a long
/// run, a fifth as many in each of the scenes in which nearly all decisions need exact integers.
struct Effort {
  std::size_t spheres, queries, oracle_share;
};

constexpr Effort efforts[] = {{0, 50, 1},      {1, 1'000, 2},    {2, 1'000, 2},   {9, 2'000, 4},
                              {100, 1'500, 8}, {1'000, 400, 30}, {10'000, 40, 20}};

std::size_t queries_of(const Effort& effort, SceneKind scene_kind) {
  const std::size_t n = fewer_unless_all(effort.queries);
  return std::max<std::size_t>(is_exact_throughout(scene_kind) ? n / 5 : n,
                               8);  // at least one of each kind of input
}

}  // namespace

TEST_CASE("index, brute force and oracle give the same answers on scenes of every kind",
          "[property][answers]") {
  for (const SceneKind scene_kind : kinds_to_try()) {
    for (const Effort& effort : efforts) {
      if (sanitized() && effort.spheres > 1'000) continue;  // the same code as for 1,000
      Random random(seed(), 1000 * static_cast<std::uint64_t>(scene_kind) + effort.spheres);
      INFO(name(scene_kind) << ", " << effort.spheres << " spheres");
      const World world(scene_kind, effort.spheres, random);
      const std::size_t n = effort.spheres, queries = queries_of(effort, scene_kind),
                        share = effort.oracle_share;
      Questions questions = draw_questions(world.spheres, queries, queries / 4, random);
      questions.segments.resize(queries / 2), questions.bullets.resize(queries / 4);
      questions.k = std::min<std::size_t>(n, 7) + 2;
      check_searches(world, questions, random);
      check_paths(world, questions.rays, share, random);
      check_paths(world, questions.segments, share, random);
      check_nearest(world, questions.points, 1, share, random);
      check_nearest(world, questions.points, questions.k, 2 * share, random);
      check_within(world, questions.balls, share, random);
    }
  }
}

TEST_CASE("a sphere and a path that touches its silhouette, from near to 2^180 away", "[property][answers]") {
  Random random(seed());
  std::string wrong;
  for (int i = 0; i < fewer_in_repeats(10'000) && wrong.empty(); ++i) {
    const Sphere sphere{random.in_cube(1e13), random.log_uniform(1e-3, 1e13)};
    const double away = std::ldexp(sphere.radius, random.whole(0, 140));
    const Vec3 eye = sphere.center + away * random.direction(),
               side = cross(sphere.center - eye, random.direction());
    const Vec3 edge = sphere.center + sphere.radius / std::sqrt(dot(side, side)) * side;
    const Ray ray{eye, edge - eye, 0, infinity};
    const bool blocked = Scene::build(std::span(&sphere, 1)).blocked(ray);
    if (blocked != oracle::meets(oracle::sight(ray, sphere))) wrong = describe(ray) + ", " + describe(sphere);
  }
  CHECK(wrong == "");
}
