/// \file Scenes and buffers that change in C as they do in C++.

#include <array>
#include <atomic>
#include <cstdlib>
#include <tests/answer_bytes.hpp>
#include <tests/c/c_scene.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/seed.hpp>
#include <thread>

namespace sphaera::test {
namespace {

Bytes bytes_of(const Scene& scene, const std::vector<Ray>& rays) {
  Bytes out;
  out.put(std::uint64_t{scene.size()}), out.put(scene.first_hit(rays));
  out.put(scene.spheres()), out.put(scene.layers()), out.put(scene.velocities());
  for (const std::uint32_t owner : scene.owners()) out.put(std::uint64_t{owner});
  for (const std::uint32_t generation : scene.generations()) out.put(std::uint64_t{generation});
  for (std::size_t id = 0; id < scene.spheres().size(); ++id) {
    const auto i = static_cast<std::int64_t>(id);
    out.put(scene.contains(i)), out.put(scene.contains(i, 1)), out.put(scene.is_enabled(i));
  }
  return out;
}

template <class Item, class Row>
std::span<const Item> items(const Row* rows, std::size_t count) {
  return {reinterpret_cast<const Item*>(rows), rows != nullptr ? count : 0};
}

/// The same of a scene in C, by all that it says about its spheres.
Bytes c_bytes_of(const SphaeraScene* scene, const std::vector<Ray>& rays) {
  Bytes out;
  size_t size = 0;
  succeeds(sphaera_scene_size(scene, &size));
  std::vector<Hit> hits(rays.size());
  succeeds(sphaera_scene_first_hit(scene, c_rows<SphaeraRay>(rays), rays.size(), nullptr,
                                   c_rows<SphaeraHit>(hits)));
  SphaeraSceneArrays arrays{};
  arrays.size = sizeof arrays;
  succeeds(sphaera_scene_arrays(scene, &arrays));
  const std::size_t n = arrays.count;
  out.put(std::uint64_t{size}), out.put(hits);
  out.put(items<Sphere>(arrays.spheres, n)), out.put(items<std::uint8_t>(arrays.layers, n));
  out.put(items<Vec3>(arrays.velocities, n));
  for (const std::uint32_t owner : items<std::uint32_t>(arrays.owners, n)) out.put(std::uint64_t{owner});
  for (const std::uint32_t generation : items<std::uint32_t>(arrays.generations, n))
    out.put(std::uint64_t{generation});
  for (std::size_t id = 0; id < n; ++id) {
    const auto i = static_cast<std::int64_t>(id);
    std::array<std::int32_t, 3> says{};
    succeeds(sphaera_scene_contains(scene, i, &says[0]));
    succeeds(sphaera_scene_contains_generation(scene, i, 1, &says[1]));
    succeeds(sphaera_scene_is_enabled(scene, i, &says[2]));
    for (const std::int32_t yes : says) out.put(yes != 0);
  }
  return out;
}

void check_same(const UpdateResult& result, const SphaeraUpdateResult& c) {
  CHECK((c.rebuilt != 0) == result.rebuilt);
  CHECK(c.boxes == result.boxes);
  CHECK(c.degradation == result.degradation);
}

/// Numbers for a sequence of changes, and what both languages start from.
struct World {
  Random random{seed(), 31};
  std::vector<Sphere> spheres = make_spheres(SceneKind::crowd, 60, random),
                      more = make_spheres(SceneKind::crowd, 5, random);
  std::vector<Vec3> velocities = make_velocities(spheres, random),
                    more_velocities = make_velocities(more, random);
  std::vector<Ray> rays = make_rays(spheres, 50, random);
  std::vector<std::uint8_t> layers = std::vector<std::uint8_t>(60, 3), more_layers{0, 1, 2, 3, 4};
  std::vector<std::uint32_t> owners = std::vector<std::uint32_t>(60, 7), more_owners{9, 8, 7, 6, 5};
  std::vector<std::int64_t> some{3, 1, 41};
  std::vector<Vec3> centers = centers_of(make_spheres(SceneKind::crowd, 60, random)),
                    some_centers{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  std::vector<double> radii{0.5, 1.5, 2.5};
  std::vector<std::uint8_t> new_layers{9, 10, 11};
  BuildOptions build{.layers = layers,
                     .owners = owners,
                     .velocities = velocities,
                     .horizon = {-1, 2},
                     .quality = BuildQuality::fast,
                     .generations = true};
  UpdateOptions update{.rebuild = UpdateOptions::Rebuild::always, .threads = 1};
};

/// Functions of a scene and of a buffer in C, which take the same arguments.
struct Scenes {
  using Handle = SphaeraScene;
  static constexpr auto update = sphaera_scene_update;
  static constexpr auto update_some = sphaera_scene_update_some;
  static constexpr auto insert = sphaera_scene_insert;
  static constexpr auto insert_rows = sphaera_scene_insert_rows;
  static constexpr auto erase = sphaera_scene_erase;
  static constexpr auto set_enabled = sphaera_scene_set_enabled;
  static constexpr auto set_radii = sphaera_scene_set_radii;
  static constexpr auto set_layers = sphaera_scene_set_layers;

