#pragma once
/// \file The scenes of a buffer, which are used again when nobody reads them any more.

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <sphaera/scene.hpp>
#include <vector>

namespace sphaera::query {

/// A scene of a buffer: the current snapshot, a past one that the buffer or a reader holds, or a scene in the
/// pool.
struct Snapshot {
  Scene scene;
  /// The version of the buffer that `scene` equals, apart from the changes in its journal; 0: none.
  std::uint64_t version = 0;
  bool published = false;  ///< it has become the current snapshot since it was taken from the pool
};

/// Scenes that have no readers, for reuse. A published scene that comes back is added if the pool holds fewer
/// than two scenes; otherwise the oldest scene, in the pool or coming back, is freed. One scene serves the
/// next snapshot, the other is a spare for the times when a reader holds an older snapshot.
class SnapshotPool : public std::enable_shared_from_this<SnapshotPool> {
 public:
  /// Adds a scene. Throws std::bad_alloc.
  void add(std::unique_ptr<Snapshot> snapshot);
  /// Takes the newest scene, which misses the fewest changes, or else a new empty scene. The scene comes back
  /// when its last owner releases it. In steady state this allocates nothing. Throws std::bad_alloc.
  std::shared_ptr<Snapshot> take();

 private:
  template <class Item>
  struct Allocator;
  static constexpr std::size_t kept = 2;

  std::unique_ptr<Snapshot> take_newest();
  void put(std::unique_ptr<Snapshot> snapshot);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Snapshot>> snapshots_;
  std::pmr::unsynchronized_pool_resource blocks_;  // for the control blocks of `take`
};

}  // namespace sphaera::query
