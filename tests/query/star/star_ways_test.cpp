/// \file Batches of segments and rays that share an end (ways to or from a star): the same bytes with a
/// star's index, without, and by brute force; when such an index is made, kept and dropped.

#include <algorithm>
#include <atomic>
#include <index/viewpoint/viewpoint_faces.hpp>
#include <memory_resource>
#include <new>
#include <scene/state.hpp>
#include <thread>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random;

constexpr std::size_t many_bodies = 4200, many_ways = 1100;  ///< enough for an index

std::vector<Sphere> star_belt(std::size_t n, Random& random, const Vec3& star = {}) {
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = random.between(0, 6.28), r = 1000 * std::sqrt(random.between(0.1, 1));
    spheres.push_back({star + Vec3{r * std::cos(a), r * std::sin(a), 30 * random.bell()},
                       std::min(20., std::pow(1 - random.unit(), -0.4))});
  }
  return spheres;
}

std::vector<Vec3> way_starts(const std::vector<Sphere>& spheres, Random& random) {
  std::vector<Vec3> found = test::make_points(spheres, many_ways, random);
  return found;
}

std::vector<Segment> ways_to(const Vec3& star, const std::vector<Vec3>& from) {
  std::vector<Segment> ways;
  for (const Vec3& place : from) ways.push_back({place, star});
  return ways;
}

/// Does the scene keep an index of the star?
bool keeps_index(const Scene& scene, const index::Viewpoint& star = {}) {
  return query::SceneAccess::state(scene).stars.ask(star, 0, UINT64_MAX).index != nullptr;
}
/// Notes so many rays to a star that the next batch builds its index.
void note_rays(const Scene& scene, const index::Viewpoint& star = {}) {
  (void)query::SceneAccess::state(scene).stars.ask(star, 1 << 20, UINT64_MAX);
}
std::uint64_t star_bytes(const Scene& scene) { return query::SceneAccess::state(scene).stars.bytes(); }
/// Asks a batch; is there an index of the point then?
bool gets_index(const Scene& scene, std::span<const Segment> ways, const QueryOptions& options = {}) {
  (void)scene.blocked(ways, options);
  return keeps_index(scene, ways[0].to);
}

/// Memory that can run out.
class Exhaustible final : public std::pmr::memory_resource {
 public:
  bool exhausted = false;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (exhausted) throw std::bad_alloc();
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

/// All answers of a batch.
struct WayAnswers {
  std::vector<std::uint8_t> blocked;
  std::vector<Hit> first;
  std::vector<SurfaceHit> surface;
  HitLists all;

  template <class Input>
  WayAnswers(const Scene& scene, const std::vector<Input>& ways, const QueryOptions& options)
      : blocked(scene.blocked(ways, options)),
        first(scene.first_hit(ways, options)),
        surface(scene.first_surface_hit(ways, options)),
        all(scene.all_hits(ways, options)) {}

  /// `lists` has all hits of the first ways. Do the answers to these ways agree with it?
  bool agree_with(const HitLists& lists) const {
    if (lists.size() == 0 || lists.size() > all.size()) return false;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const std::span<const Hit> hits = lists[i];
      if (!test::all_same(all[i], hits)) return false;
      const Hit nearest = hits.empty() ? Hit{} : hits[0];
      if (blocked[i] != !hits.empty() || !test::same(first[i], nearest) ||
          !test::same(static_cast<const Hit&>(surface[i]), nearest))
        return false;
    }
    return true;
  }
};

/// All hits of the ways, or of a tenth of them under sanitizers, by brute force.
template <class Input>
HitLists by_brute_force(const Scene& scene, const std::vector<Input>& ways, QueryOptions options) {
  options.search = Search::brute_force;
  const std::size_t some = test::fewer_in_repeats(ways.size());
  if (!options.ignore.empty()) options.ignore = options.ignore.first(some);
  if (!options.ignore_owners.empty()) options.ignore_owners = options.ignore_owners.first(some);
  if (!options.also_ignore_owners.empty())
    options.also_ignore_owners = options.also_ignore_owners.first(some);
  if (!options.layers_each.empty()) options.layers_each = options.layers_each.first(some);
  if (!options.times.empty()) options.times = options.times.first(some);
  return scene.all_hits(std::span(ways).first(some), options);
}

