#pragma once
/// \file Queries of one piece that walk the index together (index/tree/path_group.hpp).

#include <memory>
#include <query/batch/batch.hpp>
#include <type_traits>

namespace sphaera::query {

/// Can queries of this piece walk together? They can if the index supports it, the piece is worth the memory
/// of a group, no star's index serves it, and there is no `accept`: a path that finishes its walk alone
/// visits some spheres twice.
template <class Input>
bool takes_groups(const SceneState& state, const QueryPiece<Input>& piece) {
  constexpr std::size_t least_queries = 64;
  const index::SceneIndex* const scene_index = index_for(state, piece.options);
  return piece.size() >= least_queries && !piece.star && !sees_nothing(state, piece.options) &&
         !piece.options.accept && scene_index && scene_index->takes_groups();
}

/// Where the walks of a group begin: in one frame ball, or in the outermost frame (null).
class GroupStart {
 public:
  bool is(const index::FrameBall* start) const { return start == start_; }
  const index::FrameBall* get() const { return start_; }
  /// Counts the walks of a group that began at the current start.
  void count(std::uint32_t walks) { walks_ += walks; }
  /// The next group begins at another start.
  void change(const index::FrameBall* start) {
    changes_ += walks_ > 0;
    start_ = start;
  }
  /// False where starts change so often that groups remain small.
  bool pays() const { return changes_ < few_changes || walks_ >= worth_a_group * changes_; }

 private:
  static constexpr std::uint32_t few_changes = 4, worth_a_group = 16;

  const index::FrameBall* start_ = nullptr;
  std::uint32_t walks_ = 0, changes_ = 0;
};

/// Gathers walks along paths or flights and runs them when the group is full; call `walk` for the last ones.
/// `Query`: see path_walks.hpp. `Group`: index::PathGroup or, for flights, index::FlightGroup.
template <class Query, class Group = index::PathGroup>
class WalkGroup {
 public:
  using Member = typename Query::ScenePath::Member;  ///< a path or flight

  /// Takes walks where takes_groups() says so.
  template <class Input>
  WalkGroup(const SceneState& state, const QueryPiece<Input>& piece,
            const index::Callbacks<index::PathWalk>& query)
      : state_(state),
        options_(piece.options),
        scratch_(piece.scratch),
        query_(query),
        scene_index_(index_for(state, piece.options)),
        takes_(takes_groups(state, piece)) {}

  /// False if takes_groups() was false, or once groups do not pay.
  bool takes_walks() const { return takes_ && start_.pays(); }
  /// Is the group empty, or does the member's walk begin where the group's walks begin? Precondition:
  /// takes_walks().
  SPHAERA_INLINE bool fits(const Member& member, index::PreparedRay prepared) const {
    return !memory_ || memory_->walks.size() == 0 || start_.is(start_of(member, prepared));
  }

  /// Adds the walk of query `number`; its ScenePath is made of the scene's state, the member and `more`. If
  /// the walk fills the group or does not fit it, calls `walk`. Precondition: takes_walks(). Throws
  /// std::bad_alloc.
  template <class Done, class... More>
  SPHAERA_INLINE void add(std::size_t number, const Member& member, index::PreparedRay prepared, Done& done,
                          const More&... more) {
    if (!memory_) memory_ = &scratch_.group<Group, Member>(), memory_->walks.clear();
    if (const index::FrameBall* const start = start_of(member, prepared); !start_.is(start)) {
      walk(done);
      start_.change(start);
    }
    const std::uint32_t i = memory_->walks.size();
    memory_->numbers[i] = number;
    memory_->members[i] = member;
    auto* const query = new (&memory_->queries[i])
        Query({state_, memory_->members[i], more...}, query_, state_, options_, number);
    query->prepared = prepared;
    scene_index_->add_to(memory_->walks, *query, start_.get());
    if (memory_->walks.full()) walk(done);
  }

  /// Runs all walks, then calls done(number, query) for each.
  template <class Done>
  SPHAERA_INLINE void walk(Done& done) {
    if (!memory_) return;
    if constexpr (Query::order == index::VisitOrder::any)
      scene_index_->any(memory_->walks, start_.get());
    else
      scene_index_->nearest_first(memory_->walks, start_.get());
    start_.count(memory_->walks.size());
    for (std::uint32_t i = 0; i < memory_->walks.size(); ++i)
      done(memory_->numbers[i], *std::launder(reinterpret_cast<Query*>(&memory_->queries[i])));
    memory_->walks.clear();
  }

 private:
  using Memory = GroupScratch<Group, Member>;
  static_assert(sizeof(Query) <= Memory::query_bytes && std::is_trivially_destructible_v<Query>);

  SPHAERA_INLINE const index::FrameBall* start_of(const exact::Path& path,
                                                  index::PreparedRay prepared) const {
    return scene_index_->start_of(path, 0, prepared);
  }
  SPHAERA_INLINE const index::FrameBall* start_of(const exact::Flight& flight,
                                                  index::PreparedRay prepared) const {
    return scene_index_->start_of(flight.path, flight.radius, prepared);
  }

  const SceneState& state_;
  const QueryOptions& options_;
  TaskScratch& scratch_;
  const index::Callbacks<index::PathWalk>& query_;
  const index::SceneIndex* scene_index_;
  bool takes_;
  Memory* memory_ = nullptr;  ///< null until the first walk
  GroupStart start_;
};

}  // namespace sphaera::query
