#pragma once
/// \file Queries of one piece that walk the index together (index/walk/path_group.hpp).

#include <memory>
#include <query/batch/batch.hpp>
#include <type_traits>

namespace sphaera::query {

/// Gathers queries along paths; `walk` answers them. Call it when the group is full and at the end. `Query`
/// derives from PathAtRest's walk. It must not call the caller's code, because a path that finishes its walk
/// alone visits some spheres twice.
template <class Query>
class WalkGroup {
 public:
  using Together = void (index::SceneIndex::*)(index::PathGroup&) const;

  /// Takes queries if the index can, the piece is long enough and no star's index serves it. Throws
  /// std::bad_alloc.
  template <class Input>
  WalkGroup(const SceneState& state, const QueryPiece<Input>& piece)
      : state_(state), options_(piece.options), scene_index_(index_for(state, piece.options)) {
    if (piece.size() < least_queries || piece.star || sees_nothing(state, options_) || options_.accept ||
        !scene_index_ || !scene_index_->takes_groups())
      return;
    TaskScratch& scratch = piece.scratch;
    if (!scratch.group) scratch.group = std::make_unique_for_overwrite<GroupScratch>();
    memory_ = scratch.group.get();
    memory_->walks.clear();
  }

  bool takes_queries() const { return memory_ != nullptr; }
  bool full() const { return memory_->walks.full(); }

  /// Adds query `number`. Precondition: it takes queries and is not full.
  template <class Arithmetic>
  SPHAERA_INLINE void add(std::size_t number, const exact::Path& path, index::PreparedRay prepared) {
    const std::uint32_t i = memory_->walks.size();
    memory_->numbers[i] = number;
    memory_->paths[i] = path;
    const PathAtRest scene_path(memory_->paths[i], state_.spheres.span().data());
    auto* const query = new (&memory_->queries[i])
        Query(scene_path, visit_of<Query, index::PathWalk, Arithmetic>(), state_, options_, number);
    query->prepared = prepared;
    memory_->walks.add(scene_index_->top().frame(), *query);
  }

  /// Walks all queries, then calls done(number, query) for each.
  template <class Done>
  SPHAERA_INLINE void walk(Together together, const Done& done) {
    if (!memory_) return;
    (scene_index_->*together)(memory_->walks);
    for (std::uint32_t i = 0; i < memory_->walks.size(); ++i)
      done(memory_->numbers[i], *std::launder(reinterpret_cast<Query*>(&memory_->queries[i])));
    memory_->walks.clear();
  }

 private:
  static_assert(sizeof(Query) <= GroupScratch::query_bytes && std::is_trivially_destructible_v<Query>);

  /// Fewer are not worth the memory of a group.
  static constexpr std::size_t least_queries = 64;

  const SceneState& state_;
  const QueryOptions& options_;
  const index::SceneIndex* scene_index_;
  GroupScratch* memory_ = nullptr;
};

}  // namespace sphaera::query
