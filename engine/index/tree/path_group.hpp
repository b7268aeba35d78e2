#pragma once
/// \file Paths or flights that walk one BVH together, in rounds: each path tests one node, then all leaf
/// blocks that were reached are tested, then those with hits are visited.
///
/// The tests of a round do not depend on each other, and no branch depends on the result of one test. In a
/// walk of one path such branches are mispredicted half the time, and each exposes the latency of a test
/// (../decisions.md).

#include <index/tree/bvh.hpp>
#include <index/tree/flight_in_frame.hpp>

namespace sphaera::index {

/// PathGroup or FlightGroup (walk.hpp). `View` is the path or flight in the frame.
template <class View, class Walk>
class WalkTogether {
 public:
  static constexpr std::uint32_t most = 64;  ///< paths

  std::uint32_t size() const { return size_; }
  bool full() const { return size_ == most; }
  void clear() { size_ = walking_ = alone_ = 0; }
  /// Adds a walk, prepared or not, that begins in this frame. Precondition: not full.
  SPHAERA_INLINE void add(const Frame& frame, Walk& walk) {
    if (!View::can_filter(frame, walk)) return add_alone(walk);
    walks_[size_] = &walk;
    Member& member = members_[size_];
    member.tfar = 1;
    walking_list_[walking_] = size_++;
    walking_ += member.view.enter(frame, walk);
  }
  /// Adds a walk that does not go with the others. Such a walk does its own ray setup: its PreparedRays may
  /// be gone when it begins.
  SPHAERA_INLINE void add_alone(Walk& walk) {
    walk.prepared = {};
    walks_[size_] = &walk;
    members_[size_].tfar = 1;
    alone_list_[alone_++] = size_++;
  }

  Walk& operator[](std::uint32_t i) const { return *walks_[i]; }
  /// Has a visit of walk i returned stop?
  bool has_stopped(std::uint32_t i) const { return members_[i].tfar == stopped; }

 private:
  friend class FrameBvh;

  /// Walks all paths but those of `alone`. `stacked`: if the BVH has stacks; `far`: prefetches nodes and leaf
  /// blocks.
  template <VisitOrder order>
  void walk(const Bvh& bvh, const LeafBlocks& leaves);
  template <VisitOrder order, bool stacked, bool far>
  void walk_in(const Bvh& bvh, const LeafBlocks& leaves);
  /// Walks whose stacks might have overflowed, walks that cannot be filtered, and walks added alone.
  std::span<const std::uint32_t> alone() const { return {alone_list_.data(), alone_}; }
  void stop(std::uint32_t i) { members_[i].tfar = stopped; }

  /// Refs on the stack of a path, last in first out. A path whose stack might overflow starts again at the
  /// root, alone.
  static constexpr std::uint32_t stack_room = 40;
  static constexpr std::uint32_t width = BvhNode::width;
  static constexpr std::uint32_t worth_an_entry = 16;  ///< paths; fewer begin at the root
  static constexpr float stopped = -1;                 ///< as `tfar`: the walk has ended

  struct alignas(64) Member {
    View view;
    float tfar;
    std::uint32_t pending;  ///< refs on the stack
  };
  struct Stack {
    std::array<BvhRef, stack_room> refs;
    std::array<float, stack_room> distances;  ///< nearest_first: lower bounds of τ at which the path enters
  };
  /// Leaf blocks that were reached in this round: refs[i] by path paths[i]. Each write stores eight entries,
  /// of which only some may be kept.
  struct Reached {
    std::array<std::uint32_t, most * width + width> paths;
    std::array<BvhRef, most * width + width> refs;
  };

  void start(BvhRef root);
  PathBounds bounds() const;
  template <class Arithmetic, VisitOrder order, bool stacked, class NodeOf>
  void test_nodes(const Bvh& bvh, const NodeOf& node_of);
  template <class Arithmetic, VisitOrder order>
  bool visit_stand_in(std::uint32_t path, std::uint32_t id);
  template <class Arithmetic, VisitOrder order>
  void push(std::uint32_t path, const BvhNode& node, LaneSet nodes, const LeafLanes& enter);
  template <class Arithmetic, bool far>
  void test_leaves(const LeafBlocks& leaves);
  template <class Arithmetic, VisitOrder order>
  void visit_hits(const LeafBlocks& leaves);
  template <class Arithmetic>
  void drop_farther(std::uint32_t path);
  template <bool far>
  void end_round(const Bvh& bvh);

  std::uint32_t size_ = 0, walking_ = 0, reached_count_ = 0, hit_count_ = 0, alone_ = 0;
  std::array<Walk*, most> walks_;
  std::array<std::uint32_t, most> walking_list_, alone_list_;
  std::array<Member, most> members_;
  std::array<Stack, most> stacks_;
  Reached reached_;
  std::array<std::uint32_t, std::size_t{most} * width> hits_;  ///< numbers of leaf blocks in `reached_`
};

}  // namespace sphaera::index
