#include <bench/engine_loop/world.hpp>
#include <bench/peers/embree_peer.hpp>

namespace sphaera::bench {
namespace {

/// Context of a shot. Embree passes `context` to the filter, whose cast to Asked needs it as the first
/// member.
struct Asked {
  RayContext context;
  const Game* game;
  const Shot* shot;
};

/// Rejects hits of the shooter's squad and of people on layers outside the shot's mask.
void reject_ignored(const RTCFilterFunctionNArguments* arguments) {
  const auto& [context, game, shot] = *reinterpret_cast<const Asked*>(arguments->context);
  const unsigned i = RTCHitN_primID(arguments->hit, 1, 0);
  const bool allowed =
      std::int64_t{game->squads()[i]} != shot->squad && (shot->layers >> game->layers()[i] & 1);
  if (!allowed) arguments->valid[0] = 0;
}

class EmbreeWorld final : public World {
 public:
  explicit EmbreeWorld(const Game& game)
      : points_(game.start().size() + 1),  // Embree reads 16 bytes from each coordinate on
        geometry_(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT)),
        scene_(rtcNewScene(device_.get())) {
    place(game);
    rtcSetSharedGeometryBuffer(geometry_.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, points_.data(),
                               0, sizeof(FloatPoint), game.start().size());
    rtcSetGeometryIntersectFilterFunction(geometry_.get(), reject_ignored);
    rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_LOW);
    rtcCommitGeometry(geometry_.get());
    rtcAttachGeometry(scene_.get(), geometry_.get());
    rtcCommitScene(scene_.get());
  }

  void advance(const Game& game) override {
    place(game);
    rtcUpdateGeometryBuffer(geometry_.get(), RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(geometry_.get());
    rtcCommitScene(scene_.get());
  }
  void shoot(const Game& game, std::span<const Shot> shots, std::span<std::int64_t> hits, unsigned) override {
    for (std::size_t i = 0; i < shots.size(); ++i) {
      Asked asked{{}, &game, &shots[i]};
      init_context(asked.context);
      RTCRayHit ray{};
      ray.ray = float_ray(shots[i].ray);
      ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      intersect1(scene_.get(), ray, asked.context);
      hits[i] = ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1 : std::int64_t{ray.hit.primID};
    }
  }

 private:
  void place(const Game& game) {
    for (std::size_t i = 0; i < game.centers().size(); ++i)
      points_[i] = float_point(game.centers()[i], game.start()[i].radius);
  }

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
