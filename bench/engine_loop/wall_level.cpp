#include <bench/engine_loop/wall_level.hpp>
#include <bench/measure/walking_crowd.hpp>
#include <utility>

namespace sphaera::bench {

WallLevel::WallLevel(std::uint64_t people) : walls_(make_walls(people, people_seed)) {
  // With both, a commit builds nothing again for the walls, which stay; else their whole index.
  rtcSetSceneFlags(level_.scene(), RTC_SCENE_FLAG_DYNAMIC);
  rtcSetSceneBuildQuality(level_.scene(), RTC_BUILD_QUALITY_LOW);
  level_.add_walls(walls_);
  level_.commit();
}

void WallLevel::follow(std::shared_ptr<const Scene> scene) {
  if (people_) {
    people_->update(*scene);
  } else {
    people_.emplace(level_.device(), *scene,
                    embree::GeometryOptions{.contexts = embree::Contexts::extended, .filters = false});
    level_.add_people(people_->get());
  }
  level_.commit();
  scene_ = std::move(scene);
}

void WallLevel::first(std::span<const Ray> rays, std::span<const std::int64_t> owners, std::span<Hit> hits,
                      std::span<FirstOfBoth> out) const {
  embree::QueryContext context;
  context.rays = rays;
  context.hits = hits;
  context.ignore_owners = owners;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    RTCRayHit query = embree::float_ray_hit(rays[i], static_cast<unsigned>(i));
    embree::intersect1(level_.scene(), context, query);
    out[i] = {};
    if (query.hit.geomID == EmbreeLevel::walls_id) out[i].t = static_cast<double>(query.ray.tfar);
    if (query.hit.geomID == EmbreeLevel::people_id) out[i] = {hits[i].t_enter, hits[i].sphere};
  }
}

}  // namespace sphaera::bench
