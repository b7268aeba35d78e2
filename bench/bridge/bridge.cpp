/// \file Walls and a sphaera::embree::SphereGeometry in one scene.

#include <bench/bridge/embree_level.hpp>
#include <bench/bridge/method.hpp>
#include <optional>
#include <sphaera/embree.hpp>

namespace sphaera::bench {
namespace {

class Bridge final : public Method {
 public:
  Bridge(BridgePrimitives primitives, BridgeRays rays) : rays_(rays) {
    if (primitives == BridgePrimitives::spheres) options_.granularity = embree::Granularity::spheres;
    if (rays == BridgeRays::doubles) options_.contexts = embree::Contexts::extended;
  }

  void index(const Level& level) override { scene_ = Scene::build(std::span<const Sphere>(level.people)); }

  void commit(const Level& level) override {
    geometry_.emplace(embree_.device(), scene_, options_);
    embree_.add_walls(level.walls);
    embree_.add_people(geometry_->get());
    embree_.commit();
  }

  void first(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    if (rays_ == BridgeRays::doubles) {
      ask_doubles(rays, out);
    } else {
      ask_floats(rays, out);
    }
  }

  void any(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    if (rays_ == BridgeRays::floats) return any_with_own_context(embree_.scene(), rays, out);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      embree::QueryContext context;
      context.rays = {&rays[i], 1};
      RTCRay query = embree::float_ray(rays[i]);
      occluded1(embree_.scene(), query, context);
      out[i] = {.t = query.tfar < 0 ? 0 : infinity};
    }
  }

  double embree_bytes() const override { return embree_.bytes(); }
  double own_bytes() const override {
    const SceneInfo info = scene_.info();
    return static_cast<double>(info.index_bytes + info.sphere_bytes);
  }

 private:
  void ask_floats(std::span<const Ray> rays, std::span<FirstOfBoth> out) const {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      RayContext context;
      init_context(context);
      RTCRayHit query = embree::float_ray_hit(rays[i]);
      intersect1(embree_.scene(), query, context);
      out[i] = {};
      if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) continue;
      out[i].t = static_cast<double>(query.ray.tfar);
      if (query.hit.geomID == EmbreeLevel::people_id) out[i].sphere = query.hit.primID;
    }
  }

  void ask_doubles(std::span<const Ray> rays, std::span<FirstOfBoth> out) const {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      embree::QueryContext context;
      Hit hit;
      context.rays = {&rays[i], 1};
      context.hits = {&hit, 1};
      RTCRayHit query = embree::float_ray_hit(rays[i]);
      intersect1(embree_.scene(), query, context);
      out[i] = {};
      if (query.hit.geomID == EmbreeLevel::walls_id) out[i].t = static_cast<double>(query.ray.tfar);
      if (query.hit.geomID == EmbreeLevel::people_id) out[i] = {hit.t_enter, hit.sphere};
    }
  }

  BridgeRays rays_;
  embree::GeometryOptions options_{};
  Scene scene_;
  EmbreeLevel embree_;
  std::optional<embree::SphereGeometry> geometry_;
};

}  // namespace

std::unique_ptr<Method> make_bridge(BridgePrimitives primitives, BridgeRays rays) {
  return std::make_unique<Bridge>(primitives, rays);
}

}  // namespace sphaera::bench
