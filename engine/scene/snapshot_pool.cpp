#include <algorithm>
#include <base/strict_math.hpp>
#include <scene/snapshot_pool.hpp>
#include <utility>

namespace sphaera::query {
namespace {

std::uint64_t version_of(const std::unique_ptr<Snapshot>& snapshot) { return snapshot->version; }

}  // namespace

/// Allocates the control blocks of snapshots' shared_ptrs in the pool. Each allocator keeps the pool alive,
/// because a reader's shared_ptr may outlive the buffer.
template <class Item>
struct SnapshotPool::Allocator {
  using value_type = Item;

  explicit Allocator(std::shared_ptr<SnapshotPool> owner) : pool(std::move(owner)) {}
  template <class Other>
  Allocator(const Allocator<Other>& other) : pool(other.pool) {}

  Item* allocate(std::size_t n) {
    const std::lock_guard lock(pool->mutex_);
    return static_cast<Item*>(pool->blocks_.allocate(n * sizeof(Item), alignof(Item)));
  }
  void deallocate(Item* items, std::size_t n) {
    const std::lock_guard lock(pool->mutex_);
    pool->blocks_.deallocate(items, n * sizeof(Item), alignof(Item));
  }
  template <class Other>
  bool operator==(const Allocator<Other>& other) const {
    return pool == other.pool;
  }

  std::shared_ptr<SnapshotPool> pool;
};

void SnapshotPool::add(std::unique_ptr<Snapshot> snapshot) {
  const std::lock_guard lock(mutex_);
  snapshots_.reserve(std::max(kept, snapshots_.size() + 1));
  snapshots_.push_back(std::move(snapshot));
}

std::shared_ptr<Snapshot> SnapshotPool::take() {
  std::unique_ptr<Snapshot> snapshot = take_newest();
  if (!snapshot) snapshot = std::make_unique<Snapshot>();
  snapshot->published = false;
  const std::shared_ptr<SnapshotPool> self = shared_from_this();
  // The deleter puts the snapshot back into the pool. If there is no memory for the control block, the
  // constructor of shared_ptr calls the deleter, then throws.
  return {snapshot.release(), [self](Snapshot* s) { self->put(std::unique_ptr<Snapshot>(s)); },
          Allocator<Snapshot>(self)};
}

std::unique_ptr<Snapshot> SnapshotPool::take_newest() {
  const std::lock_guard lock(mutex_);
  snapshots_.reserve(kept);  // so that `put` need not allocate
  const auto newest = std::ranges::max_element(snapshots_, {}, version_of);
  if (newest == snapshots_.end()) return nullptr;
  std::swap(*newest, snapshots_.back());
  std::unique_ptr<Snapshot> snapshot = std::move(snapshots_.back());
  snapshots_.pop_back();
  return snapshot;
}

void SnapshotPool::put(std::unique_ptr<Snapshot> snapshot) {
  const std::lock_guard lock(mutex_);
  const std::size_t most = snapshot->published ? kept : snapshots_.capacity();
  if (snapshots_.size() < most) return snapshots_.push_back(std::move(snapshot));
  std::unique_ptr<Snapshot>& oldest = *std::ranges::min_element(snapshots_, {}, version_of);
  if (version_of(snapshot) > version_of(oldest)) oldest.swap(snapshot);
}

}  // namespace sphaera::query
