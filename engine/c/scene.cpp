#include <algorithm>
#include <c/changes.hpp>

namespace sphaera::c {

namespace {

/// Calls ask(scene) while no call changes it.
template <class Ask>
SphaeraStatus look(const SphaeraScene* scene, Ask ask) noexcept {
  return call([&] { ask(readable<SceneObject>(scene).scene()); });
}

/// Null for an array that the scene does not have.
template <class Row, class Item>
const Row* array(std::span<const Item> items) {
  return items.empty() ? nullptr : c_rows<Row>(items.data());
}

SphaeraVec3 c_vector(const Vec3& v) { return {v.x, v.y, v.z}; }

void put_info(const SceneInfo& info, SphaeraSceneInfo& out) {
  out.spheres = info.spheres;
  out.lower = c_vector(info.lower), out.upper = c_vector(info.upper);
  out.radius_min = info.radius_min, out.radius_max = info.radius_max;
  out.frame_center = c_vector(info.frame_center), out.frame_half_size = c_vector(info.frame_half_size);
  out.inflation = info.inflation, out.boxes = info.boxes, out.degradation = info.degradation;
  out.frame_levels = info.frames.size();
  out.sphere_bytes = info.sphere_bytes, out.index_bytes = info.index_bytes;
  out.viewpoint_index_bytes = info.viewpoint_index_bytes;
  out.index_peak_bytes = info.index_peak_bytes, out.embree_bytes = info.embree_bytes;
}

}  // namespace
}  // namespace sphaera::c

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_scene_build(const SphaeraSphere* spheres, size_t count,
                                  const SphaeraBuildOptions* options, SphaeraScene** scene) {
  return call([&] {
    place(scene, "scene");
    Scene built = Scene::build(rows_of(spheres, count, "spheres"), build_options(options, count));
    give(std::make_unique<SceneObject>(std::move(built)), scene);
  });
}
SphaeraStatus sphaera_scene_build_rows(const SphaeraRows* centers, const SphaeraRows* radii,
                                       const SphaeraRows* velocities, const SphaeraBuildOptions* options,
                                       SphaeraScene** scene) {
  return call([&] {
    place(scene, "scene");
    const SphereRows rows{vectors_of(centers, "centers"), numbers_of(radii, "radii"),
                          vectors_of(velocities, "velocities")};
    Scene built = Scene::build(rows, build_options(options, rows.centers.size()));
    give(std::make_unique<SceneObject>(std::move(built)), scene);
  });
}
SphaeraStatus sphaera_scene_destroy(SphaeraScene* scene) { return destroy<SceneObject>(scene); }

SphaeraStatus sphaera_scene_save(const SphaeraScene* scene, const char* path,
                                 const SphaeraSaveOptions* options) {
  return look(scene, [&](const Scene& s) { s.save(text_of(path, "path"), save_options(options)); });
}
SphaeraStatus sphaera_scene_open(const char* path, const SphaeraOpenOptions* options, SphaeraScene** scene) {
  return call([&] {
    place(scene, "scene");
    std::vector<std::byte> attachment;
    OpenOptions opening = open_options(options);
    opening.attachment = &attachment;
    auto opened = std::make_unique<SceneObject>(Scene::open(text_of(path, "path"), opening));
    opened->attachment = std::move(attachment);
    give(std::move(opened), scene);
  });
}
SphaeraStatus sphaera_scene_attachment(const SphaeraScene* scene, const void** bytes, size_t* count) {
  return call([&] {
    const std::vector<std::byte>& attachment = std::as_const(readable<SceneObject>(scene)).attachment;
    place(bytes, "the place for bytes") = attachment.data();
    place(count, "count") = attachment.size();
  });
}

