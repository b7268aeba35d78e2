/// \file Instances of spheres: decided in object space, for the float ray that Embree hands over or for a ray
/// in doubles.

#include <catch.hpp>
#include <cmath>
#include <effort.hpp>
#include <embree/level.hpp>
#include <seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using embree::Contexts, embree::Granularity, embree::SphereGeometry;

namespace {

/// World to object: x_i → scale · sign_i · x_axis(i) + shift_i, with a power of two for the scale and small
/// whole numbers for the shift. Embree's floats hold it and its inverse, and round a coordinate once.
struct Turn {
  int axis[3], sign[3];
  double scale, shift[3];

  Vec3 vector(const Vec3& v) const {
    return {scale * sign[0] * v[axis[0]], scale * sign[1] * v[axis[1]], scale * sign[2] * v[axis[2]]};
  }
  Vec3 point(const Vec3& p) const { return vector(p) + Vec3{shift[0], shift[1], shift[2]}; }
  Vec3 vector_back(const Vec3& v) const {
    double back[3] = {};
    for (int i = 0; i < 3; ++i) back[axis[i]] = sign[i] * v[i] / scale;
    return {back[0], back[1], back[2]};
  }
  Vec3 point_back(const Vec3& p) const { return vector_back(p - Vec3{shift[0], shift[1], shift[2]}); }

  /// Object to world, columns first, as rtcSetGeometryTransform takes it.
  std::vector<float> matrix() const {
    std::vector<float> m;
    for (int column = 0; column < 4; ++column) {
      Vec3 v{column == 0 ? 1.0 : 0, column == 1 ? 1.0 : 0, column == 2 ? 1.0 : 0};
      v = column < 3 ? vector_back(v) : point_back({});
      for (int i = 0; i < 3; ++i) m.push_back(static_cast<float>(v[i]));
    }
    return m;
  }
};

Turn make_turn(Random& random) {
  static constexpr int orders[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  Turn turn{};
  const int order = random.below(6);
  for (int i = 0; i < 3; ++i) {
    turn.axis[i] = orders[order][i], turn.sign[i] = random.one_in(2) ? 1 : -1;
    turn.shift[i] = random.one_in(3) ? 0 : random.whole(-40, 40);
  }
  turn.scale = std::ldexp(1.0, random.whole(-2, 2));
  return turn;
}

/// The context of a test: the rays of object space, exact.
struct Places : QueryContext {
  std::vector<std::vector<Ray>> within;  ///< for each instance
  std::vector<std::vector<Ray>> noted;   ///< as Embree gives them
};
Ray in_instance(const QueryContext& context, unsigned ray, unsigned instance) {
  return static_cast<const Places&>(context).within[instance][ray];
}

/// A user geometry around everything that hits nothing and notes the rays that Embree hands over in each
/// instance.
void note(const RTCIntersectFunctionNArguments* args) {
  auto& context = static_cast<Places&>(static_cast<QueryContext&>(*args->context));
  for (unsigned i = 0; i < args->N; ++i) {
    if (!args->valid[i]) continue;
    const RTCRay ray = rtcGetRayFromRayN(RTCRayHitN_RayN(args->rayhit, args->N), args->N, i);
    Ray& noted = context.noted[args->context->instID[0]][ray.id];
    noted = in_double(ray), noted.t_max = infinity;
  }
}

GeometryHandle make_probe(RTCDevice device) {
  GeometryHandle probe(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER));
  rtcSetGeometryUserPrimitiveCount(probe.get(), 1);
  const auto bounds = [](const RTCBoundsFunctionArguments* args) {
    *args->bounds_o = {-1e6F, -1e6F, -1e6F, 0, 1e6F, 1e6F, 1e6F, 0};
  };
  rtcSetGeometryBoundsFunction(probe.get(), bounds, nullptr);
  rtcSetGeometryIntersectFunction(probe.get(), note);
  rtcSetGeometryOccludedFunction(probe.get(), [](const RTCOccludedFunctionNArguments*) {});
  rtcCommitGeometry(probe.get());
  return probe;
}

}  // namespace

