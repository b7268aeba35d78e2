#include <numeric>
#include <query/neighbors/own_spheres.hpp>
#include <string>

namespace sphaera::query {
namespace {

/// Where fewer than one in this many ids are asked about, their centers are sorted: to find them among all
/// leaf blocks would cost more (../../index/decisions.md).
constexpr std::int64_t sparse_ids = 32;

/// The least double ≥ radius + distance, at least 0.
double reach_of(double radius, double distance) {
  const double sum = radius + distance;
  return std::max(0.0, exact::two_sum(radius, distance).lo > 0 ? std::nextafter(sum, infinity) : sum);
}

/// The options for the queries of a range, numbered from 0.
QueryOptions options_of(const IdRange& ids, QueryOptions options) {
  const auto first = static_cast<std::size_t>(ids.first), count = static_cast<std::size_t>(ids.count);
  const auto keep = [&](auto& items) {
    if (!items.empty()) items = items.subspan(first, count);
  };
  keep(options.layers_each), keep(options.ignore_owners), keep(options.also_ignore_owners);
  keep(options.statuses);
  if (options.accept && first > 0)
    options.accept = [accept = options.accept, first](std::size_t query, std::int64_t id) {
      return accept(first + query, id);
    };
  return options;
}

}  // namespace

IdRange all_ids(const SceneState& state) {
  return {0, static_cast<std::int64_t>(state.spheres.span().size())};
}

void check_ids(const SceneState& state, const IdRange& ids) {
  const auto [first, count] = ids;
  const std::int64_t size = all_ids(state).count;
  if (first >= 0 && count >= 0 && first <= size && count <= size - first) return;
  base::throw_invalid_argument("ids are {" + std::to_string(first) + ", " + std::to_string(count) +
                               "}; give a first id and a count within the " + std::to_string(size) +
                               " ids of the scene");
}

std::span<const std::uint32_t> order_of_spheres(const SceneState& state, const IdRange& ids,
                                                const QueryOptions& options, OrderScratch& scratch) {
  std::vector<std::uint32_t>& order = scratch.order;
  order.clear();
  const bool by_index = state.scene_index && options.search == Search::index;
  const auto first = static_cast<std::uint32_t>(ids.first), count = static_cast<std::uint32_t>(ids.count);
  if (by_index && count >= all_ids(state).count / sparse_ids) {
    order.reserve(state.enabled);
    state.scene_index->top().append_ids(order);
    if (count < state.spheres.span().size())
      std::erase_if(order, [&](std::uint32_t id) { return id - first >= count; });
    return order;
  }
  const auto spheres = state.spheres.span().subspan(first, count);
  if (!by_index || order_of_points(state, spheres, first, options, scratch).empty()) {
    order.resize(count);
    std::iota(order.begin(), order.end(), first);
  } else {
    for (std::uint32_t& id : order) id += first;
  }
  std::erase_if(order, [&](std::uint32_t id) { return !state.is_enabled(id); });
  return order;
}

OwnSpheres::OwnSpheres(const SceneState& state, const IdRange& ids, const QueryOptions& options)
    : state_(state), ids_(ids), all_(options), own_(options_of(ids, options)) {}

std::span<const Reach> OwnSpheres::reaches(double distance, ScratchState& scratch) const {
  const std::span<const Sphere> spheres = state_.spheres.span().subspan(static_cast<std::size_t>(ids_.first),
                                                                        static_cast<std::size_t>(ids_.count));
  std::vector<Reach>& reaches = scratch.reaches;
  base::with_memory_errors([&] {
    in_arena_of(all_, [&] {
      reaches.resize(spheres.size());
      base::parallel_pieces(spheres.size(), base::cheap_items_per_piece,
                            [&](std::size_t begin, std::size_t end) {
                              for (std::size_t i = begin; i < end; ++i)
                                reaches[i] = {{spheres[i].center, reach_of(spheres[i].radius, distance)}};
                            });
    });
  });
  return reaches;
}

std::span<const std::uint32_t> OwnSpheres::order(OrderScratch& scratch) const {
  order_of_spheres(state_, ids_, all_, scratch);
  std::erase_if(scratch.order,
                [&](std::uint32_t id) { return !SphereFilter(state_, all_, id).sees_layer_of(id); });
  for (std::uint32_t& id : scratch.order) id -= static_cast<std::uint32_t>(ids_.first);
  return scratch.order;
}

}  // namespace sphaera::query
