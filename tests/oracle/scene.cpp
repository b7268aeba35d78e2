#include <algorithm>
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

template <class Path>
std::vector<SphereHit> meetings(const View& view, const Path& path) {
  std::vector<SphereHit> met;
  for_each_seen(view, [&](std::int64_t id, const Sphere& sphere) {
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
  const auto nearer = [&](std::int64_t a, std::int64_t b) {
    const int order = compare_distances(point, view.spheres[a], view.spheres[b]);
    return order != 0 ? order < 0 : a < b;
  };
  std::vector<std::int64_t> best;
  for_each_seen(view, [&](std::int64_t id, const Sphere&) {
    if (best.size() == k && (k == 0 || !nearer(id, best.back()))) return;
    if (best.size() == k) best.pop_back();
    best.insert(std::lower_bound(best.begin(), best.end(), id, nearer), id);
  });
  return best;
}

std::vector<std::int64_t> within(const View& view, const Ball& ball) {
  std::vector<std::int64_t> ids;
  for_each_seen(view, [&](std::int64_t id, const Sphere& sphere) {
    if (sign_gap(ball, {sphere.center, sphere.radius}) <= 0) ids.push_back(id);
  });
  return ids;
}

}  // namespace sphaera::oracle
