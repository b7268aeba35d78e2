/// \file Rays among walls and spheres through every entry point, against walls alone and exact arithmetic.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree/walls_and_spheres.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using embree::Contexts, embree::Granularity, embree::SphereGeometry;

namespace {

const char* name(Granularity granularity) { return granularity == Granularity::scene ? "scene" : "spheres"; }

/// One level, in which batches of rays are checked.
class Trial {
 public:
  Trial(SceneKind scene_kind, Granularity granularity, Contexts contexts, Random& random)
      : random_(random),
        device_(rtcNewDevice(nullptr)),
        spheres_(make_spheres(scene_kind, static_cast<std::size_t>(random.whole(1, 40)), random)),
        layers_(some_layers()),
        owners_(some_owners()),
        scene_(Scene::build(spheres_, {.layers = layers_, .owners = owners_})),
        walls_(make_walls(spheres_, 12, random)),
        alone_(wall_scene(device_.get(), walls_, true)),
        both_(wall_scene(device_.get(), walls_, false)) {
    options_.granularity = granularity, options_.contexts = contexts;
    if (random.one_in(3)) options_.layers = 0b101;
    if (random.one_in(4)) options_.mask = 0b0110;
    if (random.one_in(2)) options_.filters = false;
    geometry_.emplace(device_.get(), scene_, options_);
    id_ = rtcAttachGeometry(both_.get(), geometry_->get());
    rtcCommitScene(both_.get());
  }

  /// Shoots n rays. Returns the number of wrong answers.
  int shoot(std::size_t n) {
    prepare(n);
    int wrong = 0;
    for (const unsigned width : widths) wrong += nearest(width) + shadows(width);
    return wrong;
  }
  std::size_t rays() const { return rays_.size(); }
  std::string text() const { return text_; }

 private:
  std::vector<std::uint8_t> some_layers() {
    std::vector<std::uint8_t> layers;
    if (random_.one_in(2))
      for (std::size_t i = 0; i < spheres_.size(); ++i)
        layers.push_back(static_cast<std::uint8_t>(random_.below(3)));
    return layers;
  }

  std::vector<std::uint32_t> some_owners() {
    std::vector<std::uint32_t> owners;
    if (random_.one_in(2))
      for (std::size_t i = 0; i < spheres_.size(); ++i)
        owners.push_back(random_.one_in(5) ? no_owner : static_cast<std::uint32_t>(random_.below(4)));
    return owners;
  }

  void prepare(std::size_t n) {
    rays_ = embree_rays(spheres_, geometry_->extent(), n, random_);
    ignore_.clear(), ignore_owners_.clear(), also_ignore_owners_.clear(), valid_.clear(), floats_.clear(),
        hits_.assign(n, {});
    context_ = {};
    context_.rays = rays_, context_.hits = hits_;
    if (random_.one_in(3)) context_.layers = 0b110;
    if (random_.one_in(8)) context_.rays = context_.rays.first(n / 2);  // the rest by their floats
    for (std::size_t i = 0; i < n; ++i) {
      ignore_.push_back(random_.one_in(4) ? random_.below(static_cast<int>(spheres_.size())) : -1);
      ignore_owners_.push_back(random_.whole(-1, 4)), also_ignore_owners_.push_back(random_.whole(-1, 4));
      valid_.push_back(random_.one_in(6) ? 0 : -1);
      floats_.push_back(embree::float_ray_hit(rays_[i], static_cast<unsigned>(i)));
      if (random_.one_in(6)) floats_[i].ray.mask = 0b1001;
    }
    context_.ignore = ignore_;
    if (random_.one_in(2)) context_.ignore_owners = ignore_owners_;
    if (random_.one_in(2)) context_.also_ignore_owners = also_ignore_owners_;
  }

  bool extended() const { return options_.contexts == Contexts::extended; }

