#include <c/changes.hpp>

namespace sphaera::c {
namespace {

/// A snapshot as a handle; k changes ago.
SphaeraStatus give_snapshot(const SphaeraBuffer* buffer, std::size_t k, SphaeraScene** snapshot) noexcept {
  return call([&] {
    place(snapshot, "snapshot");
    std::shared_ptr<const Scene> scene = object_of<BufferObject>(buffer).buffer.past(k);
    if (scene == nullptr) refuse("snapshot " + std::to_string(k), "is not kept");
    give(std::make_unique<SceneObject>(std::move(scene)), snapshot);
  });
}

std::function<void(Scene&)> function_of(SphaeraEdit edit, void* user) {
  if (edit == nullptr) refuse("edit", "is NULL; give a function");
  return [edit, user](Scene& scene) {
    const EditedScene edited(scene);
    if (edit(user, edited.handle()) != 0) stop_for("edit");
  };
}

/// The scene of a handle, which ends.
Scene taken(SphaeraScene* handle) {
  const SceneObject& object = readable<SceneObject>(handle);
  if (object.snapshot || object.edited != nullptr)
    refuse("scene", "belongs to a buffer; give one that was built");
  return std::move(static_cast<SceneObject&>(*take(handle)).own);
}

}  // namespace
}  // namespace sphaera::c

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_buffer_build(const SphaeraSphere* spheres, size_t count, size_t keep,
                                   const SphaeraBuildOptions* options, SphaeraBuffer** buffer) {
  return call([&] {
    place(buffer, "buffer");
    SceneBuffer built(rows_of(spheres, count, "spheres"), build_options(options, count), {.keep = keep});
    give(std::make_unique<BufferObject>(std::move(built)), buffer);
  });
}
SphaeraStatus sphaera_buffer_build_from(SphaeraScene* scene, size_t keep, SphaeraBuffer** buffer) {
  return call([&] {
    place(buffer, "buffer");
    SceneBuffer built(taken(scene), {.keep = keep});
    give(std::make_unique<BufferObject>(std::move(built)), buffer);
  });
}
SphaeraStatus sphaera_buffer_destroy(SphaeraBuffer* buffer) { return destroy<BufferObject>(buffer); }
SphaeraStatus sphaera_buffer_adopt(SphaeraBuffer* buffer, SphaeraScene* scene) {
  return change<BufferObject>(buffer, [&](SceneBuffer& target) { target.adopt(taken(scene)); });
}

SphaeraStatus sphaera_buffer_current(const SphaeraBuffer* buffer, SphaeraScene** snapshot) {
  return give_snapshot(buffer, 0, snapshot);
}
SphaeraStatus sphaera_buffer_past(const SphaeraBuffer* buffer, size_t k, SphaeraScene** snapshot) {
  return give_snapshot(buffer, k, snapshot);
}
SphaeraStatus sphaera_buffer_snapshots(const SphaeraBuffer* buffer, size_t* count) {
  return call([&] { place(count, "count") = object_of<BufferObject>(buffer).buffer.snapshots(); });
}

SphaeraStatus sphaera_buffer_update(SphaeraBuffer* buffer, const SphaeraRows* centers,
                                    const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                                    SphaeraUpdateResult* result) {
  return update<BufferObject>(buffer, centers, velocities, options, result);
}
SphaeraStatus sphaera_buffer_update_some(SphaeraBuffer* buffer, const int64_t* ids,
                                         const SphaeraRows* centers, const SphaeraRows* velocities,
                                         const SphaeraUpdateOptions* options, SphaeraUpdateResult* result) {
  return update_some<BufferObject>(buffer, ids, centers, velocities, options, result);
}
SphaeraStatus sphaera_buffer_insert(SphaeraBuffer* buffer, const SphaeraSphere* spheres, size_t count,
                                    const SphaeraInsertOptions* options, int64_t* ids) {
  return insert<BufferObject>(buffer, spheres, count, options, ids);
}
SphaeraStatus sphaera_buffer_insert_rows(SphaeraBuffer* buffer, const SphaeraRows* centers,
                                         const SphaeraRows* radii, const SphaeraRows* velocities,
                                         const SphaeraInsertOptions* options, int64_t* ids) {
  return insert_rows<BufferObject>(buffer, centers, radii, velocities, options, ids);
}
SphaeraStatus sphaera_buffer_erase(SphaeraBuffer* buffer, const int64_t* ids, size_t count,
                                   const SphaeraUpdateOptions* options) {
  return erase<BufferObject>(buffer, ids, count, options);
}
SphaeraStatus sphaera_buffer_set_enabled(SphaeraBuffer* buffer, const int64_t* ids, size_t count,
                                         int32_t enabled, const SphaeraUpdateOptions* options) {
  return set_enabled<BufferObject>(buffer, ids, count, enabled, options);
}
SphaeraStatus sphaera_buffer_set_radii(SphaeraBuffer* buffer, const int64_t* ids, size_t count,
                                       const double* radii, const SphaeraUpdateOptions* options) {
  return set_radii<BufferObject>(buffer, ids, count, radii, options);
}
SphaeraStatus sphaera_buffer_set_layers(SphaeraBuffer* buffer, const int64_t* ids, size_t count,
                                        const uint8_t* layers) {
  return set_layers<BufferObject>(buffer, ids, count, layers);
}

SphaeraStatus sphaera_buffer_update_then(SphaeraBuffer* buffer, const SphaeraRows* centers,
                                         const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                                         void* user, SphaeraEdit then, SphaeraUpdateResult* result) {
  return change<BufferObject>(buffer, [&](SceneBuffer& target) {
    const VectorRows to = vectors_of(centers, "centers");
    put_result(result, [&] {
      return target.update(to, vectors_of(velocities, "velocities"), update_options(options, to.size()),
                           function_of(then, user));
    });
  });
}
SphaeraStatus sphaera_buffer_change(SphaeraBuffer* buffer, void* user, SphaeraEdit edit) {
  return change<BufferObject>(buffer, [&](SceneBuffer& target) { target.change(function_of(edit, user)); });
}
