/// \file Wrong use gives a status and a text; nothing aborts, nothing is read that is not there.

#include <atomic>
#include <limits>
#include <tests/c/c_scene.hpp>
#include <thread>

namespace sphaera::test {
namespace {

constexpr SphaeraSphere ball{{0, 0, 0}, 1};
constexpr SphaeraRay ray{{-5, 0, 0}, {1, 0, 0}, 0, std::numeric_limits<double>::infinity()};

/// Checks that a call is refused, and how the error's text begins.
void refused(SphaeraStatus status, const std::string& text) {
  CHECK(status == SPHAERA_INVALID_ARGUMENT);
  CHECK(sphaera_error_status() == SPHAERA_INVALID_ARGUMENT);
  CHECK(std::string(sphaera_error_text()).substr(0, text.size()) == text);
}

struct Small {
  OwnedScene scene;
  SphaeraHit hit{};

  Small() { succeeds(sphaera_scene_build(&ball, 1, nullptr, &scene)); }
};

}  // namespace

TEST_CASE("before the first error of a thread there is none", "[c]") {
  std::thread([] {
    CHECK(sphaera_error_status() == SPHAERA_OK);
    CHECK(std::string(sphaera_error_text()).empty());
    CHECK(std::string(sphaera_error_subject()).empty());
    CHECK(std::string(sphaera_error_reason()).empty());
    CHECK(sphaera_error_element() == -1);
  }).join();
  CHECK(std::string(sphaera_version()) == SPHAERA_VERSION);
  CHECK(sphaera_abi_version() == 1);
}

TEST_CASE("an error has text, subject, reason and element, on its own thread", "[c]") {
  Small small;
  const SphaeraRay rays[]{ray, {{0, 0, 0}, {0, 0, 0}, 0, 1}};
  SphaeraHit hits[2];
  refused(sphaera_scene_first_hit(small.scene, rays, 2, nullptr, hits), "ray 1: ");
  CHECK(std::string(sphaera_error_subject()) == "ray 1");
  CHECK(std::string(sphaera_error_text()) == "ray 1: " + std::string(sphaera_error_reason()));
  CHECK(sphaera_error_element() == 1);
  std::thread([] { CHECK(sphaera_error_status() == SPHAERA_OK); }).join();
  succeeds(sphaera_scene_first_hit(small.scene, rays, 1, nullptr, hits));
  CHECK(sphaera_error_element() == 1);  // a call that succeeds keeps the last error
}

TEST_CASE("null, destroyed, foreign and invented handles are refused", "[c]") {
  Small small;
  refused(sphaera_scene_first_hit(nullptr, &ray, 1, nullptr, &small.hit), "scene: is NULL");
  SphaeraScene* scene = nullptr;
  succeeds(sphaera_scene_build(&ball, 1, nullptr, &scene));
  succeeds(sphaera_scene_destroy(scene));
  refused(sphaera_scene_first_hit(scene, &ray, 1, nullptr, &small.hit), "scene: is no handle, or was");
  refused(sphaera_scene_destroy(scene), "scene: is no handle, or was destroyed");
  OwnedScene again;  // in the same slot
  succeeds(sphaera_scene_build(&ball, 1, nullptr, &again));
  refused(sphaera_scene_destroy(scene), "scene: is no handle, or was destroyed");
  OwnedLists lists;
  succeeds(sphaera_lists_create(&lists));
  auto* const foreign = reinterpret_cast<SphaeraScene*>(static_cast<SphaeraLists*>(lists));
  refused(sphaera_scene_first_hit(foreign, &ray, 1, nullptr, &small.hit), "scene: is a handle of another");
  for (const std::uint64_t bits : {1ull, 0x100000000ull << 20, 0x7fffdeadbeefull, ~0ull}) {
    size_t size = 0;
    refused(sphaera_scene_size(reinterpret_cast<SphaeraScene*>(bits), &size), "scene: is no handle");
  }
  auto* const on_the_stack = reinterpret_cast<SphaeraScene*>(&small.hit);
  refused(sphaera_scene_destroy(on_the_stack), "scene: is no handle");
  succeeds(sphaera_scene_destroy(nullptr));
}

TEST_CASE("null and misaligned arrays and places are refused", "[c]") {
  Small small;
  refused(sphaera_scene_first_hit(small.scene, nullptr, 1, nullptr, &small.hit), "rays: is NULL");
  refused(sphaera_scene_first_hit(small.scene, &ray, 1, nullptr, nullptr), "out: is NULL");
  succeeds(sphaera_scene_first_hit(small.scene, nullptr, 0, nullptr, nullptr));
  const auto* const shifted = reinterpret_cast<const SphaeraRay*>(reinterpret_cast<const char*>(&ray) + 1);
  refused(sphaera_scene_first_hit(small.scene, shifted, 1, nullptr, &small.hit), "rays: is not aligned");
  refused(sphaera_scene_first_hit(small.scene, &ray, ~size_t{0}, nullptr, &small.hit), "");
  CHECK(std::string(sphaera_error_reason()) == "has more rows than memory");
  refused(sphaera_scene_first_hit_ray(small.scene, nullptr, nullptr, &small.hit), "ray: is NULL");
  refused(sphaera_scene_size(small.scene, nullptr), "spheres: is NULL");
  refused(sphaera_scene_build(&ball, 1, nullptr, nullptr), "scene: is NULL");
  refused(sphaera_scene_all_hits(small.scene, &ray, 1, nullptr, nullptr), "lists: is NULL");
  refused(sphaera_scene_all_hits_ray(small.scene, &ray, nullptr, &small.hit, 1, nullptr), "found: is NULL");
  SphaeraRows rows{nullptr, 1, 24, SPHAERA_DOUBLE, 0};
  refused(sphaera_scene_update(small.scene, &rows, nullptr, nullptr, nullptr), "centers: begin at NULL");
  rows = {&ball, 1, 24, 7, 0};
  refused(sphaera_scene_update(small.scene, &rows, nullptr, nullptr, nullptr), "centers: have an unknown");
  refused(sphaera_scene_update(small.scene, nullptr, nullptr, nullptr, nullptr), "");
}

TEST_CASE("too little room for answers is refused", "[c]") {
  Small small;
  SphaeraNeighbor neighbors[3];
  const SphaeraVec3 point{1, 2, 3};
  refused(sphaera_scene_nearest(small.scene, &point, 1, 3, nullptr, neighbors, 2), "");
  const SphaeraStar star{0, {0, 0, 9}, 1, {}, 0, {}};
  const SphaeraObserver observer{{0, 0, -9}, -1};
  SphaeraVisibility seen;
  refused(sphaera_scene_starlight(small.scene, &star, 1, &observer, 1, nullptr, &seen, 0), "");
  const double resistances[2]{1, 1};
  SphaeraFlightOptions flight = initialized(sphaera_flight_options_init);
  flight.resistances = resistances, flight.material_count = 2;  // the scene has one sphere
  const SphaeraBullet bullet{{-5, 0, 0}, {1, 0, 0}, 0, 0, 9};
  SphaeraImpact impact;
  refused(sphaera_scene_first_impact(small.scene, &bullet, 1, &flight, nullptr, &impact), "");
  flight.material_count = 0;
  refused(sphaera_scene_first_impact(small.scene, &bullet, 1, &flight, nullptr, &impact),
          "material_count: is 0");
}

TEST_CASE("options of a wrong size or with unknown fields are refused", "[c]") {
  Small small;
  SphaeraQueryOptions options{};
  refused(sphaera_scene_first_hit(small.scene, &ray, 1, &options, &small.hit), "query options: have a wrong");
  options.size = ~size_t{0};
  refused(sphaera_scene_first_hit(small.scene, &ray, 1, &options, &small.hit), "query options: have a wrong");
  refused(sphaera_query_options_init(&options, 8), "options: have a wrong size");
  refused(sphaera_query_options_init(nullptr, sizeof options), "options: is NULL");

  struct Newer {  // of a later version
    SphaeraQueryOptions options;
    double field;
  } newer;
  succeeds(sphaera_query_options_init(&newer.options, sizeof newer));
  CHECK(newer.field == 0);
  succeeds(sphaera_scene_first_hit(small.scene, &ray, 1, &newer.options, &small.hit));
  newer.field = 1;
  refused(sphaera_scene_first_hit(small.scene, &ray, 1, &newer.options, &small.hit),
          "query options: have fields that this version");
  SphaeraUpdateResult result{};
  const SphaeraVec3 center{7, 7, 7};
  const SphaeraRows centers{&center, 1, 24, SPHAERA_DOUBLE, 0};
  refused(sphaera_scene_update(small.scene, &centers, nullptr, nullptr, &result), "result: has a wrong size");
  SphaeraSceneArrays arrays{};
  arrays.size = sizeof arrays;
  succeeds(sphaera_scene_arrays(small.scene, &arrays));
  CHECK(arrays.spheres[0].center.x == 0);  // nothing has changed
  SphaeraSceneInfo info{};
  refused(sphaera_scene_info(small.scene, &info), "info: has a wrong size");

  options = initialized(sphaera_query_options_init);
  for (const std::int32_t search : {-1, 3, 256, 257}) {
    options.search = search;
    refused(sphaera_scene_first_hit(small.scene, &ray, 1, &options, &small.hit), "");
  }
  SphaeraBuildOptions build = initialized(sphaera_build_options_init);
  build.reserved = 1;
  SphaeraScene* scene = nullptr;
  refused(sphaera_scene_build(&ball, 1, &build, &scene), "options: have a field `reserved`");
}

TEST_CASE("lists tell the type of their items", "[c]") {
  Small small;
  OwnedLists lists;
  succeeds(sphaera_lists_create(&lists));
  succeeds(sphaera_scene_all_hits(small.scene, &ray, 1, nullptr, lists));
  const std::int64_t* ids = nullptr;
  size_t count = 0;
  refused(sphaera_lists_ids(lists, &ids, &count), "lists: hold items of another type");
  refused(sphaera_lists_offsets(lists, nullptr, &count), "offsets: is NULL");
  const SphaeraHit* hits = nullptr;
  succeeds(sphaera_lists_hits(lists, &hits, &count));
  CHECK(count == 1);
}

namespace {

struct Nested {
  SphaeraScene* scene;
  SphaeraScratch* scratch;
  SphaeraStatus inner = SPHAERA_OK;
};
/// A second query with the scratch of the one that asks.
int ask_again(void* user, size_t, int64_t) {
  auto& nested = *static_cast<Nested*>(user);
  SphaeraQueryOptions options = initialized(sphaera_query_options_init);
  options.scratch = nested.scratch;
  SphaeraHit hit;
  nested.inner = sphaera_scene_first_hit(nested.scene, &ray, 1, &options, &hit);
  return 1;
}
int ends(void*, size_t, int64_t) { return -1; }
int query_while_changing(void* user, double) {
  auto& nested = *static_cast<Nested*>(user);
  SphaeraHit hit;
  nested.inner = sphaera_scene_first_hit(nested.scene, &ray, 1, nullptr, &hit);
  if (nested.inner == SPHAERA_BUSY) nested.inner = sphaera_scene_destroy(nested.scene);
  return 0;
}

}  // namespace

TEST_CASE("what only one call may use is busy for a second one", "[c]") {
  Small small;
  OwnedScratch scratch;
  succeeds(sphaera_scratch_create(&scratch));
  Nested nested{small.scene, scratch};
  SphaeraQueryOptions options = initialized(sphaera_query_options_init);
  options.scratch = scratch, options.threads = 1;
  options.accept = ask_again, options.accept_user = &nested;
  succeeds(sphaera_scene_first_hit(small.scene, &ray, 1, &options, &small.hit));
  CHECK(nested.inner == SPHAERA_BUSY);
  options.accept = ends;
  CHECK(sphaera_scene_first_hit(small.scene, &ray, 1, &options, &small.hit) == SPHAERA_CANCELLED);

  SphaeraUpdateOptions update = initialized(sphaera_update_options_init);
  update.rebuild = SPHAERA_REBUILD_ALWAYS;
  update.progress = query_while_changing, update.progress_user = &nested;
  nested.inner = SPHAERA_OK;
  const SphaeraRows centers{&ball, 1, 24, SPHAERA_DOUBLE, 0};
  succeeds(sphaera_scene_update(small.scene, &centers, nullptr, &update, nullptr));
  CHECK(nested.inner == SPHAERA_BUSY);
}

TEST_CASE("a stop ends queries and searches; the lists are then empty", "[c]") {
  Small small;
  OwnedStop stop;
  OwnedLists lists;
  succeeds(sphaera_stop_create(&stop));
  succeeds(sphaera_lists_create(&lists));
  SphaeraQueryOptions options = initialized(sphaera_query_options_init);
  options.stop = stop;
  succeeds(sphaera_scene_all_hits(small.scene, &ray, 1, &options, lists));
  succeeds(sphaera_stop_request(stop));
  CHECK(sphaera_scene_all_hits(small.scene, &ray, 1, &options, lists) == SPHAERA_CANCELLED);
  const std::uint64_t* offsets = nullptr;
  size_t count = 1;
  succeeds(sphaera_lists_offsets(lists, &offsets, &count));
  CHECK(count == 0);

  OwnedMotion rest;
  const SphaeraVec3 origin{0, 0, 0};
  succeeds(sphaera_motion_create_linear(&origin, nullptr, &rest));
  const SphaeraMovingStar star{{0, {9, 0, 0}, 1, {0, 0, 0}, 0, {}}, nullptr};
  const SphaeraMovingObserver observer{rest, -1};
  SphaeraContactOptions search = initialized(sphaera_contact_options_init);
  search.stop = stop;
  CHECK(sphaera_contact_times(&star, &observer, nullptr, 0, 0, 1, &search, lists) == SPHAERA_CANCELLED);
  const SphaeraMovingSphere body{rest, 0.5};
  CHECK(sphaera_shadow_contacts(&star, &body, &body, 1, 0, 1, &search, lists) == SPHAERA_CANCELLED);
  succeeds(sphaera_lists_offsets(lists, &offsets, &count));
  CHECK(count == 0);

  SphaeraStop* ended = nullptr;
  succeeds(sphaera_stop_create(&ended));
  succeeds(sphaera_stop_destroy(ended));
  options.stop = ended;
  refused(sphaera_scene_all_hits(small.scene, &ray, 1, &options, lists), "stop: is no handle");
}

TEST_CASE("threads share a scene, and each has handles of its own", "[c]") {
  Small small;
  std::atomic<int> wrong = 0;
  const auto work = [&] {
    for (int i = 0; i < 300; ++i) {
      SphaeraScene* own = nullptr;
      SphaeraHit hit{};
      const bool right = sphaera_scene_build(&ball, 1, nullptr, &own) == SPHAERA_OK &&
                         sphaera_scene_first_hit_ray(own, &ray, nullptr, &hit) == SPHAERA_OK &&
                         sphaera_scene_first_hit_ray(small.scene, &ray, nullptr, &hit) == SPHAERA_OK &&
                         hit.t_enter == 4 && sphaera_scene_destroy(own) == SPHAERA_OK &&
                         sphaera_scene_destroy(own) == SPHAERA_INVALID_ARGUMENT;
      if (!right) ++wrong;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(work);
  }
  CHECK(wrong == 0);
}

}  // namespace sphaera::test