/// Checks answers through the index of a star, which the first batch builds unless there is one, against
/// brute force.
template <class Input>
void check_ways(const Scene& scene, const index::Viewpoint& star, const std::vector<Input>& ways,
                QueryOptions options = {}) {
  note_rays(scene, star);
  const WayAnswers first(scene, ways, options);
  CHECK(keeps_index(scene, star));
  const WayAnswers again(scene, ways, options);
  const HitLists brute = by_brute_force(scene, ways, options);
  CHECK(first.agree_with(brute));
  CHECK(again.agree_with(brute));
}

}  // namespace

TEST_CASE("ways to a star, rays to it and rays of an eye have the answers of brute force", "[query][stars]") {
  Random random(test::seed());
  for (const Vec3& star : {Vec3{}, Vec3{1e6, -2e5, 3.7}}) {
    const std::vector<Sphere> spheres = star_belt(many_bodies, random, star);
    const Scene scene = Scene::build(spheres);
    const std::vector<Vec3> from = way_starts(spheres, random);
    check_ways(scene, star, ways_to(star, from));
    std::vector<Ray> rays, eye;
    for (const Vec3& place : from) {
      const Vec3 d = star - place;
      rays.push_back({place, d, 0, 1});
      eye.push_back({star, place - star, 0, random.one_in(2) ? infinity : 1});
    }
    if (star == Vec3{}) check_ways(scene, star, rays);  // elsewhere the differences are rounded
    check_ways(scene, star, eye);
    // Parts of ways, also beyond the star and behind the eye, and some ways that go elsewhere.
    const auto part = [&] { return random.between(-0.2, 1.2); };
    for (std::size_t i = 0; i < many_ways; i += 3) {
      rays[i].t_min = part(), rays[i].t_max = part();
      eye[i].t_min = part(), eye[i].t_max = part();
    }
    for (std::size_t i = 0; i < many_ways; i += 7) rays[i].direction.x += 1e-9, eye[i].origin.y += 1e-9;
    for (const std::vector<Ray>& ways : {rays, eye}) {
      CHECK(WayAnswers(scene, ways, {}).agree_with(by_brute_force(scene, ways, {})));
    }
  }
}

TEST_CASE("rays of one direction have the answers of brute force through the index of a star at infinity",
          "[query][stars]") {
  Random random(test::seed());
  for (const Vec3& direction : {Vec3{1, 1, -1}, Vec3{-20, 18, 12}, Vec3{-0.1, 0.1, 0.1}}) {
    const std::vector<Sphere> spheres = star_belt(many_bodies, random, {1e6, -2e5, 3.7});
    const Scene scene = Scene::build(spheres);
    const std::vector<ViewpointIndex> held{scene.viewpoint_index(Star::at_infinity(direction, 0))};
    std::vector<Ray> rays;
    for (const Vec3& place : way_starts(spheres, random)) rays.push_back({place, direction});
    QueryStats stats;
    CHECK(WayAnswers(scene, rays, {.viewpoint_indexes = held, .stats = &stats})
              .agree_with(by_brute_force(scene, rays, {})));
    CHECK(stats.in_viewpoint_indexes > 2 * many_ways);
    for (std::size_t i = 0; i < many_ways; i += 3)
      rays[i].t_min = random.between(-100, 100), rays[i].t_max = random.between(-100, 900);
    for (std::size_t i = 1; i < many_ways; i += 7) rays[i].direction.x += 1e-9;        // another direction
    for (std::size_t i = 2; i < many_ways; i += 7) rays[i].origin = -1e6 * direction;  // far away
    for (std::size_t i = 3; i < many_ways; i += 7) rays[i].t_min = -infinity;
    CHECK(WayAnswers(scene, rays, {.viewpoint_indexes = held}).agree_with(by_brute_force(scene, rays, {})));
    CHECK(star_bytes(scene) == 0);  // batches of rays make none
  }
}

