#include <numeric>
#include <query/neighbors/own_spheres.hpp>
#include <string>

namespace sphaera::query {
namespace {

/// Where fewer than one in this many ids are asked about, their centers are sorted: to find them among all
/// leaf blocks would cost more (../../index/decisions.md).
constexpr std::int64_t sparse_ids = 32;

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

}  // namespace sphaera::query