  bool ignores(std::size_t ray, std::size_t sphere) const {
    if (ignore_[ray] == static_cast<std::int64_t>(sphere)) return true;
    if (owners_.empty() || owners_[sphere] == no_owner) return false;
    const auto hold = [&](std::span<const std::int64_t> ignored) {
      return ray < ignored.size() && ignored[ray] == std::int64_t{owners_[sphere]};
    };
    return hold(context_.ignore_owners) || hold(context_.also_ignore_owners);
  }

  std::vector<SphereSight> seen_by(std::size_t i) const {
    std::vector<SphereSight> seen;
    if (!(floats_[i].ray.mask & options_.mask)) return seen;
    Ray ray = extended() && i < context_.rays.size() ? rays_[i] : in_double(floats_[i].ray);
    ray.t_min = std::max(ray.t_min, 0.0), ray.t_max = std::min<double>(ray.t_max, floats_[i].ray.tfar);
    const LayerMask layers = options_.layers & (extended() ? context_.layers : all_layers);
    for (std::size_t id = 0; id < spheres_.size(); ++id) {
      const unsigned layer = layers_.empty() ? 0 : layers_[id];
      const auto number = static_cast<std::int64_t>(id);
      if (!(layers >> layer & 1) || (extended() && ignores(i, id))) continue;
      seen.push_back({number, oracle::sight(ray, spheres_[id])});
    }
    return seen;
  }

  PlainContext& context() {
    if (extended()) return context_;
    init(plain_);
    return plain_;
  }

  int nearest(unsigned width) {
    const bool coherent = random_.one_in(4);
    std::vector<RTCRayHit> wall = floats_, found = floats_;
    PlainContext walls;
    init(walls);
    intersect(alone_.get(), walls, wall, valid_, width, coherent);
    intersect(both_.get(), context(), found, valid_, width, coherent);
    int wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!is_right(i, wall[i], found[i], coherent && width > 1)) wrong += note(i, width, found[i]);
    return wrong;
  }

  bool is_right(std::size_t i, const RTCRayHit& wall, const RTCRayHit& found, bool coherent) const {
    if (!valid_[i])
      return found.hit.geomID == RTC_INVALID_GEOMETRY_ID && found.ray.tfar == floats_[i].ray.tfar;
    // Embree reports some triangles an ulp behind the ray's end, and spheres up to there count.
    if (wall.hit.geomID != RTC_INVALID_GEOMETRY_ID && wall.ray.tfar > floats_[i].ray.tfar) return true;
    std::vector<SphereSight> seen = seen_by(i);
    const SphereSight* const sphere = expected(seen, wall);
    if (!sphere)
      return found.hit.geomID == wall.hit.geomID && found.hit.primID == wall.hit.primID &&
             found.ray.tfar == wall.ray.tfar;
    const bool normal = std::fabs(std::hypot(found.hit.Ng_x, found.hit.Ng_y, found.hit.Ng_z) - 1) < 1e-6;
    const bool center = found.hit.Ng_x == 0 && found.hit.Ng_y == 0 && found.hit.Ng_z == 0;
    return found.hit.geomID == id_ && found.hit.primID == sphere->id &&
           ends_at(*sphere, wall.ray, found.ray.tfar, coherent) && found.hit.u == 0 && found.hit.v == 0 &&
           (normal || center) && found.hit.instID[0] == RTC_INVALID_GEOMETRY_ID && is_reported(i, *sphere);
  }

  bool ends_at(const SphereSight& sphere, const RTCRay& wall, float tfar, bool coherent) const {
    return coherent && options_.granularity == Granularity::spheres
               ? is_coherent_entry(sphere.sight, wall, tfar)
               : is_entry(sphere.sight, tfar);
  }

