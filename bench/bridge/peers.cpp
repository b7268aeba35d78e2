/// \file What the bridge is compared with: walls alone, people alone, one after the other, and Embree's own
/// means to find the nearer of walls and people.

#include <bench/bridge/embree_level.hpp>
#include <bench/bridge/method.hpp>
#include <bench/peers/naive/certified.hpp>
#include <optional>

namespace sphaera::bench {
namespace {

class WallsAlone final : public Method {
 public:
  void commit(const Level& level) override {
    embree_.add_walls(level.walls);
    embree_.commit();
  }

  void first(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    first_with_own_context(embree_.scene(), rays, out);
  }

  void any(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    any_with_own_context(embree_.scene(), rays, out);
  }

  double embree_bytes() const override { return embree_.bytes(); }

 private:
  EmbreeLevel embree_;
};

class SingleQuery final : public Method {
 public:
  explicit SingleQuery(Search search = Search::index) { options_.search = search; }

  void index(const Level& level) override { scene_ = Scene::build(std::span<const Sphere>(level.people)); }
  /// Asks one ray, because Search::embree builds its index at the first query.
  void commit(const Level&) override { (void)scene_.blocked(Ray{{}, {1, 0, 0}}, options_); }

  void first(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const Hit hit = scene_.first_hit(rays[i], options_);
      out[i] = {};
      if (hit.sphere >= 0) out[i] = {hit.t_enter, hit.sphere};
    }
  }

  void any(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i)
      out[i] = {.t = scene_.blocked(rays[i], options_) ? 0 : infinity};
  }

  double embree_bytes() const override { return static_cast<double>(scene_.info().embree_bytes); }
  double own_bytes() const override {
    const SceneInfo info = scene_.info();
    return static_cast<double>(info.index_bytes + info.sphere_bytes);
  }

 private:
  Scene scene_;
  QueryOptions options_;
};

/// Without the bridge. First hit: for each ray the walls, then the people up to the wall that the ray hits.
/// Any hit: the people only if the ray hits no wall.
class OneThenTheOther final : public Method {
 public:
  void index(const Level& level) override { query_.index(level); }
  void commit(const Level& level) override { walls_.commit(level); }

  void first(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      walls_.first(rays.subspan(i, 1), out.subspan(i, 1));
      Ray ray = rays[i];
      ray.t_max = std::min(ray.t_max, out[i].t);
      FirstOfBoth person;
      query_.first({&ray, 1}, {&person, 1});
      if (person.t < out[i].t) out[i] = person;
    }
  }
  void any(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      walls_.any(rays.subspan(i, 1), out.subspan(i, 1));
      if (out[i].t > 0) query_.any(rays.subspan(i, 1), out.subspan(i, 1));
    }
  }

  double embree_bytes() const override { return walls_.embree_bytes(); }
  double own_bytes() const override { return query_.own_bytes(); }

 private:
  WallsAlone walls_;
  SingleQuery query_;
};

/// Embree's sphere points, in floats.
class BuiltinLevel final : public Method {
 public:
  void index(const Level& level) override {
    points_.clear();
    for (const auto& [c, r] : level.people) points_.push_back(float_point(c, r));
  }

  void commit(const Level& level) override {
    const GeometryHandle geometry(rtcNewGeometry(embree_.device(), RTC_GEOMETRY_TYPE_SPHERE_POINT));
    rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, points_.data(),
                               0, sizeof(FloatPoint), points_.size());
    rtcCommitGeometry(geometry.get());
    embree_.add_walls(level.walls);
    embree_.add_people(geometry.get());
    embree_.commit();
  }

  void first(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    first_with_own_context(embree_.scene(), rays, out);
  }

  void any(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    any_with_own_context(embree_.scene(), rays, out);
  }

  double embree_bytes() const override { return embree_.bytes(); }
  double own_bytes() const override { return static_cast<double>(points_.size() * sizeof(FloatPoint)); }

 private:
  HugeVector<FloatPoint> points_;
  EmbreeLevel embree_;
};

/// Context of a ray. Embree passes `context` to the callbacks; their cast to NaiveQuery needs it as the first
/// member.
struct NaiveQuery {
  explicit NaiveQuery(const Ray& r) : ray(r) { init_context(context); }

  RayContext context;
  CertifiedRay ray;
  CertifiedHit best;  ///< of the nearest sphere so far
  std::int64_t sphere = -1;
};

