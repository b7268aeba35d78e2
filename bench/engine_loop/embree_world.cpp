#include <bench/engine_loop/world.hpp>
#include <bench/peers/embree_peer.hpp>

namespace sphaera::bench {
namespace {

/// Context of a question. Embree passes `context` to the filter, whose cast to Asked needs it as the first
/// member.
struct Asked {
  RayContext context;
  const Game* game;
  std::int64_t owners[2];  // who is ignored
  LayerMask layers;

  Asked(const Game& g, std::int64_t first, std::int64_t second, LayerMask seen)
      : context(), game(&g), owners{first, second}, layers(seen) {
    init_context(context);
  }
};

/// Rejects hits of owners that are ignored and of spheres on layers that are not seen.
void reject_ignored(const RTCFilterFunctionNArguments* arguments) {
  const Asked& asked = *reinterpret_cast<const Asked*>(arguments->context);
  const unsigned i = RTCHitN_primID(arguments->hit, 1, 0);
  const auto owner = std::int64_t{asked.game->bodies().owners()[i]};
  const bool allowed = owner != asked.owners[0] && owner != asked.owners[1] &&
                       (asked.layers >> asked.game->layers()[i] & 1) != 0;
  if (!allowed) arguments->valid[0] = 0;
}

class EmbreeWorld final : public OneByOneWorld {
 public:
  explicit EmbreeWorld(const Game& game)
      : game_(game),
        points_(game.bodies().start().size() + 1),  // Embree reads 16 bytes from each coordinate on
        geometry_(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT)),
        scene_(rtcNewScene(device_.get())) {
    place();
    rtcSetSharedGeometryBuffer(geometry_.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, points_.data(),
                               0, sizeof(FloatPoint), game.bodies().start().size());
    rtcSetGeometryIntersectFilterFunction(geometry_.get(), reject_ignored);
    rtcSetGeometryOccludedFilterFunction(geometry_.get(), reject_ignored);
    rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_LOW);
    rtcCommitGeometry(geometry_.get());
    rtcAttachGeometry(scene_.get(), geometry_.get());
    rtcCommitScene(scene_.get());
  }

  void update(const Game&) override {
    place();
    rtcUpdateGeometryBuffer(geometry_.get(), RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(geometry_.get());
    rtcCommitScene(scene_.get());
  }

 private:
  std::int64_t shoot(const Shots& shots, std::size_t i) const override {
    Asked asked(game_, shots.shooters[i], shots.shooters[i], shots.layers[i]);
    RTCRayHit ray{};
    ray.ray = float_ray(shots.rays[i]);
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    intersect1(scene_.get(), ray, asked.context);
    return ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1 : std::int64_t{ray.hit.primID};
  }
  bool look(const Sights& sights, std::size_t i) const override {
    const auto& [from, to] = sights.lines[i];
    Asked asked(game_, sights.lookers[i], sights.targets[i], all_layers);
    RTCRay ray = float_ray(from, to - from, 0, 1);
    occluded1(scene_.get(), ray, asked.context);
    return ray.tfar < 0;
  }
  void place() {
    const Bodies& bodies = game_.bodies();
    for (std::size_t i = 0; i < bodies.centers().size(); ++i)
      points_[i] = float_point(bodies.centers()[i], bodies.start()[i].radius);
    for (std::size_t i = 0; i < game_.gone().size(); ++i)
      points_[static_cast<std::size_t>(game_.gone()[i])] =
          float_point(game_.born()[i].center, game_.born()[i].radius);
  }

  const Game& game_;
  index::DeviceHandle device_{rtcNewDevice("hugepages=1")};
  std::vector<FloatPoint> points_;
  GeometryHandle geometry_;
  SceneHandle scene_;
};

}  // namespace

std::unique_ptr<World> make_embree_world(const Game& game, unsigned) {
  return std::make_unique<EmbreeWorld>(game);
}

}  // namespace sphaera::bench
