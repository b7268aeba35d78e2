/// \file Bullet Physics as a user would use it: a btCollisionWorld of static btSphereShape objects over a
/// btDbvtBroadphase, asked by rayTest, one thread.
///
/// Best configuration, measured on crowd, belt and uniform 1e5 (any-hit Mrays/s): Debian's float build 0.19,
/// 0.041, 0.050, its double build 0.17, 0.040, 0.051 with 1.5 times the memory; optimize() after adding
/// gave 1.5× the rate without it and mostly beat optimizeIncremental; the default subsimplex cast is 1.2× as
/// fast as GJK, but misses 0.5 % of the spheres, GJK none; huge pages changed nothing.

#include <algorithm>
#include <bench/measure/engine.hpp>
#include <bench/peers/bullet_world.hpp>
#include <cmath>

namespace sphaera::bench {
namespace {

struct Found {
  std::int64_t sphere = -1;
  btScalar fraction = 0;
};

using Result = btCollisionWorld::LocalRayResult;

struct AnyHit final : btCollisionWorld::RayResultCallback {
  btScalar addSingleResult(Result&, bool) override {
    return m_closestHitFraction = 0;  // no hit can be nearer: the remaining objects are skipped
  }
};

struct FirstHit final : btCollisionWorld::RayResultCallback {
  btScalar addSingleResult(Result& result, bool) override {
    found = {result.m_collisionObject->getUserIndex(), result.m_hitFraction};
    return m_closestHitFraction = result.m_hitFraction;
  }
  Found found;
};

struct AllHits final : btCollisionWorld::RayResultCallback {
  btScalar addSingleResult(Result& result, bool) override {
    found.push_back({result.m_collisionObject->getUserIndex(), result.m_hitFraction});
    return m_closestHitFraction;
  }
  std::vector<Found> found;
};

class Bullet final : public Engine {
 public:
  InsideStart inside_start() const override { return InsideStart::differs; }

  void build(std::span<const Sphere> spheres) override {
    world_ = std::make_unique<BulletWorld>(spheres);
    Vec3 lower{infinity, infinity, infinity}, upper = -lower;
    for (const auto& [c, r] : spheres) {
      lower = {std::min(lower.x, c.x - r), std::min(lower.y, c.y - r), std::min(lower.z, c.z - r)};
      upper = {std::max(upper.x, c.x + r), std::max(upper.y, c.y + r), std::max(upper.z, c.z + r)};
    }
    middle_ = 0.5 * (lower + upper);
    reach_ = length(upper - middle_);
  }

  double bytes() const override { return world_->bytes(); }

  void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      AnyHit any;
      cast(rays[i], any);
      out[i] = any.m_closestHitFraction == 0;
    }
  }

  void first_hit(std::span<const Ray> rays, std::span<Hit> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      FirstHit first;
      const double span = cast(rays[i], first);
      out[i] = first.found.sphere < 0 ? Hit{} : hit(rays[i], span, first.found);
    }
  }

  HitLists all_hits(std::span<const Ray> rays) const override {
    HitLists lists;
    AllHits all;
    for (const Ray& ray : rays) {
      all.found.clear();
      const double span = cast(ray, all);
      std::sort(all.found.begin(), all.found.end(), [](const Found& a, const Found& b) {
        return a.fraction != b.fraction ? a.fraction < b.fraction : a.sphere < b.sphere;
      });
      for (const Found& found : all.found) lists.items.push_back(hit(ray, span, found));
      lists.offsets.push_back(lists.items.size());
    }
    return lists;
  }

 private:
  static double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

  /// Returns the range of t that `fraction` refers to: t_max − t_min. An endless ray ends where it has left
  /// the scene.
  double cast(const Ray& ray, btCollisionWorld::RayResultCallback& callback) const {
    const double beyond = (length(ray.origin - middle_) + reach_) / length(ray.direction);
    const double end = std::isfinite(ray.t_max) ? ray.t_max : beyond;
    world_->world().rayTest(bullet_vector(ray.origin + ray.t_min * ray.direction),
                            bullet_vector(ray.origin + end * ray.direction), callback);
    return end - ray.t_min;
  }

  static Hit hit(const Ray& ray, double span, const Found& found) {
    Hit hit;
    hit.t_enter = ray.t_min + span * static_cast<double>(found.fraction);
    hit.sphere = found.sphere;
    hit.contact = Contact::enters;
    return hit;
  }

  std::unique_ptr<BulletWorld> world_;
  Vec3 middle_;
  double reach_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_bullet() { return std::make_unique<Bullet>(); }

}  // namespace sphaera::bench
