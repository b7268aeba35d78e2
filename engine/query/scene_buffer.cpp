#include <mutex>
#include <query/batch/batch.hpp>
#include <query/batch/check_moves.hpp>
#include <sphaera/scene_buffer.hpp>
#include <utility>
#include <vector>

namespace sphaera {
namespace {

/// Keeps at most one scene that has no readers left, for reuse.
class Spare {
 public:
  void put(std::unique_ptr<Scene> scene) {
    const std::lock_guard lock(mutex_);
    scene_.swap(scene);
  }
  std::unique_ptr<Scene> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(scene_, nullptr);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Scene> scene_;
};

/// A shared scene that returns to `spare` when its last owner releases it.
std::shared_ptr<Scene> shared(std::unique_ptr<Scene> scene, const std::shared_ptr<Spare>& spare) {
  return {scene.release(), [spare](Scene* s) { spare->put(std::unique_ptr<Scene>(s)); }};
}

}  // namespace

struct SceneBuffer::State {
  explicit State(const BuildOptions& options)
      : quality(options.quality), memory_limit(options.memory_limit), horizon(options.horizon) {}

  BuildQuality quality;
  std::uint64_t memory_limit;
  Horizon horizon;
  std::shared_ptr<Spare> spare = std::make_shared<Spare>();
  mutable std::mutex mutex{};
  std::shared_ptr<const Scene> current{};

  std::shared_ptr<const Scene> get() const {
    const std::lock_guard lock(mutex);
    return current;
  }
  void set(std::shared_ptr<const Scene> next) {
    const std::lock_guard lock(mutex);
    current.swap(next);  // `next` is destroyed after the lock is released
  }

  std::shared_ptr<Scene> shared(Scene scene) const {
    return query::with_memory_errors(
        [&] { return sphaera::shared(std::make_unique<Scene>(std::move(scene)), spare); });
  }

  /// Builds a scene from the current spheres, moved.
  std::shared_ptr<Scene> built(const Scene& now, std::span<const Vec3> centers,
                               std::span<const Vec3> velocities, const UpdateOptions& options) const {
    auto spheres = query::with_memory_errors(
        [&] { return std::vector<Sphere>(now.spheres().begin(), now.spheres().end()); });
    for (std::size_t i = 0; i < spheres.size(); ++i) spheres[i].center = centers[i];
    const BuildOptions build{.layers = now.layers(),
                             .velocities = velocities,
                             .horizon = horizon,
                             .quality = quality,
                             .threads = options.threads,
                             .memory_limit = memory_limit,
                             .stop = options.stop,
                             .progress = options.progress};
    return shared(Scene::build(spheres, build));
  }
};

SceneBuffer::SceneBuffer(std::span<const Sphere> spheres, const BuildOptions& options) {
  const base::FloatingPointEnvironment mode;
  Scene scene = Scene::build(spheres, options);
  state_ = query::with_memory_errors([&] { return std::make_unique<State>(options); });
  state_->set(state_->shared(std::move(scene)));
}
SceneBuffer::~SceneBuffer() = default;
SceneBuffer::SceneBuffer(SceneBuffer&&) noexcept = default;
SceneBuffer& SceneBuffer::operator=(SceneBuffer&&) noexcept = default;

std::shared_ptr<const Scene> SceneBuffer::current() const { return state_->get(); }

UpdateResult SceneBuffer::update(std::span<const Vec3> centers, std::span<const Vec3> velocities,
                                 const UpdateOptions& options) {
  const base::FloatingPointEnvironment mode;
  query::check_update(options);
  UpdateResult result;
  std::shared_ptr<Scene> next;
  const std::shared_ptr<const Scene> now = current();
  query::check_moves(*now, centers, velocities);
  if (velocities.empty()) velocities = now->velocities();  // the spare scene's velocities are older
  if (std::unique_ptr<Scene> spare = state_->spare->take()) {
    // If the update fails, the scene returns to the spare slot.
    next = query::with_memory_errors([&] { return shared(std::move(spare), state_->spare); });
    result = next->update(centers, velocities, options);
  } else {
    next = state_->built(*now, centers, velocities, options);
    result = {.rebuilt = true, .boxes = next->info().boxes};
  }
  state_->set(std::move(next));
  return result;
}

}  // namespace sphaera
