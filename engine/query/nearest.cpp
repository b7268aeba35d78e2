#include <exact/predicates/decide.hpp>
#include <exact/predicates/filter.hpp>
#include <exact/roots/distance.hpp>
#include <query/batch/batch.hpp>

namespace sphaera {
namespace {

/// A sphere and bounds of its signed distance.
struct Nearby {
  std::uint32_t sphere;
  double low, high;
};

struct Nearest : index::PointWalk, query::SphereFilter {
  exact::Counts counts;
  std::size_t k;
  std::vector<Nearby>& best;  // a heap with the farthest on top

  Nearest(const Vec3& p, Visit v, std::size_t wanted, const query::SphereFilter& e, std::vector<Nearby>& b)
      : PointWalk(p, v), SphereFilter(e), k(wanted), best(b) {}

  /// The order (|X − C| − r, id): exact where the bounds overlap.
  bool nearer(const Nearby& a, const Nearby& b) {
    if (a.high < b.low) return true;
    if (b.high < a.low) return false;
    const int order = exact::compare_distances(point, spheres[a.sphere], spheres[b.sphere], counts);
    return order != 0 ? order < 0 : a.sphere < b.sphere;
  }
  auto order() {
    return [this](const Nearby& a, const Nearby& b) { return nearer(a, b); };
  }

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(Nearest& q, std::uint32_t id) {
    if (!q.admits(id)) return index::Next::go_on;
    const Sphere& s = q.spheres[id];
    const exact::filter::Estimate d = exact::filter::distance<Arithmetic>(q.point - s.center, s.radius);
    return q.keep({id, d.value - d.error, d.value + d.error});
  }

  index::Next keep(const Nearby& neighbor) {
    if (best.size() == k) {
      if (!nearer(neighbor, best.front())) return index::Next::go_on;
      std::pop_heap(best.begin(), best.end(), order());
      best.pop_back();
    }
    best.push_back(neighbor);
    std::push_heap(best.begin(), best.end(), order());
    if (best.size() < k) return index::Next::go_on;
    reach = best.front().high;
    return index::Next::shrunk;
  }
};

template <class Arithmetic>
SPHAERA_INLINE void answer(const query::SceneState& state, const Vec3& point, const QueryOptions& options,
                           std::size_t i, std::span<Neighbor> out, QueryStats& stats) {
  std::fill(out.begin(), out.end(), Neighbor{});
  if (out.empty() || query::sees_nothing(state, options)) return;
  std::vector<Nearby> best;
  Nearest walk(point, query::visit_of<Nearest, index::PointWalk, Arithmetic>(), out.size(),
               {state, options, i}, best);
  query::walk_scene<Arithmetic>(state, options, walk, &index::SceneIndex::around,
                                &embree_index::EmbreeIndex::around);
  std::sort_heap(best.begin(), best.end(), walk.order());
  for (std::size_t j = 0; j < best.size(); ++j) {
    out[j] = {exact::signed_distance(point, walk.spheres[best[j].sphere]), best[j].sphere};
  }
  query::count(walk, stats);
}

}  // namespace

void Scene::nearest(std::span<const Vec3> points, std::size_t k, std::span<Neighbor> out,
                    const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  if (k > 0 && points.size() > SIZE_MAX / k) base::throw_out_of_memory();
  query::check_output(out.size(), points.size() * k);
  query::run_batch<query::WalkOrder::as_given>(
      state(), points, options, [&](auto arithmetic, std::size_t i, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        answer<decltype(arithmetic)>(state(), points[i], options, i, out.subspan(i * k, k), stats);
      });
}

std::vector<Neighbor> Scene::nearest(std::span<const Vec3> points, std::size_t k,
                                     const QueryOptions& options) const {
  if (k > 0 && points.size() > SIZE_MAX / k) base::throw_out_of_memory();
  return query::filled<Neighbor>(points.size() * k, [&](auto out) { nearest(points, k, out, options); });
}

Neighbor Scene::nearest(const Vec3& point, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  Neighbor neighbor;
  query::run_single(state(), point, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    answer<decltype(arithmetic)>(state(), point, options, 0, {&neighbor, 1}, stats);
  });
  return neighbor;
}

}  // namespace sphaera