TEST_CASE("scenes of any kind have the answers of single queries with a star's index", "[query][stars]") {
  Random random(test::seed());
  for (int scene_kind = 0; scene_kind < test::scene_kind_count; ++scene_kind) {
    if (!random.one_in(4)) continue;  // each in one run of four on average: some decide most hits exactly
    const auto kind = static_cast<test::SceneKind>(scene_kind);
    if (test::sanitized() && test::is_exact_throughout(kind)) continue;  // minutes
    INFO(test::name(kind));
    const auto spheres = test::make_spheres(kind, many_bodies, random);
    const Scene scene = Scene::build(spheres);
    const Sphere& s = spheres[static_cast<std::size_t>(random.below(static_cast<int>(spheres.size())))];
    const Vec3 star =
        random.one_in(2) ? s.center + Vec3{2 * s.radius, 0, 0} : test::make_points(spheres, 1, random)[0];
    note_rays(scene, star);
    const auto ways = ways_to(star, test::make_points(spheres, many_ways, random));
    const std::size_t step = test::baseline_only() || test::is_exact_throughout(kind) ? 20 : 4;
    const std::vector<Hit> hits = scene.first_hit(ways);
    const std::vector<std::uint8_t> blocked = scene.blocked(ways);
    for (std::size_t i = 0; i < ways.size(); i += step) {  // single queries use the index in space
      REQUIRE(test::same(hits[i], scene.first_hit(ways[i])));
      REQUIRE((blocked[i] != 0) == scene.blocked(ways[i]));
    }
  }
}

TEST_CASE("ignored spheres, layers, owners and accept count on ways to a star", "[query][stars]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = star_belt(many_bodies, random);
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  std::vector<std::int64_t> ignore, ignore_owners, also_ignore_owners;
  for (std::size_t i = 0; i < many_bodies; ++i) {
    layers.push_back(static_cast<std::uint8_t>(random.below(3)));
    owners.push_back(static_cast<std::uint32_t>(random.below(5)));
  }
  const Scene scene = Scene::build(spheres, {.layers = layers, .owners = owners});
  const std::vector<Segment> ways = ways_to({}, way_starts(spheres, random));
  const std::vector<Hit> hits = scene.first_hit(ways);
  for (const Hit& hit : hits) {
    ignore.push_back(hit.sphere);
    ignore_owners.push_back(random.below(6) - 1), also_ignore_owners.push_back(random.below(6) - 1);
  }
  check_ways(scene, {}, ways, {.layers = 0b101});
  check_ways(scene, {}, ways, {.ignore = ignore});
  check_ways(scene, {}, ways, {.ignore_owners = ignore_owners});
  check_ways(scene, {}, ways, {.ignore_owners = ignore_owners, .also_ignore_owners = also_ignore_owners});
  check_ways(scene, {}, ways, {.accept = [](std::size_t i, std::int64_t id) {
               return (id + static_cast<std::int64_t>(i)) % 3 > 0;
             }});
  check_ways(scene, {}, ways, {.threads = 2, .grain = 5});
}

TEST_CASE("a star's index is made once it pays, kept, and dropped by changes", "[query][stars]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = star_belt(many_bodies, random);
  Scene scene = Scene::build(spheres);
  const std::vector<Vec3> from = way_starts(spheres, random);
  const std::vector<Segment> ways = ways_to({}, from);
  const std::span<const Segment> all(ways);
  const std::uint64_t without = scene.info().index_bytes;
  CHECK(!gets_index(scene, all));  // too few so far
  note_rays(scene);
  CHECK(gets_index(scene, all));
  const std::uint64_t bytes = star_bytes(scene);
  CHECK(bytes > 10 * many_bodies);
  CHECK(scene.info().index_bytes == without + bytes);
  // Two more points: the index that was used the longest ago makes room.
  for (const double x : {1.0, 2.0}) {
    note_rays(scene, Vec3{x, 0, 0});
    CHECK(gets_index(scene, ways_to({x, 0, 0}, from)));
  }
  CHECK(star_bytes(scene) < 2.5 * static_cast<double>(bytes));
  CHECK(!keeps_index(scene));
  CHECK(keeps_index(scene, Vec3{1, 0, 0}));

  std::vector<Vec3> centers;
  for (const Sphere& sphere : spheres) centers.push_back(sphere.center + Vec3{0, 0, 1});
  const std::vector<std::int64_t> id{17};
  const std::vector<double> radius{50};
  const std::vector<Vec3> center{{300, 1, 1}};
  const std::vector<std::function<void()>> changes{
      [&] { scene.update(centers); },
      [&] { scene.set_radii(id, radius); },
      [&] { scene.update(id, center); },
      [&] { scene.set_enabled(id, false); },
      [&] { scene.set_enabled(id, true); },
      [&] { scene.erase(id); },
      [&] { (void)scene.insert(std::vector<Sphere>{{{200, 0, 0}, 3}}); }};
  for (const auto& change : changes) {
    note_rays(scene);
    CHECK(gets_index(scene, all));
    change();
    CHECK(star_bytes(scene) == 0);
    check_ways(scene, {}, ways);
  }
}