  static Bytes bytes(SphaeraScene* scene, const std::vector<Ray>& rays) { return c_bytes_of(scene, rays); }
};
struct Buffers {
  using Handle = SphaeraBuffer;
  static constexpr auto update = sphaera_buffer_update;
  static constexpr auto update_some = sphaera_buffer_update_some;
  static constexpr auto insert = sphaera_buffer_insert;
  static constexpr auto insert_rows = sphaera_buffer_insert_rows;
  static constexpr auto erase = sphaera_buffer_erase;
  static constexpr auto set_enabled = sphaera_buffer_set_enabled;
  static constexpr auto set_radii = sphaera_buffer_set_radii;
  static constexpr auto set_layers = sphaera_buffer_set_layers;

  static Bytes bytes(SphaeraBuffer* buffer, const std::vector<Ray>& rays) {
    OwnedScene snapshot;
    succeeds(sphaera_buffer_current(buffer, &snapshot));
    return c_bytes_of(snapshot, rays);
  }
};

/// Makes the same changes in both languages and compares after each.
template <class Functions>
void check_changes(const World& w, Scene scene, typename Functions::Handle* handle) {
  using F = Functions;
  const auto compare = [&](SphaeraStatus status) {
    succeeds(status);
    CHECK((F::bytes(handle, w.rays) == bytes_of(scene, w.rays)));
  };
  SphaeraUpdateOptions options = initialized(sphaera_update_options_init);
  SphaeraUpdateResult result{};
  result.size = sizeof result;
  const std::size_t few = w.some.size();
  const SphaeraRows to = rows_of(w.centers), with = rows_of(w.velocities), some_to = rows_of(w.some_centers);

  UpdateResult expected = scene.update(w.centers, w.velocities);
  compare(F::update(handle, &to, &with, nullptr, &result));
  check_same(expected, result);
  options.rebuild = SPHAERA_REBUILD_ALWAYS, options.threads = 1;
  expected = scene.update(w.centers, {}, w.update);
  compare(F::update(handle, &to, nullptr, &options, &result));
  check_same(expected, result);
  UpdateOptions at = w.update;
  at.at_time = options.at_time = 0.5;
  scene.update(w.some, w.some_centers, {}, at);
  compare(F::update_some(handle, w.some.data(), &some_to, nullptr, &options, nullptr));

  scene.erase(w.some);
  compare(F::erase(handle, w.some.data(), few, nullptr));
  InsertOptions insert{.layers = w.more_layers, .owners = w.more_owners, .velocities = w.more_velocities};
  SphaeraInsertOptions c_insert = initialized(sphaera_insert_options_init);
  c_insert.layers = w.more_layers.data(), c_insert.owners = w.more_owners.data();
  c_insert.velocities = c_rows<SphaeraVec3>(w.more_velocities);
  std::vector<std::int64_t> ids(w.more.size());
  const std::vector<std::int64_t> expected_ids = scene.insert(w.more, insert);
  compare(F::insert(handle, c_rows<SphaeraSphere>(w.more), ids.size(), &c_insert, ids.data()));
  CHECK(ids == expected_ids);
  const SphaeraRows radii{w.radii.data(), few, sizeof(double), SPHAERA_DOUBLE, 0};
  std::vector<std::int64_t> some_ids(few);
  scene.insert(SphereRows{w.some_centers, w.radii}, some_ids);
  compare(F::insert_rows(handle, &some_to, &radii, nullptr, nullptr, ids.data()));
  CHECK(std::vector(ids.begin(), ids.begin() + 3) == some_ids);

  scene.set_enabled(w.some, false);
  compare(F::set_enabled(handle, w.some.data(), few, 0, nullptr));
  scene.set_enabled({w.some.data(), 2}, true);
  compare(F::set_enabled(handle, w.some.data(), 2, 1, nullptr));
  scene.set_radii(w.some, w.radii);
  compare(F::set_radii(handle, w.some.data(), few, w.radii.data(), nullptr));
  scene.set_layers(w.some, w.new_layers);
  compare(F::set_layers(handle, w.some.data(), few, w.new_layers.data()));
}

int stops(void* user, double) {
  ++*static_cast<std::atomic<int>*>(user);
  return 1;
}

/// Erases sphere 0, unless the user's number is 1.
int erase_first(void* user, SphaeraScene* scene) {
  const std::int64_t id = 0;
  succeeds(sphaera_scene_erase(scene, &id, 1, nullptr));
  CHECK(sphaera_scene_destroy(scene) == SPHAERA_INVALID_ARGUMENT);
  return *static_cast<int*>(user);
}
SphaeraScene* kept_scene = nullptr;
int keep_scene(void*, SphaeraScene* scene) {
  kept_scene = scene;
  return 0;
}

struct Blocks {
  std::atomic<std::size_t> bytes = 0;
};
int allocate(void* user, size_t bytes, size_t alignment, void** block) {
  static_cast<Blocks*>(user)->bytes += bytes;
  *block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  return *block != nullptr ? 0 : 1;
}
int deallocate(void* user, void* block, size_t bytes, size_t) {
  static_cast<Blocks*>(user)->bytes -= bytes;
  std::free(block);
  return 0;
}
int allocate_nothing(void*, size_t, size_t, void**) { return 1; }

}  // namespace

TEST_CASE("a scene changes in C as in C++", "[c]") {
  const World w;
  OwnedScene scene;
  const SphaeraBuildOptions options = c_options(w.build);
  succeeds(sphaera_scene_build(c_rows<SphaeraSphere>(w.spheres), w.spheres.size(), &options, &scene));
  check_changes<Scenes>(w, Scene::build(w.spheres, w.build), scene);
}

TEST_CASE("a buffer changes in C as a scene does in C++", "[c]") {
  const World w;
  OwnedBuffer buffer;
  const SphaeraBuildOptions options = c_options(w.build);
  succeeds(sphaera_buffer_build(c_rows<SphaeraSphere>(w.spheres), w.spheres.size(), 2, &options, &buffer));
  check_changes<Buffers>(w, Scene::build(w.spheres, w.build), buffer);
}

TEST_CASE("a scene is built in C from floats, any distance apart", "[c]") {
  const struct Agent {
    float center[3], velocity[3], radius;
  } agents[]{{{1, 2, 3}, {0, 0, 1}, 0.5f}, {{4, 5, 6}, {0, 1, 0}, 0.25f}};
  const auto rows = [&](const float* first) {
    return SphaeraRows{first, 2, sizeof(Agent), SPHAERA_FLOAT, 0};
  };
  const SphaeraRows centers = rows(agents[0].center), radii = rows(&agents[0].radius),
                    velocities = rows(agents[0].velocity);
  SphaeraBuildOptions options = initialized(sphaera_build_options_init);
  options.horizon_from = 0, options.horizon_to = 1;
  OwnedScene scene;
  succeeds(sphaera_scene_build_rows(&centers, &radii, &velocities, &options, &scene));
  const std::vector<Sphere> spheres{{{1, 2, 3}, 0.5}, {{4, 5, 6}, 0.25}};
  const std::vector<Vec3> moves{{0, 0, 1}, {0, 1, 0}};
  const std::vector<Ray> rays{{{1, 2, -3}, {0, 0, 1}}};
  CHECK((c_bytes_of(scene, rays) ==
         bytes_of(Scene::build(spheres, {.velocities = moves, .horizon = {0, 1}}), rays)));
}

TEST_CASE("info, frames and owners are in C those of C++", "[c]") {
  const World w;
  OwnedScene c_scene;
  const SphaeraBuildOptions options = c_options(w.build);
  succeeds(sphaera_scene_build(c_rows<SphaeraSphere>(w.spheres), w.spheres.size(), &options, &c_scene));
  const Scene scene = Scene::build(w.spheres, w.build);
  const SceneInfo info = scene.info();
  SphaeraSceneInfo c{};
  c.size = sizeof c;
  succeeds(sphaera_scene_info(c_scene, &c));
  std::vector<FrameLevel> frames(c.frame_levels);
  size_t count = 0;
  succeeds(sphaera_scene_frames(c_scene, c_rows<SphaeraFrameLevel>(frames), frames.size(), &count));
  CHECK(count == frames.size());
  const auto vec = [](const SphaeraVec3& v) { return Vec3{v.x, v.y, v.z}; };
  Bytes found, expected;
  found.put(SceneInfo{c.spheres, vec(c.lower), vec(c.upper), c.radius_min, c.radius_max, vec(c.frame_center),
                      vec(c.frame_half_size), c.inflation, c.boxes, c.degradation, frames, c.sphere_bytes});
  expected.put(info);
  CHECK((found == expected));
  CHECK(c.index_bytes == info.index_bytes);
  CHECK(c.index_peak_bytes == info.index_peak_bytes);

  const std::vector<Hit> hits = scene.first_hit(w.rays);
  std::vector<std::uint32_t> owners(hits.size());
  const auto* const c_hits = c_rows<SphaeraHit>(hits);
  succeeds(sphaera_scene_owners_of(c_scene, &c_hits->sphere, hits.size(), sizeof *c_hits, owners.data()));
  CHECK(owners == scene.owners_of(hits));
}

TEST_CASE("a buffer keeps snapshots, adopts scenes, and drops an edit that fails", "[c]") {
  const std::vector<Sphere> one{{{0, 0, 0}, 1}, {{9, 0, 0}, 1}};
  OwnedScene built;
  succeeds(sphaera_scene_build(c_rows<SphaeraSphere>(one), 2, nullptr, &built));
  SphaeraScene* const given = built;
  OwnedBuffer buffer;
  succeeds(sphaera_buffer_build_from(built, 1, &buffer));
  size_t size = 0;
  CHECK(sphaera_scene_size(given, &size) == SPHAERA_INVALID_ARGUMENT);  // it belongs to the buffer now

  int result = 1;
  CHECK(sphaera_buffer_change(buffer, &result, erase_first) == SPHAERA_CANCELLED);
  OwnedScene before, after, older;
  succeeds(sphaera_buffer_current(buffer, &before));
  result = 0;
  succeeds(sphaera_buffer_change(buffer, &result, erase_first));
  succeeds(sphaera_buffer_current(buffer, &after));
  succeeds(sphaera_scene_size(before, &size));
  CHECK(size == 2);
  succeeds(sphaera_scene_size(after, &size));
  CHECK(size == 1);
  size_t snapshots = 0;
  succeeds(sphaera_buffer_snapshots(buffer, &snapshots));
  CHECK(snapshots == 2);
  succeeds(sphaera_buffer_past(buffer, 1, &older));
  succeeds(sphaera_scene_size(older, &size));
  CHECK(size == 2);
  SphaeraScene* none = nullptr;
  CHECK(sphaera_buffer_past(buffer, 2, &none) == SPHAERA_INVALID_ARGUMENT);
  const std::int64_t id = 1;
  CHECK(sphaera_scene_erase(after, &id, 1, nullptr) == SPHAERA_INVALID_ARGUMENT);  // a snapshot
  CHECK(sphaera_buffer_adopt(buffer, after) == SPHAERA_INVALID_ARGUMENT);

  const std::vector<Vec3> centers{{0, 0, 0}, {5, 5, 5}};
  const SphaeraRows to = rows_of(centers);
  succeeds(sphaera_buffer_update_then(buffer, &to, nullptr, nullptr, nullptr, keep_scene, nullptr));
  CHECK(sphaera_scene_size(kept_scene, &size) == SPHAERA_INVALID_ARGUMENT);  // ended with the edit

  OwnedScene other;
  succeeds(sphaera_scene_build(c_rows<SphaeraSphere>(one), 2, nullptr, &other));
  succeeds(sphaera_buffer_adopt(buffer, other));
  OwnedScene adopted;
  succeeds(sphaera_buffer_current(buffer, &adopted));
  succeeds(sphaera_scene_size(adopted, &size));
  CHECK(size == 2);
}

TEST_CASE("progress and a stop end a build", "[c]") {
  const World w;
  SphaeraBuildOptions options = initialized(sphaera_build_options_init);
  std::atomic<int> calls = 0;
  options.progress = stops, options.progress_user = &calls;
  SphaeraScene* scene = nullptr;
  CHECK(sphaera_scene_build(c_rows<SphaeraSphere>(w.spheres), 60, &options, &scene) == SPHAERA_CANCELLED);
  CHECK(std::string(sphaera_error_subject()) == "progress");
  CHECK(calls > 0);
  CHECK(scene == nullptr);

  OwnedStop stop;
  succeeds(sphaera_stop_create(&stop));
  options = initialized(sphaera_build_options_init);
  options.stop = stop;
  std::thread([&] { sphaera_stop_request(stop); }).join();
  CHECK(sphaera_scene_build(c_rows<SphaeraSphere>(w.spheres), 60, &options, &scene) == SPHAERA_CANCELLED);
}

TEST_CASE("a scene uses memory of the caller's, which must outlive it", "[c]") {
  const World w;
  Blocks blocks;
  SphaeraMemory* memory = nullptr;
  succeeds(sphaera_memory_create(&blocks, allocate, deallocate, &memory));
  SphaeraBuildOptions options = c_options(w.build);
  options.memory = memory;
  SphaeraScene* scene = nullptr;
  succeeds(sphaera_scene_build(c_rows<SphaeraSphere>(w.spheres), 60, &options, &scene));
  CHECK(blocks.bytes > 60 * sizeof(Sphere));
  CHECK(sphaera_memory_destroy(memory) == SPHAERA_BUSY);
  succeeds(sphaera_scene_destroy(scene));
  CHECK(blocks.bytes == 0);
  succeeds(sphaera_memory_destroy(memory));

  OwnedMemory none;
  succeeds(sphaera_memory_create(nullptr, allocate_nothing, deallocate, &none));
  options.memory = none;
  CHECK(sphaera_scene_build(c_rows<SphaeraSphere>(w.spheres), 60, &options, &scene) == SPHAERA_OUT_OF_MEMORY);
}

}  // namespace sphaera::test
