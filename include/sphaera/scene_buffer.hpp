#pragma once
/// \file Double buffering for scenes whose spheres move while queries run: readers query one scene, the other
/// is updated, then the two are swapped.

#include <sphaera/requirements.hpp>

#include <memory>
#include <sphaera/scene.hpp>

namespace sphaera {

/// A scene that can be updated while queries run. Readers take `current()` and keep it during their queries;
/// a scene that a reader holds never changes. Any number of threads may call `current`; only one thread at a
/// time may call `update`. The buffer holds the memory of two scenes after the first update, and of more
/// while readers keep older ones.
class SPHAERA_API SceneBuffer {
 public:
  /// Builds the first scene. Errors are those of Scene::build.
  explicit SceneBuffer(std::span<const Sphere> spheres, const BuildOptions& options = {});
  ~SceneBuffer();
  SceneBuffer(SceneBuffer&&) noexcept;  ///< the other buffer can only be destroyed or assigned to
  SceneBuffer& operator=(SceneBuffer&&) noexcept;

  /// The scene of the last completed update. It may outlive the buffer. Keep the pointer while you use spans
  /// of the scene: in `buffer.current()->spheres()` the scene may end before the span.
  std::shared_ptr<const Scene> current() const;

  /// Moves all spheres and makes the updated scene the current one. The memory of the previous scene is
  /// reused once no reader holds it; until then, and on the first call, a new scene is built. Options, result
  /// and errors as for Scene::update. If a scene is built, `rebuilt` is true, `degradation` is 1,
  /// `options.rebuild` has no effect (a scene is built even for `never`), and errors are also those of
  /// Scene::build. After an error the current scene stays the same.
  UpdateResult update(std::span<const Vec3> centers, std::span<const Vec3> velocities = {},
                      const UpdateOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sphaera