  /// The hit in doubles: the sphere, how it is met, and when, good to a ulp.
  bool is_reported(std::size_t i, const SphereSight& sphere) const {
    if (!extended()) return true;
    const Hit& hit = hits_[i];
    if (hit.sphere != sphere.id || hit.contact != oracle::contact(sphere.sight)) return false;
    const double up = hit.t_enter + std::fabs(hit.t_enter) * 0x1p-51 + 0x1p-1070;
    const double down = hit.t_enter - std::fabs(hit.t_enter) * 0x1p-51 - 0x1p-1070;
    return !enters_before(sphere.sight, down) && enters_before(sphere.sight, up) && hit.t_exit >= hit.t_enter;
  }

  int shadows(unsigned width) {
    const bool coherent = random_.one_in(4);
    std::vector<RTCRay> wall, found;
    for (const RTCRayHit& ray : floats_) wall.push_back(ray.ray), found.push_back(ray.ray);
    PlainContext walls;
    init(walls);
    occluded(alone_.get(), walls, wall, valid_, width, coherent);
    occluded(both_.get(), context(), found, valid_, width, coherent);
    int wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool dark = wall[i].tfar < 0 || (valid_[i] && first_of(seen_by(i)));
      const float tfar = dark ? -std::numeric_limits<float>::infinity() : floats_[i].ray.tfar;
      if (found[i].tfar != tfar && !(floats_[i].ray.tfar < 0)) wrong += note(i, width, {found[i], {}});
    }
    return wrong;
  }

  int note(std::size_t i, unsigned width, const RTCRayHit& found) {
    if (!text_.empty()) return 1;
    char text[400];
    const Ray& r = rays_[i];
    std::snprintf(
        text, sizeof text,
        "%s, %s, width %u, ray %zu: %a %a %a; %a %a %a; t %a %a; found geometry %d primitive %d tfar %a",
        name(options_.granularity), extended() ? "doubles" : "floats", width, i, r.origin.x, r.origin.y,
        r.origin.z, r.direction.x, r.direction.y, r.direction.z, r.t_min, r.t_max,
        static_cast<int>(found.hit.geomID), static_cast<int>(found.hit.primID),
        static_cast<double>(found.ray.tfar));
    text_ = text;
    return 1;
  }

  Random& random_;
  DeviceHandle device_;
  std::vector<Sphere> spheres_;
  std::vector<std::uint8_t> layers_;
  std::vector<std::uint32_t> owners_;
  Scene scene_;
  std::vector<Vec3> walls_;
  embree::GeometryOptions options_;
  std::optional<SphereGeometry> geometry_;
  SceneHandle alone_, both_;
  unsigned id_ = 0;
  std::vector<Ray> rays_;
  std::vector<std::int64_t> ignore_, ignore_owners_, also_ignore_owners_;
  std::vector<int> valid_;
  std::vector<RTCRayHit> floats_;
  std::vector<Hit> hits_;
  QueryContext context_;
  PlainContext plain_;
  std::string text_;
};

/// Every kind of world, granularity and context, until n rays were shot (each by eight calls).
void shoot_rays(std::size_t n) {
  Random random(seed());
  std::size_t shot = 0;
  for (int round = 0; shot < n; ++round) {
    for (const SceneKind scene_kind : embree_scene_kinds) {
      const auto granularity = round & 1 ? Granularity::spheres : Granularity::scene;
      const auto contexts = round & 2 ? Contexts::plain : Contexts::extended;
      Trial trial(scene_kind, granularity, contexts, random);
      const int wrong = trial.shoot(160);
      INFO(test::name(scene_kind) << ", " << trial.text());
      REQUIRE(wrong == 0);
      shot += trial.rays();
    }
  }
  std::printf("bridge: %zu rays, each by 8 entry points\n", shot);
}

}  // namespace

TEST_CASE("rays among walls and spheres find what exact arithmetic finds, by every entry point",
          "[embree][bridge]") {
  shoot_rays(fewer_in_repeats(40'000));
}

TEST_CASE("a million rays among walls and spheres", "[.bridge-long]") { shoot_rays(1'000'000); }
