#pragma once
/// \file A scene that changes while queries run: readers query one snapshot of it, and one thread changes the
/// next. The last snapshots can be kept, for questions about the past.
///
/// ```cpp
/// #include <cassert>
/// #include <sphaera/scene_buffer.hpp>
///
/// int main() {
///   using namespace sphaera;
///   const std::vector<Sphere> people{{{0, 0, 0}, 1}, {{10, 0, 0}, 1}};
///   SceneBuffer buffer(people, {}, {.keep = 8});  // eight frames back, for shots of players who lag
///   const Ray ray{{-5, 0, 0}, {1, 0, 0}};
///
///   // One frame: somebody leaves, somebody comes, all walk.
///   buffer.change([](Scene& scene) {
///     scene.erase(0);
///     scene.insert(Sphere{{0, 5, 0}, 1});
///     scene.update(std::vector<Vec3>{{0, 5, 0}, {10, 0.5, 0}});
///   });
///   assert(buffer.current()->first_hit(ray).sphere == 1);
///   assert(buffer.past(1)->first_hit(ray).sphere == 0);
/// }
/// ```

#include <sphaera/config/requirements.hpp>

#include <functional>
#include <memory>
#include <sphaera/scene.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// The memory of a SceneBuffer for the past.
struct SceneBufferOptions {
  std::size_t keep = 0;  ///< snapshots before the current one that are kept
};

/// A scene that can be changed while queries run. Readers take a snapshot, `current()` or `past(k)`, and keep
/// it during their queries: a snapshot that a reader holds never changes. Any number of threads may call
/// `current`, `past` and `snapshots`; only one thread at a time may call the other functions.
///
/// Each call of a function that changes the scene makes one new snapshot, which is the current one when the
/// call returns. After an error the current snapshot stays the same. Ids, answers, options, results and
/// errors are the same as for a Scene with the same changes; each function may also throw out_of_memory.
///
/// **Cost.** A change reuses the memory of a snapshot without readers. That snapshot first receives the
/// changes that it missed, then the new one: a few spheres cost microseconds, however large the scene is. The
/// snapshot is copied as a whole if it is new or if an index has been built since (about as long as
/// `Scene::update`). No change builds an index unless a Scene would. The constructor makes keep + 1 copies of
/// the scene.
///
/// **Memory.** keep + 2 scenes from the start, with what their indexes hold; one more for each older snapshot
/// that readers hold; one of these is kept for reuse. No change allocates memory that grows with the scene,
/// unless the scene grows, its index is built, or it gets its first layers or owners. `update` that moves
/// all, `erase` and `insert` call no heap at all once their lists have reached their sizes.
class SPHAERA_API SceneBuffer {
 public:
  /// Builds the first snapshot. Errors are those of Scene::build.
  explicit SceneBuffer(std::span<const Sphere> spheres, const BuildOptions& options = {},
                       const SceneBufferOptions& buffer_options = {});
  /// The scene is the first snapshot. Throws out_of_memory.
  explicit SceneBuffer(Scene scene, const SceneBufferOptions& options = {});
  ~SceneBuffer();
  SceneBuffer(SceneBuffer&&) noexcept;  ///< the other buffer can only be destroyed or assigned to
  SceneBuffer& operator=(SceneBuffer&&) noexcept;

  /// The snapshot of the last completed change. It may outlive the buffer. Keep the pointer while you use
  /// spans of the scene: in `buffer.current()->spheres()` the scene may end before the span.
  [[nodiscard]] std::shared_ptr<const Scene> current() const;
  /// The snapshot as it was k changes ago, 0 ≤ k ≤ keep; 0 is the current one. Null if there have been
  /// fewer than k changes, or for k beyond `keep`.
  [[nodiscard]] std::shared_ptr<const Scene> past(std::size_t k) const;
  /// The number of snapshots that `past` gives: 1 … keep + 1.
  [[nodiscard]] std::size_t snapshots() const;

  /// Moves all spheres, as Scene::update does. From rows: the buffer holds a copy of them for the next call.
  UpdateResult update(const VectorRows& centers, const VectorRows& velocities = {},
                      const UpdateOptions& options = {});
  /// Like the other `update`, but calls then(scene) before readers see the snapshot: see `change`. The result
  /// is that of the update alone; what `then` rebuilds is reported by the next update. Faster than `change`
  /// with an update inside, which must copy the old positions first. Throws invalid_argument for an empty
  /// function, as `change` does.
  UpdateResult update(const VectorRows& centers, const VectorRows& velocities, const UpdateOptions& options,
                      const std::function<void(Scene& scene)>& then);
  /// Changes of single spheres, as the functions of Scene make them.
  UpdateResult update(std::span<const std::int64_t> ids, const VectorRows& centers,
                      const VectorRows& velocities = {}, const UpdateOptions& options = {});
  void insert(std::span<const Sphere> spheres, std::span<std::int64_t> ids,
              const InsertOptions& options = {});
  std::vector<std::int64_t> insert(std::span<const Sphere> spheres, const InsertOptions& options = {});
  void insert(const SphereRows& spheres, std::span<std::int64_t> ids, const InsertOptions& options = {});
  std::int64_t insert(const Sphere& sphere, const InsertOptions& options = {}) {
    std::int64_t id = -1;
    insert(std::span(&sphere, 1), std::span(&id, 1), options);
    return id;
  }
  void erase(std::span<const std::int64_t> ids, const UpdateOptions& options = {});
  void erase(std::int64_t id, const UpdateOptions& options = {}) { erase(std::span(&id, 1), options); }
  void set_enabled(std::span<const std::int64_t> ids, bool enabled, const UpdateOptions& options = {});
  void set_radii(std::span<const std::int64_t> ids, std::span<const double> radii,
                 const UpdateOptions& options = {});
  void set_layers(std::span<const std::int64_t> ids, std::span<const std::uint8_t> layers);

  /// Several changes that readers see at once: calls edit(scene) a single time, with a copy of the current
  /// snapshot, which becomes the current one when `edit` returns. What `edit` throws reaches the caller, and
  /// the current snapshot stays the same. The reference is valid during the call. The other functions of the
  /// buffer that change it must not be called meanwhile.
  void change(const std::function<void(Scene& scene)>& edit);

  /// Makes a scene built elsewhere (for example on another thread) the current snapshot. Its spheres need not
  /// be related to those before. The snapshots that follow are copied as a whole once each. Throws
  /// out_of_memory.
  void adopt(Scene scene);

 private:
  SceneBuffer(Scene scene, const SceneBufferOptions& options, int threads);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sphaera::inline SPHAERA_ABI
