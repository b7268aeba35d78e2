#include <algorithm>
#include <bench/peers/embree_peer.hpp>
#include <bench/peers/neighbor_peer.hpp>
#include <bench/peers/outward_rounding.hpp>
#include <cmath>
#include <vector>

namespace sphaera::bench {
namespace {

void bound(const RTCBoundsFunctionArguments* arguments) {
  set_outward_box(*arguments->bounds_o,
                  static_cast<const Sphere*>(arguments->geometryUserPtr)[arguments->primID]);
}

double distance(const Vec3& x, const Sphere& sphere) {
  const Vec3 l = x - sphere.center;
  return std::sqrt(dot(l, l)) - sphere.radius;
}

bool nearer(const Neighbor& a, const Neighbor& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.sphere < b.sphere;
}

/// A point query in float around a point in double.
struct Question {
  const Sphere* spheres;
  Vec3 point;
  float slack;  ///< bounds how far rounding to float moves the point

  Question(std::span<const Sphere> s, const Vec3& p)
      : spheres(s.data()),
        point(p),
        slack(static_cast<float>(0x1p-22 * std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}))) {}

  /// Calls `function` for the primitives whose boxes lie within the radius.
  void ask(RTCScene scene, float radius, RTCPointQueryFunction function, void* self) const {
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    RTCPointQuery query{static_cast<float>(point.x), static_cast<float>(point.y), static_cast<float>(point.z),
                        0, radius};
    rtcPointQuery(scene, &query, &context, function, self);
  }
};

/// The k nearest so far: a heap with the farthest on top.
struct Nearest : Question {
  std::size_t k;
  std::vector<Neighbor>& best;

  Nearest(std::span<const Sphere> s, const Vec3& p, std::size_t number, std::vector<Neighbor>& b)
      : Question(s, p), k(number), best(b) {
    best.clear();
  }

  static bool test(RTCPointQueryFunctionArguments* arguments) {
    auto& q = *static_cast<Nearest*>(arguments->userPtr);
    const Neighbor neighbor{distance(q.point, q.spheres[arguments->primID]), arguments->primID};
    if (q.best.size() == q.k) {
      if (!nearer(neighbor, q.best.front())) return false;
      std::pop_heap(q.best.begin(), q.best.end(), nearer);
      q.best.back() = neighbor;
    } else {
      q.best.push_back(neighbor);
    }
    std::push_heap(q.best.begin(), q.best.end(), nearer);
    if (q.best.size() < q.k) return false;
    arguments->query->radius = std::max(above(q.best.front().distance) + q.slack, q.slack);
    return true;
  }
};

struct Within : Question {
  double reach;
  std::vector<std::int64_t>& found;

  Within(std::span<const Sphere> s, const Ball& ball, std::vector<std::int64_t>& f)
      : Question(s, ball.center), reach(ball.radius), found(f) {}

  static bool test(RTCPointQueryFunctionArguments* arguments) {
    auto& q = *static_cast<Within*>(arguments->userPtr);
    if (distance(q.point, q.spheres[arguments->primID]) <= q.reach) q.found.push_back(arguments->primID);
    return false;
  }
};

class PointQuery : public NeighborPeer {
 public:
  explicit PointQuery(std::span<const Sphere> spheres) : spheres_(spheres) {
    GeometryHandle geometry(rtcNewGeometry(peer_.device(), RTC_GEOMETRY_TYPE_USER));
    rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(spheres.size()));
    rtcSetGeometryUserData(geometry.get(), const_cast<Sphere*>(spheres.data()));
    rtcSetGeometryBoundsFunction(geometry.get(), bound, nullptr);
    peer_.commit(std::move(geometry));
  }

  void nearest(std::span<const Vec3> points, std::size_t k, std::span<Neighbor> out) const override {
    std::vector<Neighbor> best;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Nearest query(spheres_, points[i], k, best);
      query.ask(peer_.scene(), float_infinity, Nearest::test, &query);
      std::sort_heap(best.begin(), best.end(), nearer);
      for (std::size_t j = 0; j < k; ++j) out[i * k + j] = j < best.size() ? best[j] : Neighbor{};
    }
  }

  void within(std::span<const Ball> balls, IdLists& lists) const override {
    lists.offsets.assign(balls.size() + 1, 0);
    lists.items.clear();
    for (std::size_t i = 0; i < balls.size(); ++i) {
      Within query(spheres_, balls[i], lists.items);
      query.ask(peer_.scene(), above(balls[i].radius) + query.slack, Within::test, &query);
      lists.offsets[i + 1] = lists.items.size();
    }
  }

 private:
  std::span<const Sphere> spheres_;
  EmbreePeer peer_;
};

}  // namespace

std::unique_ptr<NeighborPeer> make_point_query(std::span<const Sphere> spheres) {
  return std::make_unique<PointQuery>(spheres);
}

}  // namespace sphaera::bench
