#include <algorithm>
#include <index/viewpoint/viewpoint_faces.hpp>
#include <scene/viewpoint_indexes.hpp>
#include <utility>

namespace sphaera::query {
namespace {

constexpr unsigned max_failed_builds = 6;

}  // namespace

ViewpointIndexes::Entry* ViewpointIndexes::find(const index::Viewpoint& place) const {
  const auto found = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return entry.last_asked > 0 && entry.place == place; });
  return found == entries_.end() ? nullptr : &*found;
}

/// A new star replaces the least recently asked entry without an index. If all entries have an index or a
/// build under way, it replaces one with an index; a build is replaced only if all are builds.
ViewpointIndexes::Entry& ViewpointIndexes::find_or_replace(
    const index::Viewpoint& place, std::shared_ptr<const index::ViewpointFaces>& dropped) const {
  if (Entry* const known = find(place)) return *known;
  const auto age = [](const Entry& entry) {
    if (entry.stage == Stage::building) return UINT64_MAX;
    return entry.index ? UINT64_MAX - 1 : entry.last_asked;
  };
  Entry& oldest = *std::ranges::min_element(entries_, {}, age);
  dropped = std::move(oldest.index);
  oldest = {.place = place, .index = {}};
  return oldest;
}

/// Spins: a thread that holds the lock releases it after a few steps.
void ViewpointIndexes::lock() const {
  while (busy_.test_and_set(std::memory_order_acquire)) {
  }
}

ViewpointIndexes::Offer ViewpointIndexes::ask(const index::Viewpoint& place, std::uint64_t rays,
                                              std::uint64_t worthwhile) const {
  std::shared_ptr<const index::ViewpointFaces> dropped;  // destroyed after `unlock`
  if (busy_.test_and_set(std::memory_order_acquire)) return {};
  Entry& entry = find_or_replace(place, dropped);
  entry.last_asked = ++asked_;
  entry.rays += rays;
  Offer offer{entry.index, entry.stage == Stage::counting &&
                               entry.rays >> failed_builds_[place.at_infinity()] >= worthwhile};
  if (offer.build) entry.stage = Stage::building;
  unlock();
  return offer;
}

void ViewpointIndexes::put(const index::Viewpoint& place,
                           std::shared_ptr<const index::ViewpointFaces> index) const {
  std::shared_ptr<const index::ViewpointFaces> dropped;  // destroyed after `unlock`, as `index` is
  lock();
  unsigned& failed = failed_builds_[place.at_infinity()];
  failed = index ? 0 : std::min(failed + 1, max_failed_builds);
  if (Entry* const entry = find(place)) {
    entry->stage = Stage::done;
    entry->index.swap(index);
  }
  Entry* oldest = nullptr;
  std::size_t kept = 0;
  for (Entry& entry : entries_) {
    if (!entry.index) continue;
    ++kept;
    if (!oldest || entry.last_asked < oldest->last_asked) oldest = &entry;
  }
  if (kept > max_indexes) {
    dropped.swap(oldest->index);
    *oldest = {};
  }
  unlock();
}

void ViewpointIndexes::give_up(const index::Viewpoint& place) const {
  lock();
  if (Entry* const entry = find(place)) entry->stage = Stage::counting, entry->rays = 0;
  unlock();
}

void ViewpointIndexes::drop() {
  for (Entry& entry : entries_) entry = {};
  version_ = next_version();
}

std::uint64_t ViewpointIndexes::next_version() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::uint64_t ViewpointIndexes::bytes() const {
  std::uint64_t sum = 0;
  lock();
  for (const Entry& entry : entries_)
    if (entry.index) sum += entry.index->bytes();
  unlock();
  return sum;
}

}  // namespace sphaera::query
