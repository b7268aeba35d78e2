#include <query/batch/list_answers.hpp>
#include <query/neighbors/ball_answers.hpp>
#include <query/neighbors/rank_by_counting.hpp>

namespace sphaera {
namespace {

/// Appends the ids to a list.
class FoundIds {
 public:
  explicit FoundIds(std::vector<std::int64_t>& list) : list_(list), first_(list.size()) {}

  SPHAERA_INLINE void add(std::uint32_t id) { list_.push_back(next(id)); }
  SPHAERA_INLINE void add_block(const index::LeafIds& ids) {
    std::array<std::int64_t, index::leaf_block_size> added;
    for (std::size_t lane = 0; lane < ids.size(); ++lane) added[lane] = next(ids[lane]);
    list_.insert(list_.end(), added.begin(), added.end());
  }
  /// Adds the first ids, which are ascending already.
  SPHAERA_INLINE void add_in_order(std::span<const std::uint32_t> ids) {
    list_.insert(list_.end(), ids.begin(), ids.end());
    if (!ids.empty()) last_ = ids.back();
  }
  /// Puts them in ascending order.
  SPHAERA_INLINE void finish(const query::SpheresAtTime&, const exact::Counts&) {
    if (!in_order_) sort(std::span(list_).subspan(first_));
  }

 private:
  /// The id, which is now the last.
  SPHAERA_INLINE std::int64_t next(std::uint32_t id) {
    in_order_ &= last_ < std::int64_t{id};
    return last_ = id;
  }
  SPHAERA_INLINE static void sort(std::span<std::int64_t> ids) {
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

  static constexpr std::size_t few = 4;  ///< std::sort sorts up to so many, and more than max_ranked

  std::vector<std::int64_t>& list_;
  std::size_t first_;
  std::int64_t last_ = -1;
  bool in_order_ = true;
};

/// Appends the ids of the spheres that meet one ball.
void answer_one(const query::SceneState& state, const Ball& ball, const QueryOptions& options,
                std::vector<std::int64_t>& ids) {
  const base::FloatingPointEnvironment mode;
  query::run_single(state, ball, options, [&](auto, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    FoundIds found(ids);
    query::find_in_ball(state, query::PeriodicBox(state, options), ball, options, 0, found, stats);
  });
}

}  // namespace

void Scene::within(std::span<const Ball> balls, IdLists& lists, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::run_lists<query::WalkOrder::coherent_points>(
      state(), balls, lists, options,
      [&](auto arithmetic, const query::ListPiece<Ball, std::int64_t>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            query::BallAnswers<decltype(arithmetic)> answers(state(), options, piece.piece.scratch, stats,
                                                             query::NearbySpheres::Order::by_id);
            piece.each_numbered([&](std::size_t i, std::size_t j) SPHAERA_INLINE_LAMBDA {
              FoundIds found(piece.items);
              answers.answer(piece.piece, i, j, found);
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
