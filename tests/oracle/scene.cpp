#include <algorithm>
#include <cmath>
#include <limits>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/scene.hpp>

namespace sphaera::oracle {

namespace {

bool seen(const View& view, std::size_t id) {
  const unsigned layer = view.layers.empty() ? 0 : view.layers[id];
  return (view.mask >> layer & 1) != 0 && static_cast<std::int64_t>(id) != view.ignore;
}

template <class Visit>
void for_each_seen(const View& view, const Visit& visit) {
  for (std::size_t id = 0; id < view.spheres.size(); ++id)
    if (seen(view, id)) visit(static_cast<std::int64_t>(id), view.spheres[id]);
}

/// Most spheres are decided in wide floating point, which neither overflows nor underflows for doubles, with
/// a slack of 64 times its roundings; each formula here has less than 16. The others are decided exactly.
using Wide = long double;
constexpr Wide slack = 64 * std::numeric_limits<Wide>::epsilon();

struct WideVec3 {
  Wide x, y, z;

  explicit WideVec3(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
  WideVec3(Wide a, Wide b, Wide c) : x(a), y(b), z(c) {}
  WideVec3 operator-(const WideVec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
  Wide length() const { return std::sqrt(x * x + y * y + z * z); }
};

WideVec3 cross(const WideVec3& a, const WideVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A line through `origin`.
struct WideLine {
  WideVec3 origin, direction;
  Wide length = direction.length();

  explicit WideLine(const Ray& ray) : origin(ray.origin), direction(ray.direction) {}
  explicit WideLine(const Segment& s) : origin(s.from), direction(WideVec3(s.to) - WideVec3(s.from)) {}

  /// Does the line stay outside for certain? |L × D| > r |D|; the product is off by a part of |L| |D|.
  bool misses(const Sphere& sphere) const {
    const WideVec3 l = origin - WideVec3(sphere.center);
    return cross(l, direction).length() >
           length * (Wide(sphere.radius) + slack * (l.length() + Wide(sphere.radius)));
  }
};

/// Bounds of |x − center| − radius.
struct WideDistance {
  Wide low, high;

  WideDistance(const Vec3& x, const Sphere& s) {
    const Wide far = (WideVec3(x) - WideVec3(s.center)).length(), radius = s.radius;
    low = far - radius - slack * (far + radius), high = far - radius + slack * (far + radius);
  }
};

template <class Path>
std::vector<SphereHit> meetings(const View& view, const Path& path) {
  std::vector<SphereHit> met;
  const WideLine line(path);
  for_each_seen(view, [&](std::int64_t id, const Sphere& sphere) {
    if (line.misses(sphere)) return;
    const Contact how = contact(sight(path, sphere));
    if (how != Contact::miss) met.push_back({id, how});
  });
  return met;
}

template <class Path>
bool enters_before(const View& view, const Path& path, const SphereHit& a, const SphereHit& b) {
  const int order = compare_entries(sight(path, view.spheres[a.sphere]), sight(path, view.spheres[b.sphere]));
  return order != 0 ? order < 0 : a.sphere < b.sphere;
}

}  // namespace

template <class Path>
bool blocked(const View& view, const Path& path) {
  return !meetings(view, path).empty();
}

template <class Path>
SphereHit first_hit(const View& view, const Path& path) {
  const std::vector<SphereHit> met = meetings(view, path);
  const auto first = std::min_element(met.begin(), met.end(), [&](const SphereHit& a, const SphereHit& b) {
    return enters_before(view, path, a, b);
  });
  return first == met.end() ? SphereHit{} : *first;
}

template <class Path>
std::vector<SphereHit> all_hits(const View& view, const Path& path) {
  std::vector<SphereHit> met = meetings(view, path);
  std::sort(met.begin(), met.end(),
            [&](const SphereHit& a, const SphereHit& b) { return enters_before(view, path, a, b); });
  return met;
}

template bool blocked(const View&, const Ray&);
template bool blocked(const View&, const Segment&);
template SphereHit first_hit(const View&, const Ray&);
template SphereHit first_hit(const View&, const Segment&);
template std::vector<SphereHit> all_hits(const View&, const Ray&);
template std::vector<SphereHit> all_hits(const View&, const Segment&);

std::vector<std::int64_t> nearest(const View& view, const Vec3& point, std::size_t k) {
  struct Found {
    std::int64_t id;
    WideDistance distance;
  };
  const auto nearer = [&](const Found& a, const Found& b) {
    if (a.distance.high < b.distance.low) return true;
    if (b.distance.high < a.distance.low) return false;
    const int order = compare_distances(point, view.spheres[a.id], view.spheres[b.id]);
    return order != 0 ? order < 0 : a.id < b.id;
  };
  std::vector<Found> best;
  for_each_seen(view, [&](std::int64_t id, const Sphere& sphere) {
    const Found found{id, {point, sphere}};
    if (best.size() == k && (k == 0 || !nearer(found, best.back()))) return;
    if (best.size() == k) best.pop_back();
    best.insert(std::lower_bound(best.begin(), best.end(), found, nearer), found);
  });
  std::vector<std::int64_t> ids;
  for (const Found& found : best) ids.push_back(found.id);
  return ids;
}

std::vector<std::int64_t> within(const View& view, const Ball& ball) {
  std::vector<std::int64_t> ids;
  for_each_seen(view, [&](std::int64_t id, const Sphere& sphere) {
    const WideDistance distance(ball.center, sphere);
    const Wide reach = ball.radius;
    if (distance.low > reach) return;
    if (distance.high < reach || sign_gap(ball, {sphere.center, sphere.radius}) <= 0) ids.push_back(id);
  });
  return ids;
}

}  // namespace sphaera::oracle