TEST_CASE("instances of spheres are decided in their own space", "[embree][bridge]") {
  Random random(seed(), 4);
  const DeviceHandle device(rtcNewDevice(nullptr));
  for (int round = 0; round < fewer_if_sanitized(120); ++round) {
    static constexpr Character characters[] = {Character::nested, Character::mirrored, Character::lattice,
                                               Character::flat};
    const Character character = characters[round % 4];
    INFO(test::name(character) << ", round " << round);
    const std::vector<Sphere> spheres =
        make_spheres(character, static_cast<std::size_t>(random.whole(1, 30)), random);
    const Scene scene = Scene::build(spheres);
    embree::GeometryOptions options{.extent = 0x1p12};
    options.granularity = random.one_in(2) ? Granularity::scene : Granularity::spheres;
    options.contexts = Contexts::extended;
    const SphereGeometry geometry(device.get(), scene, options);
    const SceneHandle object(rtcNewScene(device.get()));
    const GeometryHandle probe = make_probe(device.get());
    rtcAttachGeometry(object.get(), probe.get());
    const unsigned id = rtcAttachGeometry(object.get(), geometry.get());
    rtcCommitScene(object.get());

    const SceneHandle world(rtcNewScene(device.get()));
    const std::vector<Turn> turns{make_turn(random), make_turn(random)};
    for (const Turn& turn : turns) {
      const GeometryHandle instance(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_INSTANCE));
      rtcSetGeometryInstancedScene(instance.get(), object.get());
      rtcSetGeometryTransform(instance.get(), 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, turn.matrix().data());
      rtcCommitGeometry(instance.get());
      rtcAttachGeometry(world.get(), instance.get());
    }
    rtcCommitScene(world.get());

    // Rays are made in the space of an instance and taken to the world, which may round them.
    std::vector<Ray> rays;
    for (Ray ray : embree_rays(spheres, 0x1p9, 100, random)) {
      const Turn& turn = turns[static_cast<std::size_t>(random.below(2))];
      ray.origin = turn.point_back(ray.origin), ray.direction = turn.vector_back(ray.direction);
      rays.push_back(ray);
    }
    Places context;
    context.rays = rays;
    const bool doubles = random.one_in(2);
    if (doubles) context.in_instance = in_instance;
    context.within.resize(2), context.noted.assign(2, std::vector<Ray>(rays.size(), {{}, {}, 1, 0}));
    std::vector<RTCRayHit> found;
    std::vector<RTCRay> shadows;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      found.push_back(embree::float_ray_hit(rays[i], static_cast<unsigned>(i)));
      shadows.push_back(found[i].ray);
      for (std::size_t k = 0; k < 2; ++k) {
        const Ray& r = rays[i];
        context.within[k].push_back(
            {turns[k].point(r.origin), turns[k].vector(r.direction), r.t_min, r.t_max});
      }
    }
    const std::vector<RTCRay> floats = shadows;
    const unsigned width = widths[random.below(4)];
    const std::vector<int> valid(rays.size(), -1);
    intersect(world.get(), context, found, valid, width);
    occluded(world.get(), context, shadows, valid, width);
    if (!doubles) context.within = context.noted;
    int wrong = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      std::vector<Seen> seen;  // of both instances: number k · size + sphere
      for (std::size_t k = 0; k < 2; ++k) {
        Ray ray = context.within[k][i];
        ray.t_min = std::max(ray.t_min, 0.0);
        ray.t_max = std::min<double>(ray.t_max, floats[i].tfar);
        for (std::size_t j = 0; j < spheres.size(); ++j)
          seen.push_back({static_cast<std::int64_t>(k * spheres.size() + j), oracle::sight(ray, spheres[j])});
      }
      const Seen* const first = first_of(seen);
      const bool hit = found[i].hit.geomID == id;
      if (hit && first) {
        const auto number = found[i].hit.instID[0] * spheres.size() + found[i].hit.primID;
        const Seen& mine = seen[number];
        // The second instance sees the first one's hit as a wall, rounded down to float.
        const bool same = mine.id == first->id || (number >= spheres.size()) !=
                                                      (static_cast<std::size_t>(first->id) >= spheres.size());
        wrong +=
            !same || !is_entry(mine.sight, found[i].ray.tfar) || !is_entry(first->sight, found[i].ray.tfar);
      } else {
        wrong += hit != (first != nullptr);
      }
      if (!(floats[i].tfar < 0)) wrong += (shadows[i].tfar < 0) != (first != nullptr);
    }
    REQUIRE(wrong == 0);
  }
}
