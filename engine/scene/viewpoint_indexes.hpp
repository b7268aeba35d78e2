#pragma once
/// \file The viewpoint indexes that a scene keeps. Queries make them (query/batch/viewpoint_of_batch.hpp),
/// later queries about the same stars use them, and every change of the scene drops them.

#include <array>
#include <atomic>
#include <cstdint>
#include <index/viewpoint/viewpoint.hpp>
#include <memory>

namespace sphaera::index {
class ViewpointFaces;
}

namespace sphaera::query {

/// Const calls are safe from many threads. `ask` never waits: if another thread holds the lock, it returns no
/// offer. `put`, `give_up` and `bytes` spin until that thread releases the lock, after a few steps.
class ViewpointIndexes {
 public:
  /// The index of a star, if there is one. If `build` is true, the caller must build it now and call `put`,
  /// or `give_up` if the build does not finish.
  struct Offer {
    std::shared_ptr<const index::ViewpointFaces> index;
    bool build = false;
  };
  /// Counts these rays to the star. Once `worthwhile` rays have been counted, offers a build, to one caller.
  /// Each build in a row that did not pay doubles the number of rays needed, up to 64 · `worthwhile`. Such
  /// builds are counted separately for points and for stars at infinity. Their count outlasts changes of the
  /// scene, since builds for other stars are likely not to pay either.
  Offer ask(const index::Viewpoint& place, std::uint64_t rays, std::uint64_t worthwhile) const;
  /// Keeps an index that was built after an offer. Null: the index does not pay or does not fit in memory;
  /// no build is offered again as long as the star is remembered.
  void put(const index::Viewpoint& place, std::shared_ptr<const index::ViewpointFaces> index) const;
  /// The index of an offer was not finished: counting starts again.
  void give_up(const index::Viewpoint& place) const;
  /// Drops all indexes, because the scene is about to change. Not while other calls run.
  void drop();
  /// Identifies the present spheres of this scene: each change, and each scene, gets a new number.
  std::uint64_t version() const { return version_; }
  std::uint64_t bytes() const;

  static constexpr std::size_t max_places = 4;   ///< stars that are remembered
  static constexpr std::size_t max_indexes = 2;  ///< stars whose indexes are kept

 private:
  enum class Stage : std::uint8_t { counting, building, done };
  struct Entry {
    index::Viewpoint place;
    std::uint64_t rays = 0, last_asked = 0;
    Stage stage = Stage::counting;
    std::shared_ptr<const index::ViewpointFaces> index;
  };

  Entry* find(const index::Viewpoint& place) const;
  Entry& find_or_replace(const index::Viewpoint& place,
                         std::shared_ptr<const index::ViewpointFaces>& dropped) const;
  static std::uint64_t next_version();
  void lock() const;
  void unlock() const { busy_.clear(std::memory_order_release); }

  mutable std::atomic_flag busy_;
  mutable std::array<Entry, max_places> entries_;
  mutable std::uint64_t asked_ = 0;
  /// Builds in a row that did not pay or failed, at most 6: [0] for points, [1] for stars at infinity.
  mutable std::array<unsigned, 2> failed_builds_{};
  std::uint64_t version_ = next_version();
};

}  // namespace sphaera::query
