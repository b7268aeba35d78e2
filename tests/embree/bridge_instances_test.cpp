/// \file Instances of spheres: decided in object space, for the float ray that Embree hands over or for a ray
/// in doubles.

#include <cmath>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree/walls_and_spheres.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using embree::Contexts, embree::Granularity, embree::SphereGeometry;

namespace {

/// World to object: x → scale · rotation · x + shift.
struct Turn {
  Vec3 rows[3];  ///< of the rotation or mirrored rotation
  double scale = 1;
  Vec3 shift;

  Vec3 vector(const Vec3& v) const { return scale * Vec3{dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)}; }
  Vec3 point(const Vec3& p) const { return vector(p) + shift; }
  Vec3 vector_back(const Vec3& v) const {
    return (1 / scale) * (v.x * rows[0] + v.y * rows[1] + v.z * rows[2]);
  }
  Vec3 point_back(const Vec3& p) const { return vector_back(p - shift); }

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

/// Permutes and flips axes: floats hold this matrix and its inverse exactly, so a coordinate is rounded once.
void exchange_axes(Turn& turn, Random& random) {
  static constexpr int orders[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  const int order = random.below(6);
  for (int i = 0; i < 3; ++i) {
    const double sign = random.one_in(2) ? 1 : -1;
    const int axis = orders[order][i];
    turn.rows[i] = {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
  }
}

/// Any rotation: Gram and Schmidt's method.
void rotate(Turn& turn, Random& random) {
  const auto direction = [&] {
    return Vec3{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
  };
  const auto unit = [](const Vec3& v) { return (1 / std::sqrt(dot(v, v))) * v; };
  const Vec3 x = unit(direction() + Vec3{0, 0, 2}), aside = direction() + Vec3{2, 0, 0};
  const Vec3 y = unit(aside - dot(aside, x) * x);
  turn.rows[0] = x, turn.rows[1] = y;
  turn.rows[2] = {x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x};
}

Turn make_turn(Random& random) {
  Turn turn;
  if (random.one_in(2)) {
    exchange_axes(turn, random);
    turn.scale = std::ldexp(1.0, random.whole(-2, 2));
  } else {
    rotate(turn, random);
    turn.scale = random.between(0.25, 4);
  }
  const auto shift = [&] { return random.one_in(3) ? 0.0 : random.whole(-40, 40); };
  turn.shift = {shift(), shift(), shift()};
  return turn;
}

/// The context of a test, with the rays in the object space of each instance.
struct Places : QueryContext {
  std::vector<std::vector<Ray>> within;  ///< for each instance: the rays that decide the answers
  std::vector<std::vector<Ray>> noted;   ///< for each instance: the rays as Embree hands them over
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

/// Two instances of a scene of spheres, and rays made in the space of one and taken to the world, which may
/// round them.
class InstanceTrial {
 public:
  InstanceTrial(RTCDevice device, bool any_width, SceneKind scene_kind, Random& random)
      : spheres_(make_spheres(scene_kind, static_cast<std::size_t>(random.whole(1, 30)), random)),
        scene_(Scene::build(spheres_)),
        options_(some_options(random)),
        geometry_(device, scene_, options_),
        turns_{make_turn(random), make_turn(random)},
        world_(make_world(device, geometry_.get())),
        probed_(make_world(device, make_probe(device).get())),
        any_width_(any_width) {}

  /// Number of wrong answers to n rays and more.
  int shoot(std::size_t n, Random& random) {
    make_rays(n, random);
    ask(random);
    int wrong = 0;
    for (std::size_t i = 0; i < rays_.size(); ++i) wrong += is_wrong(i);
    return wrong;
  }
  std::size_t rays() const { return rays_.size(); }

 private:
  static constexpr double ray_extent = 0x1p9;

  /// For each turn, an instance of a scene that holds only the geometry.
  SceneHandle make_world(RTCDevice device, RTCGeometry geometry) const {
    const SceneHandle object(rtcNewScene(device));
    rtcAttachGeometry(object.get(), geometry);
    rtcCommitScene(object.get());
    SceneHandle world(rtcNewScene(device));
    for (const Turn& turn : turns_) {
      const GeometryHandle instance(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_INSTANCE));
      rtcSetGeometryInstancedScene(instance.get(), object.get());
      rtcSetGeometryTransform(instance.get(), 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, turn.matrix().data());
      rtcCommitGeometry(instance.get());
      rtcAttachGeometry(world.get(), instance.get());
    }
    rtcCommitScene(world.get());
    return world;
  }

  static embree::GeometryOptions some_options(Random& random) {
    // 8·W/s (engine/bridge/proofs.md, 5) for the rays that are made in the space of this instance:
    // there W/s ≤ 2·ray_extent.
    embree::GeometryOptions options{.extent = 16 * ray_extent};
    options.granularity = random.one_in(2) ? Granularity::scene : Granularity::spheres;
    options.contexts = Contexts::extended;
    return options;
  }

  void make_rays(std::size_t n, Random& random) {
    for (Ray ray : embree_rays(spheres_, ray_extent, n, random)) {
      const Turn& turn = turns_[static_cast<std::size_t>(random.below(2))];
      ray.origin = turn.point_back(ray.origin), ray.direction = turn.vector_back(ray.direction);
      rays_.push_back(ray);
    }
  }

  void ask(Random& random) {
    context_.rays = rays_;
    const bool doubles = random.one_in(2);
    if (doubles) context_.in_instance = in_instance;
    context_.within.resize(2), context_.noted.assign(2, std::vector<Ray>(rays_.size(), {{}, {}, 1, 0}));
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      const Ray& r = rays_[i];
      found_.push_back(embree::float_ray_hit(r, static_cast<unsigned>(i)));
      floats_.push_back(found_[i].ray);
      for (std::size_t k = 0; k < 2; ++k)
        context_.within[k].push_back(
            {turns_[k].point(r.origin), turns_[k].vector(r.direction), r.t_min, r.t_max});
    }
    shadows_ = floats_;
    const unsigned width = widths[random.below(4)];
    const std::vector<int> valid(rays_.size(), -1);
    const bool coherent = random.one_in(2) && (width < 16 || any_width_);
    intersect(world_.get(), context_, found_, valid, width, coherent);
    occluded(world_.get(), context_, shadows_, valid, width, coherent);
    ends_late_ = coherent && width > 1 && options_.granularity == Granularity::spheres;
    if (doubles) return;
    std::vector<RTCRayHit> shown;
    for (const RTCRay& ray : floats_) shown.push_back({ray, {}});
    intersect(probed_.get(), context_, shown, valid, width);
    context_.within = context_.noted;
  }

  /// How ray i sees the spheres of both instances: number k · size + sphere.
  std::vector<SphereSight> seen_by(std::size_t i) const {
    std::vector<SphereSight> seen;
    for (std::size_t k = 0; k < 2; ++k) {
      Ray ray = context_.within[k][i];
      ray.t_min = std::max(ray.t_min, 0.0);
      ray.t_max = std::min<double>(ray.t_max, floats_[i].tfar);
      for (const Sphere& sphere : spheres_)
        seen.push_back({static_cast<std::int64_t>(seen.size()), oracle::sight(ray, sphere)});
    }
    return seen;
  }

  /// Is the found sphere the first one, or one of the other instance with the same entry in float? Embree
  /// gives the second instance the first one's hit only as a float, rounded down.
  bool is_first(std::size_t i, const std::vector<SphereSight>& seen, const SphereSight& first) const {
    const RTCRayHit& found = found_[i];
    const auto ends_there = [&](const SphereSight& s) {
      return ends_late_ ? is_coherent_entry(s.sight, floats_[i], found.ray.tfar)
                        : is_entry(s.sight, found.ray.tfar);
    };
    const std::size_t size = spheres_.size(), number = found.hit.instID[0] * size + found.hit.primID;
    const bool elsewhere = (number >= size) != (static_cast<std::size_t>(first.id) >= size);
    return (seen[number].id == first.id || elsewhere) && ends_there(seen[number]) && ends_there(first);
  }

  bool is_wrong(std::size_t i) const {
    const std::vector<SphereSight> seen = seen_by(i);
    const SphereSight* const first = first_of(seen);
    const bool hit = found_[i].hit.geomID == 0, hidden = shadows_[i].tfar < 0;
    if (hit != (first != nullptr) || (hit && !is_first(i, seen, *first))) return true;
    return !(floats_[i].tfar < 0) && hidden != hit;
  }

  std::vector<Sphere> spheres_;
  Scene scene_;
  embree::GeometryOptions options_;
  SphereGeometry geometry_;
  std::vector<Turn> turns_;
  SceneHandle world_, probed_;
  bool any_width_;          ///< coherent packets may be of any width
  bool ends_late_ = false;  ///< tfar is that of a coherent packet over single spheres
  std::vector<Ray> rays_;
  Places context_;
  std::vector<RTCRayHit> found_;
  std::vector<RTCRay> floats_, shadows_;
};

void shoot_instances(std::size_t n) {
  static constexpr SceneKind scene_kinds[] = {SceneKind::nested, SceneKind::mirrored, SceneKind::lattice,
                                              SceneKind::flat};
  Random random(seed(), 4);
  // Debian's Embree 3.13.5 may not return from a coherent rtcOccluded16 of instances with AVX-512: GCC stores
  // the mask of the valid rays in two bytes, and reads eight.
  const DeviceHandle device(rtcNewDevice(nullptr)), without_avx_512(rtcNewDevice("isa=avx2"));
  std::size_t shot = 0;
  for (int round = 0; shot < n; ++round) {
    const SceneKind scene_kind = scene_kinds[round % 4];
    INFO(test::name(scene_kind) << ", round " << round);
    const bool any_width = round / 4 % 2 == 1;
    InstanceTrial trial((any_width ? without_avx_512 : device).get(), any_width, scene_kind, random);
    REQUIRE(trial.shoot(100, random) == 0);
    shot += trial.rays();
  }
}

}  // namespace

TEST_CASE("instances of spheres are decided in their own space", "[embree][bridge]") {
  shoot_instances(fewer_in_repeats(std::size_t{12'000}));
}

TEST_CASE("a million rays among instances", "[.bridge-long]") { shoot_instances(1'000'000); }
