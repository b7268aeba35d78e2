#include <query/batch/list_answers.hpp>
#include <query/neighbors/ball_walk.hpp>
#include <query/neighbors/rank_by_counting.hpp>

namespace sphaera {
namespace {

/// Appends the ids to a list.
class FoundIds {
 public:
  explicit FoundIds(std::vector<std::int64_t>& list) : list_(list), first_(list.size()) {}

  SPHAERA_INLINE void add(std::uint32_t id) { list_.push_back(id); }
  /// Puts them in ascending order.
  SPHAERA_INLINE void finish(const query::SpheresAtTime&, const exact::Counts&) {
    const std::span<std::int64_t> ids = std::span(list_).subspan(first_);
    if (ids.size() <= few || ids.size() > query::max_ranked) {
      std::sort(ids.begin(), ids.end());
      return;
    }
    query::RankedKeys<std::uint32_t> ranked;
    for (std::size_t i = 0; i < ids.size(); ++i) ranked.keys[i] = static_cast<std::uint32_t>(ids[i]);
    ranked.rank(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      ids[static_cast<std::size_t>(ranked.ranks[i])] = ranked.keys[i];
  }

 private:
  static constexpr std::size_t few = 4;

  std::vector<std::int64_t>& list_;
  std::size_t first_;
};

/// Appends the ids of a single query.
void answer_one(const query::SceneState& state, const Ball& ball, const QueryOptions& options,
                std::vector<std::int64_t>& ids) {
  const base::FloatingPointEnvironment mode;
  query::run_single(state, ball, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    FoundIds found(ids);
    query::find_in_ball<decltype(arithmetic)>(state, ball, options, 0, found, stats);
  });
}

}  // namespace

void Scene::within(std::span<const Ball> balls, IdLists& lists, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::run_lists<query::WalkOrder::coherent_points>(
      state(), balls, lists, options,
      [&](auto arithmetic, const query::ListPiece<Ball, std::int64_t>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
              FoundIds found(piece.items);
              query::find_in_ball<decltype(arithmetic)>(state(), balls[i], options, i, found, stats);
            });
          });
}

IdLists Scene::within(std::span<const Ball> balls, const QueryOptions& options) const {
  return query::lists_of<std::int64_t>([&](IdLists& lists) { within(balls, lists, options); });
}

std::vector<std::int64_t> Scene::within(const Ball& ball, const QueryOptions& options) const {
  std::vector<std::int64_t> ids;
  answer_one(state(), ball, options, ids);
  return ids;
}

std::size_t Scene::within(const Ball& ball, std::span<std::int64_t> out, const QueryOptions& options) const {
  query::SingleScratch scratch(options);
  std::vector<std::int64_t>& ids = (*scratch).ids;
  ids.clear();
  answer_one(state(), ball, options, ids);
  std::copy_n(ids.begin(), std::min(ids.size(), out.size()), out.begin());
  return ids.size();
}

}  // namespace sphaera
