#include <query/neighbors/nearest_answers.hpp>
#include <query/neighbors/own_spheres.hpp>

namespace sphaera {
namespace {

/// The size of the output: k neighbors for each id.
std::size_t rows_of(const IdRange& ids, std::size_t k) {
  const auto count = static_cast<std::size_t>(ids.count);
  if (k > 0 && count > SIZE_MAX / k) base::throw_out_of_memory();
  return count * k;
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
  query::check_ids(state(), ids);
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
      [&](query::OrderScratch& scratch) { return query::order_of_spheres(state(), ids, options, scratch); });
  fill_disabled(state(), ids, k, out);
}

std::vector<Neighbor> Scene::nearest_to_spheres(IdRange ids, std::size_t k,
                                                const QueryOptions& options) const {
  query::check_ids(state(), ids);
  return query::filled<Neighbor>(rows_of(ids, k),
                                 [&](auto out) { nearest_to_spheres(ids, k, out, options); });
}

void Scene::nearest_to_spheres(std::size_t k, std::span<Neighbor> out, const QueryOptions& options) const {
  nearest_to_spheres(query::all_ids(state()), k, out, options);
}

std::vector<Neighbor> Scene::nearest_to_spheres(std::size_t k, const QueryOptions& options) const {
  return nearest_to_spheres(query::all_ids(state()), k, options);
}

}  // namespace sphaera
