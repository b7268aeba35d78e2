#pragma once
/// \file Changes, the same for scenes and buffers.

#include <c/options.hpp>

namespace sphaera::c {

/// Writes what update() reports, if the caller wants it. A place that is not valid is refused before.
template <class Update>
void put_result(SphaeraUpdateResult* out, Update update) {
  if (out != nullptr) sized_place(out, "result");
  const UpdateResult result = update();
  if (out == nullptr) return;
  out->boxes = result.boxes, out->degradation = result.degradation, out->rebuilt = result.rebuilt ? 1 : 0;
}

/// Calls work(object), the Scene or SceneBuffer of the handle, while no other call changes it.
template <class T, class Work>
SphaeraStatus change(typename T::Handle* handle, Work work) noexcept {
  return call([&] {
    const Sole<T> object(handle);
    work(object->changeable());
  });
}

template <class T>
SphaeraStatus update(typename T::Handle* handle, const SphaeraRows* centers, const SphaeraRows* velocities,
                     const SphaeraUpdateOptions* options, SphaeraUpdateResult* result) noexcept {
  return change<T>(handle, [&](auto& target) {
    const VectorRows to = vectors_of(centers, "centers");
    put_result(result, [&] {
      return target.update(to, vectors_of(velocities, "velocities"), update_options(options, to.size()));
    });
  });
}

template <class T>
SphaeraStatus update_some(typename T::Handle* handle, const std::int64_t* ids, const SphaeraRows* centers,
                          const SphaeraRows* velocities, const SphaeraUpdateOptions* options,
                          SphaeraUpdateResult* result) noexcept {
  return change<T>(handle, [&](auto& target) {
    const VectorRows to = vectors_of(centers, "centers");
    put_result(result, [&] {
      return target.update(rows_of(ids, to.size(), "ids"), to, vectors_of(velocities, "velocities"),
                           update_options(options, to.size()));
    });
  });
}

template <class T>
SphaeraStatus insert(typename T::Handle* handle, const SphaeraSphere* spheres, std::size_t count,
                     const SphaeraInsertOptions* options, std::int64_t* ids) noexcept {
  return change<T>(handle, [&](auto& target) {
    target.insert(rows_of(spheres, count, "spheres"), rows_of(ids, count, "ids"),
                  insert_options(options, count));
  });
}

template <class T>
SphaeraStatus insert_rows(typename T::Handle* handle, const SphaeraRows* centers, const SphaeraRows* radii,
                          const SphaeraRows* velocities, const SphaeraInsertOptions* options,
                          std::int64_t* ids) noexcept {
  return change<T>(handle, [&](auto& target) {
    const SphereRows rows{vectors_of(centers, "centers"), numbers_of(radii, "radii"),
                          vectors_of(velocities, "velocities")};
    const std::size_t count = rows.centers.size();
    target.insert(rows, rows_of(ids, count, "ids"), insert_options(options, count));
  });
}

template <class T>
SphaeraStatus erase(typename T::Handle* handle, const std::int64_t* ids, std::size_t count,
                    const SphaeraUpdateOptions* options) noexcept {
  return change<T>(handle, [&](auto& target) {
    target.erase(rows_of(ids, count, "ids"), update_options(options, count));
  });
}

template <class T>
SphaeraStatus set_enabled(typename T::Handle* handle, const std::int64_t* ids, std::size_t count,
                          std::int32_t enabled, const SphaeraUpdateOptions* options) noexcept {
  return change<T>(handle, [&](auto& target) {
    target.set_enabled(rows_of(ids, count, "ids"), enabled != 0, update_options(options, count));
  });
}

template <class T>
SphaeraStatus set_radii(typename T::Handle* handle, const std::int64_t* ids, std::size_t count,
                        const double* radii, const SphaeraUpdateOptions* options) noexcept {
  return change<T>(handle, [&](auto& target) {
    target.set_radii(rows_of(ids, count, "ids"), rows_of(radii, count, "radii"),
                     update_options(options, count));
  });
}

template <class T>
SphaeraStatus set_layers(typename T::Handle* handle, const std::int64_t* ids, std::size_t count,
                         const std::uint8_t* layers) noexcept {
  return change<T>(handle, [&](auto& target) {
    target.set_layers(rows_of(ids, count, "ids"), rows_of(layers, count, "layers"));
  });
}

}  // namespace sphaera::c