TEST_CASE("starlight and irradiance have the answers of brute force through the stars' indexes",
          "[query][stars]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = star_belt(many_bodies, random);
  const Scene scene = Scene::build(spheres);
  std::vector<Observer> observers;
  std::vector<Receiver> receivers;
  for (const Vec3& place : way_starts(spheres, random)) {
    // From far away integers decide on each body before the star: minutes under sanitizers.
    const bool slow = test::sanitized() && std::sqrt(dot(place, place)) > 1e5 && !random.one_in(10);
    observers.push_back({slow ? random.in_cube(1000) : place});
  }
  for (const Observer& observer : observers) receivers.push_back({observer, {0, 0, 1}});
  const double radius = test::sanitized() ? 0.1 : 5;  // with 5, 57 discs overlap the star's: minutes
  const std::vector<Star> stars{Star::at({}, radius), Star::at({300, 1, 2}, radius / 10),
                                Star::at_infinity({1, -1, 0.9}, radius / 500), Star::at({0, 0, 200}, 0)};
  std::vector<Source> sources;
  for (const Star& star : stars)
    if (star.distance == Star::Distance::finite) sources.push_back({star, 1e6});
  const auto sun = index::Viewpoint::at_infinity({1, -1, 0.9});
  note_rays(scene), note_rays(scene, sun);
  const auto seen = scene.starlight(stars, observers);
  CHECK(keeps_index(scene));
  CHECK(keeps_index(scene, sun));
  const auto lit = scene.irradiance(sources, receivers);
  const std::size_t some = test::sanitized() ? 30 : test::fewer_in_repeats(many_ways);
  const std::span few = std::span<const Observer>(observers).first(some);
  const std::span few_seen = std::span(seen).first(some * stars.size());
  CHECK(test::all_same(few_seen, scene.starlight(stars, few, {.threads = 1})));
  const std::span few_receivers = std::span<const Receiver>(receivers).first(some);
  CHECK(test::all_same(few_seen, scene.starlight(stars, few, {.search = Search::brute_force})));
  CHECK(test::all_same(std::span(lit).first(some),
                       scene.irradiance(sources, few_receivers, {.search = Search::brute_force})));
}

TEST_CASE("a point as a star near a sphere has the starlight of brute force", "[query][stars]") {
  Random random(test::seed());
  std::vector<Sphere> spheres = star_belt(many_bodies, random);
  spheres.push_back({{0, 0, 1.5}, 1});  // too near to the star to be a disc in its index
  const Scene scene = Scene::build(spheres);
  note_rays(scene);
  std::vector<Observer> observers;
  for (std::size_t i = 0; i < many_ways; ++i)
    observers.push_back({{random.between(-0.1, 0.1), random.between(-0.1, 0.1), random.between(10, 20)}});
  const std::vector<Star> stars{Star::at({}, 0)};
  const auto seen = scene.starlight(stars, observers);
  CHECK(keeps_index(scene));
  CHECK(test::all_same(seen, scene.starlight(stars, observers, {.search = Search::brute_force})));
  for (const Visibility& one : seen) CHECK(one.fraction == 0);
}

