#pragma once
/// \file Answers of varying length. Each piece of a batch fills its own list in walk order. After each block
/// the lists move to their places in the result, which is in the order of the queries.

#include <base/huge_array.hpp>
#include <query/batch/batch.hpp>

namespace sphaera::query {

/// Limits the number of items in the lists of a batch. The shared counter advances in steps of 1024 items, so
/// that threads seldom write to it.
class ListBudget {
 public:
  explicit ListBudget(std::uint64_t most) : most_(most) {}

  bool is_full() const { return full_.load(std::memory_order_relaxed); }
  /// Records that a list has grown from `before` items to `after`, by the answer to one query.
  void record_growth(std::size_t before, std::size_t after) {
    const std::size_t steps = (after >> step_bits) - (before >> step_bits);
    if (steps > 0 && items_.fetch_add(steps << step_bits) + (steps << step_bits) > most_) full_ = true;
    if (after - before > most_) full_ = true;
  }

 private:
  static constexpr int step_bits = 10;
  std::uint64_t most_;
  std::atomic<std::uint64_t> items_{0};
  std::atomic<bool> full_{false};
};

[[noreturn]] void throw_lists_too_long(std::uint64_t memory_limit);

/// Most items that the lists of a query may hold (QueryOptions::memory_limit).
template <class Item>
std::uint64_t most_items(const QueryOptions& options) {
  return options.memory_limit > 0 ? options.memory_limit / sizeof(Item) : UINT64_MAX;
}

/// A piece and the list that it fills.
template <class Input, class Item>
struct ListPiece {
  const QueryPiece<Input>& piece;
  std::vector<Item>& items;
  std::span<std::uint64_t> counts;  ///< items per query
  ListBudget& budget;

  /// Calls work(i), which appends the results of query i.
  template <class Work>
  SPHAERA_INLINE void each(const Work& work) const {
    piece.each_into(counts, [&](std::size_t i) SPHAERA_INLINE_LAMBDA { append(work, i); });
  }
  /// The same for work(i, j), where query i is number j in walk order.
  template <class Work>
  SPHAERA_INLINE void each_numbered(const Work& work) const {
    piece.each_numbered_into(counts,
                             [&](std::size_t i, std::size_t j) SPHAERA_INLINE_LAMBDA { append(work, i, j); });
  }

  /// Calls work(), which appends the results of query i. Queries come in walk order.
  template <class Work>
  SPHAERA_INLINE void add(std::size_t i, const Work& work) const {
    append([&](std::size_t) SPHAERA_INLINE_LAMBDA { work(); }, i);
  }

 private:
  template <class Work, class... More>
  SPHAERA_INLINE void append(const Work& work, std::size_t i, const More&... more) const {
    if (budget.is_full()) return;
    const std::size_t before = items.size();
    work(i, more...);
    counts[i] = items.size() - before;
    budget.record_growth(before, items.size());
  }
};

/// Moves a block's lists, one per piece, to the end of the result. offsets[i + 1] holds the number of items
/// of query i and becomes the end of its items. The block has so many `queries`; of some it may answer none.
/// Then clears the pieces' lists, and frees their memory unless `keep` is true.
template <class Item>
void append_block(const QueryBlock& block, std::size_t queries, std::size_t grain,
                  std::span<std::vector<Item>> pieces, bool keep, Lists<Item>& lists) {
  const std::span<std::uint64_t> offsets(lists.offsets);
  for (std::size_t i = block.first; i < block.first + queries; ++i) offsets[i + 1] += offsets[i];
  const std::size_t size = offsets[block.first + queries];
  base::reserve_huge(lists.items, size);
  lists.items.resize(size);
  base::parallel_pieces(block.count, grain, [&](std::size_t begin, std::size_t end) {
    std::vector<Item>& items = pieces[begin / grain];
    const Item* from = items.data();
    for (std::size_t j = begin; j < end; ++j) {
      const std::size_t i = block.query(j);
      for (std::uint64_t to = offsets[i]; to < offsets[i + 1]; ++to) lists.items[to] = *from++;
    }
    items.clear();
    if (!keep) std::vector<Item>().swap(items);
  });
}

/// Calls work(arithmetic, list piece, stats) for every piece, and joins the lists. If it throws,
/// `lists` is empty.
template <WalkOrder walk_order, class Item, class Input, class Work, class PathOf = decltype(own_path)>
void run_lists(const SceneState& state, std::span<const Input> inputs, Lists<Item>& lists,
               const QueryOptions& options, const Work& work, const PathOf& path_of = own_path) {
  constexpr bool whole = walk_order == WalkOrder::own;
  const std::size_t grain = grain_of(state, options),
                    block_size = whole ? inputs.size() : std::min(ordered_block, inputs.size());
  BatchScratch scratch(options);
  std::vector<std::vector<Item>>& pieces = (*scratch).lists<Item>();
  ListBudget budget(most_items<Item>(options));
  const bool keep = (*scratch).lasting;
  lists.items.clear();
  try {
    with_memory_errors([&] {
      pieces.resize(std::max(pieces.size(), (block_size + grain - 1) / grain));
      for (std::vector<Item>& piece : pieces) piece.clear();
      lists.offsets.assign(inputs.size() + 1, 0);
      run_pieces<walk_order>(
          state, inputs, options, block_size,
          [&](auto arithmetic, const QueryPiece<Input>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
            const std::span<std::uint64_t> counts = std::span(lists.offsets).subspan(1);
            work(arithmetic, ListPiece<Input, Item>{piece, pieces[piece.begin / grain], counts, budget},
                 stats);
          },
          [&](const QueryBlock& block) {
            if (budget.is_full()) throw_lists_too_long(options.memory_limit);
            append_block<Item>(block, whole ? inputs.size() : block.count, grain, pieces, keep, lists);
          },
          path_of, *scratch);
    });
  } catch (...) {
    lists.items.clear(), lists.offsets.clear();
    throw;
  }
}

/// New lists, written by `fill`.
template <class Item, class Fill>
Lists<Item> lists_of(const Fill& fill) {
  return with_memory_errors([&] {
    Lists<Item> lists;
    fill(lists);
    return lists;
  });
}

}  // namespace sphaera::query
