#include <array>
#include <query/batch/batch.hpp>

namespace sphaera {
namespace {

using query::Nearby;

/// The nearest spheres so far, in storage for the k that are wanted: a heap with the farthest on top.
struct Nearest : index::PointWalk, query::SphereFilter {
  query::PointPlaces places;
  exact::Counts counts;
  std::span<Nearby> storage;
  std::size_t size = 0;

  Nearest(const Vec3& p, Visit v, const query::PointPlaces& at, const query::SphereFilter& e,
          std::span<Nearby> s)
      : PointWalk(p, v), SphereFilter(e), places(at), storage(s) {
    time = at.time;
  }

  /// The order (|X − C| − r, id): exact where the bounds overlap.
  bool nearer(const Nearby& a, const Nearby& b) {
    if (a.high < b.low) return true;
    if (b.high < a.low) return false;
    const int order = places.compare_distances(point, a.sphere, b.sphere, counts);
    return order != 0 ? order < 0 : a.sphere < b.sphere;
  }
  auto order() {
    return [this](const Nearby& a, const Nearby& b) { return nearer(a, b); };
  }
  std::span<Nearby> best() const { return storage.first(size); }

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(Nearest& q, std::uint32_t id) {
    if (!q.admits(id)) return index::Next::go_on;
    const exact::filter::Estimate d = q.places.distance<Arithmetic>(q.point, id);
    return q.keep({id, d.value - d.error, d.value + d.error});
  }

  index::Next keep(const Nearby& neighbor) {
    if (size == storage.size()) {
      if (!nearer(neighbor, storage.front())) return index::Next::go_on;
      if (!accepts(neighbor.sphere)) return index::Next::go_on;
      std::pop_heap(storage.begin(), storage.end(), order());
      storage.back() = neighbor;
    } else {
      if (!accepts(neighbor.sphere)) return index::Next::go_on;
      storage[size++] = neighbor;
    }
    std::push_heap(best().begin(), best().end(), order());
    if (size < storage.size()) return index::Next::go_on;
    reach = storage.front().high;
    return index::Next::shrunk;
  }
};

/// Up to this many are kept on the stack.
constexpr std::size_t few_neighbors = 16;

template <class Arithmetic>
SPHAERA_INLINE void answer(const query::SceneState& state, const Vec3& point, const QueryOptions& options,
                           std::size_t i, std::span<Neighbor> out, query::TaskScratch& scratch,
                           QueryStats& stats) {
  std::fill(out.begin(), out.end(), Neighbor{});
  if (out.empty() || query::sees_nothing(state, options)) return;
  std::array<Nearby, few_neighbors> few;
  const std::size_t wanted = std::min(out.size(), state.spheres.span().size());
  if (wanted > few.size() && scratch.neighbors.size() < wanted) scratch.neighbors.resize(wanted);
  const std::span<Nearby> storage = wanted > few.size() ? std::span(scratch.neighbors) : std::span(few);
  Nearest walk(point, query::visit_of<Nearest, index::PointWalk, Arithmetic>(),
               query::point_places(state, options, i), {state, options, i}, storage.first(wanted));
  query::walk_scene<Arithmetic>(state, options, walk, &index::SceneIndex::around,
                                &embree_index::EmbreeIndex::around);
  const std::span<Nearby> best = walk.best();
  std::sort_heap(best.begin(), best.end(), walk.order());
  for (std::size_t j = 0; j < best.size(); ++j)
    out[j] = {walk.places.signed_distance(point, best[j].sphere), best[j].sphere};
  query::count(walk, stats);
}

}  // namespace

void Scene::nearest(std::span<const Vec3> points, std::size_t k, std::span<Neighbor> out,
                    const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  if (k > 0 && points.size() > SIZE_MAX / k) base::throw_out_of_memory();
  query::check_output(out.size(), points.size() * k);
  query::run_batch<query::WalkOrder::as_given>(
      state(), points, options,
      [&](auto arithmetic, std::size_t i, query::TaskScratch& scratch,
          QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        answer<decltype(arithmetic)>(state(), points[i], options, i, out.subspan(i * k, k), scratch, stats);
      });
  query::put_misses(options, out, {}, k);
}

std::vector<Neighbor> Scene::nearest(std::span<const Vec3> points, std::size_t k,
                                     const QueryOptions& options) const {
  if (k > 0 && points.size() > SIZE_MAX / k) base::throw_out_of_memory();
  return query::filled<Neighbor>(points.size() * k, [&](auto out) { nearest(points, k, out, options); });
}

void Scene::nearest(const Vec3& point, std::span<Neighbor> out, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::SingleScratch scratch(options);
  std::fill(out.begin(), out.end(), Neighbor{});
  query::run_single(state(), point, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    answer<decltype(arithmetic)>(state(), point, options, 0, out, *scratch, stats);
  });
}

Neighbor Scene::nearest(const Vec3& point, const QueryOptions& options) const {
  Neighbor neighbor;
  nearest(point, std::span(&neighbor, 1), options);
  return neighbor;
}

}  // namespace sphaera