SphaeraStatus sphaera_scene_update(SphaeraScene* scene, const SphaeraRows* centers,
                                   const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                                   SphaeraUpdateResult* result) {
  return update<SceneObject>(scene, centers, velocities, options, result);
}
SphaeraStatus sphaera_scene_update_some(SphaeraScene* scene, const int64_t* ids, const SphaeraRows* centers,
                                        const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                                        SphaeraUpdateResult* result) {
  return update_some<SceneObject>(scene, ids, centers, velocities, options, result);
}
SphaeraStatus sphaera_scene_insert(SphaeraScene* scene, const SphaeraSphere* spheres, size_t count,
                                   const SphaeraInsertOptions* options, int64_t* ids) {
  return insert<SceneObject>(scene, spheres, count, options, ids);
}
SphaeraStatus sphaera_scene_insert_rows(SphaeraScene* scene, const SphaeraRows* centers,
                                        const SphaeraRows* radii, const SphaeraRows* velocities,
                                        const SphaeraInsertOptions* options, int64_t* ids) {
  return insert_rows<SceneObject>(scene, centers, radii, velocities, options, ids);
}
SphaeraStatus sphaera_scene_erase(SphaeraScene* scene, const int64_t* ids, size_t count,
                                  const SphaeraUpdateOptions* options) {
  return erase<SceneObject>(scene, ids, count, options);
}
SphaeraStatus sphaera_scene_set_enabled(SphaeraScene* scene, const int64_t* ids, size_t count,
                                        int32_t enabled, const SphaeraUpdateOptions* options) {
  return set_enabled<SceneObject>(scene, ids, count, enabled, options);
}
SphaeraStatus sphaera_scene_set_radii(SphaeraScene* scene, const int64_t* ids, size_t count,
                                      const double* radii, const SphaeraUpdateOptions* options) {
  return set_radii<SceneObject>(scene, ids, count, radii, options);
}
SphaeraStatus sphaera_scene_set_layers(SphaeraScene* scene, const int64_t* ids, size_t count,
                                       const uint8_t* layers) {
  return set_layers<SceneObject>(scene, ids, count, layers);
}

SphaeraStatus sphaera_scene_size(const SphaeraScene* scene, size_t* spheres) {
  return look(scene, [&](const Scene& s) { place(spheres, "spheres") = s.size(); });
}
SphaeraStatus sphaera_scene_contains(const SphaeraScene* scene, int64_t id, int32_t* contains) {
  return look(scene, [&](const Scene& s) { place(contains, "contains") = s.contains(id); });
}
SphaeraStatus sphaera_scene_contains_generation(const SphaeraScene* scene, int64_t id, uint32_t generation,
                                                int32_t* contains) {
  return look(scene, [&](const Scene& s) { place(contains, "contains") = s.contains(id, generation); });
}
SphaeraStatus sphaera_scene_is_enabled(const SphaeraScene* scene, int64_t id, int32_t* enabled) {
  return look(scene, [&](const Scene& s) { place(enabled, "enabled") = s.is_enabled(id); });
}
SphaeraStatus sphaera_scene_arrays(const SphaeraScene* scene, SphaeraSceneArrays* arrays) {
  return look(scene, [&](const Scene& s) {
    SphaeraSceneArrays& out = sized_place(arrays, "arrays");
    out.count = s.spheres().size();
    out.spheres = array<SphaeraSphere>(s.spheres());
    out.layers = array<std::uint8_t>(s.layers());
    out.owners = array<std::uint32_t>(s.owners());
    out.velocities = array<SphaeraVec3>(s.velocities());
    out.generations = array<std::uint32_t>(s.generations());
  });
}
SphaeraStatus sphaera_scene_info(const SphaeraScene* scene, SphaeraSceneInfo* info) {
  return look(scene, [&](const Scene& s) { put_info(s.info(), sized_place(info, "info")); });
}
SphaeraStatus sphaera_scene_frames(const SphaeraScene* scene, SphaeraFrameLevel* levels, size_t capacity,
                                   size_t* count) {
  return look(scene, [&](const Scene& s) {
    place(count, "count");
    const std::vector<FrameLevel> frames = s.info().frames;
    const auto out = rows_of(levels, std::min(capacity, frames.size()), "levels");
    std::copy_n(frames.begin(), out.size(), out.begin());
    *count = frames.size();
  });
}
SphaeraStatus sphaera_scene_owners_of(const SphaeraScene* scene, const int64_t* first_id, size_t count,
                                      ptrdiff_t stride, uint32_t* owners) {
  return look(scene, [&](const Scene& s) {
    rows_of(first_id, count > 0 ? 1 : 0, "first_id");
    s.owners_of(Strided<const std::int64_t>{first_id, count, stride}, rows_of(owners, count, "owners"));
  });
}
