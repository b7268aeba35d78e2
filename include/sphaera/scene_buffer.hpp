#pragma once
/// \file Two scenes in turns, for an engine whose spheres move while queries run: readers ask the one, the
/// other is brought up to date, then they are swapped.

#include <sphaera/requirements.hpp>

#include <memory>
#include <sphaera/scene.hpp>

namespace sphaera {

/// A scene that can be updated while it is asked. Readers take `current()` and keep it for as long as they
/// ask; what they hold never changes. Any number of threads may call `current`; `update` is for one thread at
/// a time.
class SPHAERA_API SceneBuffer {
 public:
  /// Builds the first scene. Errors are those of Scene::build.
  explicit SceneBuffer(std::span<const Sphere> spheres, const BuildOptions& options = {});
  ~SceneBuffer();
  SceneBuffer(SceneBuffer&&) noexcept;
  SceneBuffer& operator=(SceneBuffer&&) noexcept;

  /// The scene of the last update that has ended. It may outlive the buffer.
  std::shared_ptr<const Scene> current() const;

  /// Moves all spheres and makes the scene with them the current one. The memory of the previous scene is
  /// reused once no reader holds it; until then, and the first time, another scene is built. Options,
  /// result and errors as for Scene::update, and as for Scene::build where one is built (`rebuilt` is true
  /// then); after an error the current scene is the one it was.
  UpdateResult update(std::span<const Vec3> centers, std::span<const Vec3> velocities = {},
                      const UpdateOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sphaera
