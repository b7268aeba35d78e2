#include <numeric>
#include <query/neighbors/nearest_answers.hpp>
#include <string>

namespace sphaera {
namespace {

IdRange all_ids(const query::SceneState& state) {
  return {0, static_cast<std::int64_t>(state.spheres.span().size())};
}

/// Throws if the scene lacks one of the ids.
void check_ids(const query::SceneState& state, const IdRange& ids) {
  const auto [first, count] = ids;
  const std::int64_t size = all_ids(state).count;
  if (first >= 0 && count >= 0 && first <= size && count <= size - first) return;
  base::throw_invalid_argument("ids are {" + std::to_string(first) + ", " + std::to_string(count) +
                               "}; give a first id and a count within the " + std::to_string(size) +
                               " ids of the scene");
}

/// The size of the output: k neighbors for each id.
std::size_t rows_of(const IdRange& ids, std::size_t k) {
  const auto count = static_cast<std::size_t>(ids.count);
  if (k > 0 && count > SIZE_MAX / k) base::throw_out_of_memory();
  return count * k;
}

/// Where fewer than one in this many ids are asked about, their centers are sorted: to find them among all
/// leaf blocks would cost more (../index/decisions.md).
constexpr std::int64_t sparse_ids = 32;

/// The enabled spheres of a range, in the order in which they are answered: by leaf block if many ids are
/// asked about, sorted by center if few are, and by id if neither pays or the index is not used.
std::span<const std::uint32_t> order_of_spheres(const query::SceneState& state, const IdRange& ids,
                                                const QueryOptions& options, query::OrderScratch& scratch) {
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
  if (!by_index || query::order_of_points(state, spheres, first, options, scratch).empty()) {
    order.resize(count);
    std::iota(order.begin(), order.end(), first);
  } else {
    for (std::uint32_t& id : order) id += first;
  }
  std::erase_if(order, [&](std::uint32_t id) { return !state.is_enabled(id); });
  return order;
}

/// Writes the rows of ids without an enabled sphere.
void fill_disabled(const query::SceneState& state, const IdRange& ids, std::size_t k,
                   std::span<Neighbor> out) {
  if (state.presence.size() == 0) return;
  for (std::size_t row = 0; row < static_cast<std::size_t>(ids.count); ++row)
    if (!state.is_enabled(static_cast<std::uint32_t>(ids.first) + static_cast<std::uint32_t>(row)))
      std::ranges::fill(out.subspan(row * k, k), Neighbor{});
}

}  // namespace

void Scene::nearest_to_spheres(IdRange ids, std::size_t k, std::span<Neighbor> out,
                               const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  check_ids(state(), ids);
  query::check_output(out.size(), rows_of(ids, k));
  query::refuse_times(options, "nearest_to_spheres");
  query::refuse_ignore(options);
  const std::span<const Sphere> spheres = state().spheres.span();
  const auto first = static_cast<std::size_t>(ids.first);
  query::run_pieces<query::WalkOrder::own>(
      state(), spheres, options,
      [&](auto arithmetic, const query::QueryPiece<Sphere>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::NearestAnswers<decltype(arithmetic)> answers(state(), options, out, k, piece.scratch, stats);
        answers.answer(piece, first,
                       [](std::size_t i) SPHAERA_INLINE_LAMBDA { return static_cast<std::int64_t>(i); });
        answers.finish();
      },
      [&](query::OrderScratch& scratch) { return order_of_spheres(state(), ids, options, scratch); });
  fill_disabled(state(), ids, k, out);
}

std::vector<Neighbor> Scene::nearest_to_spheres(IdRange ids, std::size_t k,
                                                const QueryOptions& options) const {
  check_ids(state(), ids);
  return query::filled<Neighbor>(rows_of(ids, k),
                                 [&](auto out) { nearest_to_spheres(ids, k, out, options); });
}

void Scene::nearest_to_spheres(std::size_t k, std::span<Neighbor> out, const QueryOptions& options) const {
  nearest_to_spheres(all_ids(state()), k, out, options);
}

std::vector<Neighbor> Scene::nearest_to_spheres(std::size_t k, const QueryOptions& options) const {
  return nearest_to_spheres(all_ids(state()), k, options);
}

}  // namespace sphaera
