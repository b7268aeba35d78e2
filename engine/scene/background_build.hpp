#pragma once
/// \file A build of an index in the background, in passes. The first pass builds the index from a copy of the
/// spheres; each later pass takes a new copy and refits the index to it. If only single spheres change after
/// the last copy, taking over the index costs time in proportion to these changes.

#include <base/background_thread.hpp>
#include <base/changed_items.hpp>
#include <index/scene_index.hpp>
#include <memory>
#include <stop_token>
#include <vector>

namespace sphaera::query {

struct SceneState;
enum class IdState : std::uint8_t;

/// Has its own thread and memory, which the next build uses again.
class BackgroundBuild {
 public:
  /// Leaves a build that is lost alone; its memory is not freed.
  struct Delete {
    void operator()(BackgroundBuild* build) const {
      if (!build->thread_.is_lost()) delete build;
    }
  };
  using Handle = std::unique_ptr<BackgroundBuild, Delete>;

  /// Starts the thread, and gets the memory of the first copy. Throws std::bad_alloc.
  explicit BackgroundBuild(const SceneState& state);
  ~BackgroundBuild() { cancel(); }
  BackgroundBuild(const BackgroundBuild&) = delete;

  /// Pauses the build during a change of the scene, so that the change gets the processors. An urgent build
  /// is not paused: changes in quick succession would leave it no time. A build that is lost is dropped.
  class Pause {
   public:
    /// `build` may be null.
    explicit Pause(Handle& build) {
      if (build && build->thread_.is_lost()) build.reset();
      if (!build || build->is_urgent_) return;
      thread_ = &build->thread_;
      thread_->pause();
    }
    ~Pause() {
      if (thread_) thread_->resume();
    }
    Pause(const Pause&) = delete;

   private:
    base::BackgroundThread* thread_ = nullptr;
  };
  void set_urgent(bool is_urgent) { is_urgent_ = is_urgent; }

  /// Copies the spheres and starts the first pass. Throws std::bad_alloc.
  void start(const SceneState& state);
  /// False until `start`, and from `cancel` or `take_index` on.
  bool is_under_way() const { return passes_ > 0; }
  /// True if the thread has nothing to do: a pass has ended, or the replaced index is freed.
  bool is_idle() const { return thread_.is_idle(); }

  /// Notes what changes in the scene: a sphere, or all of them.
  void note_change(std::uint32_t id) noexcept { changed_.add(id); }
  void note_move() noexcept { moved_ = true; }

  /// True if, since the last copy, there was no move of all spheres, and the single changes are few enough to
  /// be listed.
  bool is_up_to_date() const { return !moved_ && !changed_.all(); }
  /// True if more single spheres have changed than the list can hold.
  bool has_too_many_edits() const { return changed_.all(); }
  bool has_passes_left() const { return passes_ < max_passes; }
  /// After the end of a pass: copies the spheres again and starts another. If there is no index, or not
  /// enough memory, it ends the build.
  void go_on(const SceneState& state) noexcept;
  /// Requests a stop, waits for the end, and drops the index.
  void cancel() noexcept;

  /// After the end of a pass: ends the build and returns the index, updated to the scene's spheres. Null if
  /// the build failed, memory ran out, or the index has no empty lane for a sphere.
  std::unique_ptr<index::SceneIndex> take_index(const SceneState& state) noexcept;
  /// The same before a move of all spheres. The scene's centers need not be the present ones and are not
  /// read. The caller refits the index to the moved spheres, and then calls `insert_missing`.
  std::unique_ptr<index::SceneIndex> take_index_to_move(const SceneState& state) noexcept;
  /// Inserts the spheres that have come or changed since the last copy.
  void insert_missing(index::SceneIndex& index) noexcept { index.insert(missing_); }
  /// Frees an index on the build's thread, because freeing large arrays takes as long as a refit. Call this
  /// after `take_index`.
  void free_index(std::unique_ptr<index::SceneIndex> index) noexcept;

 private:
  static constexpr int max_passes = 4;  // ../index/decisions.md

  void copy(const SceneState& state);
  static void run(void* self) { static_cast<BackgroundBuild*>(self)->run_pass(); }
  void run_pass() noexcept;
  void build();
  void catch_up();
  void drop(index::SceneIndex& index, const base::ChangedItems& edited);
  bool is_enabled(std::uint32_t id) const;
  void list_all_ids(std::size_t spheres);
  template <class IsEnabled>
  void list_changes(const index::SceneIndex& index, const IsEnabled& is_enabled);
  template <class Take>
  std::unique_ptr<index::SceneIndex> taken(const SceneState& state, const Take& take) noexcept;
  template <class IsEnabled>
  bool set_members(index::SceneIndex& index, const IsEnabled& is_enabled);
  index::SphereSet sphere_set() const { return {spheres_.span(), velocities_.span(), from_, to_}; }

  base::HugeArray<Sphere> spheres_;
  base::HugeArray<Vec3> velocities_;
  double from_ = 0, to_ = 0;
  base::HugeArray<IdState> presence_;  // empty: all are enabled
  index::BuildControl control_;
  std::stop_source stop_;
  std::unique_ptr<index::SceneIndex> index_;
  bool is_urgent_ = false;
  int passes_ = 0;                                   // passes begun; 0: no build is under way
  bool moved_ = false;                               // all spheres, since the last copy
  base::ChangedItems changed_;                       // single spheres, since the last copy
  base::ChangedItems edited_;                        // single spheres changed between the last two copies
  std::vector<std::uint32_t> ids_, gone_, missing_;  // working memory
  base::BackgroundThread thread_;                    // the last member: it uses the others
};

}  // namespace sphaera::query