const Sphere& sphere_of(const void* spheres, unsigned id) { return static_cast<const Sphere*>(spheres)[id]; }

void bound(const RTCBoundsFunctionArguments* arguments) {
  set_outward_box(*arguments->bounds_o, sphere_of(arguments->geometryUserPtr, arguments->primID));
}

/// True if an entry is before that of the nearest sphere so far. If both are equal, for example because the
/// ray starts inside both spheres, the smaller id is first.
bool earlier(double enter, unsigned sphere, const NaiveQuery& query) {
  return enter != query.best.enter ? enter < query.best.enter : sphere < query.sphere;
}

void intersect(const RTCIntersectFunctionNArguments* arguments) {
  auto* query = reinterpret_cast<NaiveQuery*>(arguments->context);
  const CertifiedHit hit =
      certified_hit(query->ray, sphere_of(arguments->geometryUserPtr, arguments->primID));
  RTCRay& ray = *reinterpret_cast<RTCRay*>(RTCRayHitN_RayN(arguments->rayhit, 1));
  if (!hit.is_hit || hit.enter >= static_cast<double>(ray.tfar)) return;
  if (query->sphere >= 0 && !earlier(hit.enter, arguments->primID, *query)) return;
  query->best = hit;
  query->sphere = arguments->primID;
  ray.tfar = above(hit.enter + hit.error);
  RTCHitN_geomID(RTCRayHitN_HitN(arguments->rayhit, 1), 1, 0) = arguments->geomID;
}

void occlude(const RTCOccludedFunctionNArguments* arguments) {
  auto* query = reinterpret_cast<NaiveQuery*>(arguments->context);
  if (certified_hit(query->ray, sphere_of(arguments->geometryUserPtr, arguments->primID)).is_hit)
    RTCRayN_tfar(arguments->ray, 1, 0) = -float_infinity;
}

/// User geometry, one primitive a sphere, with boxes rounded outward and a test in doubles.
class NaiveLevel final : public Method {
 public:
  void commit(const Level& level) override {
    own_bytes_ = static_cast<double>(level.people.size() * sizeof(Sphere));
    const GeometryHandle geometry(rtcNewGeometry(embree_.device(), RTC_GEOMETRY_TYPE_USER));
    rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(level.people.size()));
    rtcSetGeometryUserData(geometry.get(), const_cast<Sphere*>(level.people.data()));
    rtcSetGeometryBoundsFunction(geometry.get(), bound, nullptr);
    rtcSetGeometryIntersectFunction(geometry.get(), intersect);
    rtcSetGeometryOccludedFunction(geometry.get(), occlude);
    rtcCommitGeometry(geometry.get());
    embree_.add_walls(level.walls);
    embree_.add_people(geometry.get());
    embree_.commit();
  }

  void first(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      NaiveQuery naive(rays[i]);
      RTCRayHit query = query_of(rays[i]);
      intersect1(embree_.scene(), query, naive.context);
      out[i] = {};
      if (query.hit.geomID == EmbreeLevel::walls_id) out[i].t = static_cast<double>(query.ray.tfar);
      if (query.hit.geomID == EmbreeLevel::people_id) out[i] = {naive.best.enter, naive.sphere};
    }
  }

  void any(std::span<const Ray> rays, std::span<FirstOfBoth> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) {
      NaiveQuery naive(rays[i]);
      RTCRay query = query_of(rays[i]).ray;
      occluded1(embree_.scene(), query, naive.context);
      out[i] = {.t = query.tfar < 0 ? 0 : infinity};
    }
  }

  double embree_bytes() const override { return embree_.bytes(); }
  double own_bytes() const override { return own_bytes_; }

 private:
  double own_bytes_ = 0;
  EmbreeLevel embree_;
};

}  // namespace

std::unique_ptr<Method> make_walls_alone() { return std::make_unique<WallsAlone>(); }
std::unique_ptr<Method> make_single_query() { return std::make_unique<SingleQuery>(); }
std::unique_ptr<Method> make_embree_search() { return std::make_unique<SingleQuery>(Search::embree); }
std::unique_ptr<Method> make_one_then_the_other() { return std::make_unique<OneThenTheOther>(); }
std::unique_ptr<Method> make_builtin_level() { return std::make_unique<BuiltinLevel>(); }
std::unique_ptr<Method> make_naive_level() { return std::make_unique<NaiveLevel>(); }

}  // namespace sphaera::bench
