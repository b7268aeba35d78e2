#pragma once
/// \file The star's indexes that a scene keeps: made by queries (query/batch/star_of_batch.hpp), used by the
/// next ones about the same stars, dropped by every change of the scene.

#include <array>
#include <atomic>
#include <cstdint>
#include <index/star/star_place.hpp>
#include <memory>

namespace sphaera::index {
class StarIndex;
}

namespace sphaera::query {

/// Const calls are safe from many threads. `ask` never waits: if another thread holds the lock, it returns no
/// offer. The other calls spin until that thread releases the lock, after a few steps.
class StarIndexes {
 public:
  /// The index of a star, if there is one; or the caller builds it now and calls `put`.
  struct Offer {
    std::shared_ptr<const index::StarIndex> index;
    bool build = false;
  };
  /// Counts these rays to the star. Offers a build once they are `worthwhile` in all, to one caller. Each
  /// build in a row that did not pay doubles this number, up to 64 times it. Points and stars at infinity
  /// count on their own; the count outlasts changes of the scene, since builds for other stars are likely not
  /// to pay either.
  Offer ask(const index::StarPlace& place, std::uint64_t rays, std::uint64_t worthwhile) const;
  /// Keeps an index that was built after an offer. Null: it does not pay or does not fit in memory, and is
  /// not offered again as long as the star is remembered.
  void put(const index::StarPlace& place, std::shared_ptr<const index::StarIndex> index) const;
  /// The index of an offer was not finished: counting starts again.
  void give_up(const index::StarPlace& place) const;
  /// Not while other calls run. The scene is about to change.
  void drop();
  /// A number of the scene's spheres as they are: another one after each change, and for each scene.
  std::uint64_t version() const { return version_; }
  std::uint64_t bytes() const;

  static constexpr std::size_t max_places = 4;   ///< remembered
  static constexpr std::size_t max_indexes = 2;  ///< kept

 private:
  enum class Stage : std::uint8_t { counting, building, done };
  struct Entry {
    index::StarPlace place;
    std::uint64_t rays = 0, last_asked = 0;
    Stage stage = Stage::counting;
    std::shared_ptr<const index::StarIndex> index;
  };

  Entry* find(const index::StarPlace& place) const;
  Entry& find_or_replace(const index::StarPlace& place,
                         std::shared_ptr<const index::StarIndex>& dropped) const;
  static std::uint64_t next_version();
  void lock() const;
  void unlock() const { busy_.clear(std::memory_order_release); }

  mutable std::atomic_flag busy_;
  mutable std::array<Entry, max_places> entries_;
  mutable std::uint64_t asked_ = 0;
  mutable std::array<unsigned, 2>
      unpaid_{};  // builds in a row that did not pay, at most 6: points, at infinity
  std::uint64_t version_ = next_version();
};

}  // namespace sphaera::query
