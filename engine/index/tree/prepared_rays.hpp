#pragma once
/// \file Ray setup: paths and flights converted to a frame, eight at a time.
///
/// The latency of ray setup is exposed after every branch misprediction of the previous ray. In lanes, setup
/// takes a third of the time (../decisions.md).

#include <index/boxes/frame.hpp>
#include <index/boxes/leaf_filter.hpp>
#include <index/tree/bvh.hpp>

namespace sphaera::index {

class FrameBall;

/// Eight prepared rays. Each lane holds the same bits as Frame::clip or clip_grown, NodeRay and LeafRay give.
class PreparedRays {
 public:
  static constexpr std::uint32_t size = leaf_block_size;

  using Paths = std::array<exact::Path, size>;
  using Starts = std::array<const FrameBall*, size>;  ///< null: the path starts in the outermost frame
  using Margins = std::array<double, size>;           ///< FlightWalk::margin

  /// Prepares all paths in one frame. `margins`: null: none.
  void make(const Frame& frame, const Paths& paths, const Margins* margins);
  /// Prepares path i in frames[i]: the frame of starts[i], or the outermost frame if starts[i] is null.
  void make(const std::array<const Frame*, size>& frames, const Starts& starts, const Paths& paths,
            const Margins* margins);

  /// False if the path starts too far away for lanes or its products might overflow. The walk then clips the
  /// path itself (Frame::clip, clip_grown).
  SPHAERA_INLINE bool is_known(std::uint32_t i) const { return known_[i] != 0; }
  SPHAERA_INLINE bool misses(std::uint32_t i) const { return !(s0_[i] <= s1_[i]); }
  /// Precondition: prepared with frame balls.
  SPHAERA_INLINE const FrameBall* frame_ball(std::uint32_t i) const { return starts_[i]; }

  SPHAERA_INLINE void put(std::uint32_t i, NodeRay& node, LeafRay& leaf) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Axis& a = axes_[axis];
      node.origin[axis] = leaf.origin[axis] = a.origin[i];
      leaf.direction[axis] = a.direction[i];
      node.inverse[axis] = a.inverse[i], node.start[axis] = a.start[i];
      node.near[axis] = a.near[i];
    }
    leaf.inverse = leaf_inverse_[i];
    leaf.within_limits = true;
  }
  /// Sets only the t range of the ray: walks with a prepared NodeRay and LeafRay need no more.
  SPHAERA_INLINE void put_span(std::uint32_t i, LocalRay& ray) const { ray.set_span(s0_[i], s1_[i]); }

 private:
  template <class Item>
  struct alignas(64) Row : std::array<Item, size> {};
  struct Axis {
    Row<float> origin, direction, inverse, start;
    Row<std::uint32_t> near;
  };

  struct FrameLanes;

  void make(FrameLanes first, FrameLanes last, const Paths& paths, const Margins* margins);
  void clip_four(const FrameLanes& frames, const Paths& paths, std::size_t first);
  static void make_axis(Axis& axis, std::size_t number, LeafLanes& square);

  Starts starts_;
  std::array<Axis, 3> axes_;
  Row<float> leaf_inverse_;
  Row<double> s0_, s1_;
  Row<std::int64_t> known_;
};

/// One of the prepared rays, or none.
struct PreparedRay {
  const PreparedRays* paths = nullptr;
  std::uint32_t i = 0;
};

}  // namespace sphaera::index
