#include <mutex>
#include <optional>
#include <sphaera/scene.hpp>
#include <tools/workload/hard_belt.hpp>
#include <utility>
#include <vector>

namespace sphaera::workload {

/// All bodies of a belt, indexed on first use.
class HardBelt::Obstacles {
 public:
  explicit Obstacles(std::uint64_t bodies) : bodies_(bodies) {}

  const Scene& scene(const HardBelt& belt) {
    std::call_once(once_, [&] {
      std::vector<Sphere> spheres(bodies_);
      for (std::uint64_t i = 0; i < bodies_; ++i) spheres[i] = belt.sphere(i);
      scene_ = Scene::build(std::move(spheres));
    });
    return *scene_;
  }

 private:
  std::uint64_t bodies_;
  std::once_flag once_;
  std::optional<Scene> scene_;
};

HardBelt::HardBelt(std::uint64_t bodies, std::uint64_t seed)
    : seed_(seed),
      radius_min_(Belt(bodies, seed).radius_min()),
      obstacles_(std::make_shared<Obstacles>(bodies)) {}

Ray HardBelt::ray(std::uint64_t i) const {
  const Scene& bodies = obstacles_->scene(*this);
  Random random(seed_, Purpose::ray, i);
  for (;;) {
    const Vec3 origin = Belt::position(random);
    if (!bodies.blocked(Ray{origin, -origin, 0, 0})) return {origin, -origin, 0, 1};
  }
}

}  // namespace sphaera::workload