TEST_CASE("a batch goes on without a star's index", "[query][stars]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = star_belt(many_bodies, random);
  const std::vector<Segment> ways = ways_to({}, way_starts(spheres, random));
  const Scene scene = Scene::build(spheres);
  const auto blocked = scene.blocked(ways);
  const HitLists brute = by_brute_force(scene, ways, {});
  for (std::size_t i = 0; i < brute.size(); ++i) REQUIRE(blocked[i] == !brute[i].empty());
  CHECK(!keeps_index(scene));
  note_rays(scene);
  SECTION("on the calling thread, or with working memory of the caller's") {
    Scratch scratch;
    CHECK(!gets_index(scene, ways, {.threads = 1}));
    CHECK(!gets_index(scene, ways, {.scratch = &scratch}));
    CHECK(gets_index(scene, ways));
    CHECK(scene.blocked(ways, {.threads = 1}) == blocked);
    CHECK(scene.blocked(ways, {.scratch = &scratch}) == blocked);
  }
  SECTION("where memory runs out") {
    Exhaustible memory;
    const Scene tight = Scene::build(spheres, {.memory = &memory});
    note_rays(tight);
    memory.exhausted = true;
    CHECK(tight.blocked(ways) == blocked);
    CHECK(!keeps_index(tight));
    CHECK_THROWS_AS(index::ViewpointFaces({}, {{spheres}}, {.memory_limit = many_bodies}), Error);
  }
  SECTION("where the batch is stopped while it is built") {
    std::stop_source source;
    source.request_stop();
    CHECK_THROWS_AS(scene.blocked(ways, {.stop = source.get_token()}), Error);
    CHECK(!keeps_index(scene));
    note_rays(scene);
    CHECK(gets_index(scene, ways));
  }
  SECTION("while another thread builds it") {
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int round = 0; round < 3; ++round) wrong += scene.blocked(ways) != blocked;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(keeps_index(scene));
  }
}

TEST_CASE("after builds that did not pay, more rays are needed for the next", "[query][stars]") {
  const std::vector<Sphere> spheres{{{1, 2, 3}, 1}};
  const query::ViewpointIndexes list;
  const auto offered = [&](double x, std::uint64_t rays) { return list.ask(Vec3{x, 0, 0}, rays, 100).build; };
  CHECK(!offered(1, 99));
  REQUIRE(offered(1, 1));
  CHECK(!offered(1, 1000));  // it is being built
  list.put(Vec3{1, 0, 0}, nullptr);
  CHECK(!offered(1, 1000));
  CHECK(!offered(2, 199));
  REQUIRE(offered(2, 1));
  list.put(Vec3{2, 0, 0}, std::make_shared<const index::ViewpointFaces>(
                              Vec3{2, 0, 0}, index::SphereSubset{{spheres}}, index::BuildControl{}));
  CHECK(offered(3, 100));
}

TEST_CASE("questions about other points leave a kept index", "[query][stars]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = star_belt(many_bodies, random);
  const std::vector<Vec3> starts = way_starts(spheres, random);
  const Scene scene = Scene::build(spheres);
  note_rays(scene);
  CHECK(gets_index(scene, ways_to({}, starts)));
  for (int i = 1; i <= 6; ++i) (void)scene.blocked(ways_to({10. * i, 0, 1}, starts), {.threads = 1});
  CHECK(keeps_index(scene));
}

TEST_CASE("a batch builds no index of a star that does not pay", "[query][stars]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = star_belt(many_bodies, random);
  const std::vector<Segment> ways = ways_to({}, way_starts(spheres, random));
  SECTION("where floats do not resolve a crowd that is far from the star, among other bodies") {
    std::vector<Sphere> crowd(spheres.begin(), spheres.begin() + many_bodies / 2);
    for (std::size_t i = crowd.size(); i < many_bodies; ++i)
      crowd.push_back({{1e10 + 3 * random.unit(), 3 * random.unit(), 3 * random.unit()}, 1e-3});
    const Scene far = Scene::build(crowd);
    note_rays(far);
    CHECK(WayAnswers(far, ways, {}).agree_with(by_brute_force(far, ways, {})));
    CHECK(!keeps_index(far));
  }
  SECTION("among spheres that move, at other times") {
    const std::vector<Vec3> velocities(many_bodies, {1, 2, 3});
    const Scene moving = Scene::build(spheres, {.velocities = velocities, .horizon = {0, 1}});
    check_ways(moving, {}, ways);
    const std::vector<double> times(many_ways, 0.5);
    const QueryOptions at{.times = times};
    CHECK(WayAnswers(moving, ways, at).agree_with(by_brute_force(moving, ways, at)));
  }
}

}  // namespace sphaera
