#pragma once
/// \file The scenes of a buffer, which are used again when nobody reads them any more.

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <sphaera/scene.hpp>
#include <vector>

namespace sphaera::query {

/// A scene of a buffer: the current one, one that is kept or that readers hold, or one to be used again.
struct Snapshot {
  Scene scene;
  /// The version of the buffer that it copies, apart from the changes in its journal; 0: none.
  std::uint64_t version = 0;
  bool published = false;
};

/// Scenes that have no readers, for reuse. A published scene that comes back is added only if the pool holds
/// fewer than two; otherwise it may replace the oldest. One is needed for the next snapshot, the other
/// because readers now and then hold an older one.
class SnapshotPool : public std::enable_shared_from_this<SnapshotPool> {
 public:
  /// Adds a scene. Throws std::bad_alloc.
  void add(std::unique_ptr<Snapshot> snapshot);
  /// The newest, which misses the fewest changes, or else an empty one. It comes back when its last owner
  /// releases it. In the long run this allocates nothing. Throws std::bad_alloc.
  std::shared_ptr<Snapshot> take();

 private:
  template <class Item>
  struct Allocator;
  static constexpr std::size_t kept = 2;

  std::unique_ptr<Snapshot> take_newest();
  void put(std::unique_ptr<Snapshot> snapshot);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Snapshot>> snapshots_;
  std::pmr::unsynchronized_pool_resource blocks_;  // of the pointers' counts
};

}  // namespace sphaera::query
