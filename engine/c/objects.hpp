#pragma once
/// \file What the handles stand for.

#include <atomic>
#include <c/handles.hpp>
#include <memory_resource>
#include <sphaera/sphaera.hpp>
#include <stop_token>
#include <variant>

namespace sphaera::c {

struct StopObject final : Object {
  using Handle = SphaeraStop;
  static constexpr auto name = "stop";

  std::stop_source source;
};

struct ScratchObject final : Object {
  using Handle = SphaeraScratch;
  static constexpr auto name = "scratch";

  Scratch scratch;
};

/// Memory from the caller's functions.
class MemoryObject final : public Object, public std::pmr::memory_resource {
 public:
  using Handle = SphaeraMemory;
  static constexpr auto name = "memory";

  MemoryObject(void* user, SphaeraAllocate get, SphaeraDeallocate put_back)
      : user_(user), allocate_(get), deallocate_(put_back) {}

  void check_destroyable() const override {
    if (blocks_.load() > 0) throw Busy(name);
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  void* user_;
  SphaeraAllocate allocate_;
  SphaeraDeallocate deallocate_;
  std::atomic<std::size_t> blocks_ = 0;
};

struct ListsObject final : Object {
  using Handle = SphaeraLists;
  static constexpr auto name = "lists";

  std::variant<HitLists, IdLists, NeighborLists, ImpactLists, Lists<ContactTime>, Lists<PhaseChange>,
               Lists<ShadowChange>>
      lists;

  /// The lists as lists of this type, with the memory that they have if they were that before.
  template <class Item>
  Lists<Item>& as() {
    if (auto* const same = std::get_if<Lists<Item>>(&lists)) return *same;
    return lists.emplace<Lists<Item>>();
  }
};

struct SceneObject final : Object {
  using Handle = SphaeraScene;
  static constexpr auto name = "scene";

  explicit SceneObject(Scene scene) : own(std::move(scene)) {}
  explicit SceneObject(std::shared_ptr<const Scene> scene) : snapshot(std::move(scene)) {}
  explicit SceneObject(Scene* scene) : edited(scene) {}

  Scene own;
  std::vector<std::byte> attachment{};    ///< of the file that `own` was opened from
  std::shared_ptr<const Scene> snapshot;  ///< if it is one of a buffer
  Scene* edited = nullptr;                ///< if it is that of a SphaeraEdit

  const Scene& scene() const { return snapshot ? *snapshot : edited != nullptr ? *edited : own; }
  Scene& changeable() {
    if (snapshot) refuse(name, "is a snapshot, which never changes; change its buffer");
    return edited != nullptr ? *edited : own;
  }
  void check_destroyable() const override {
    if (edited != nullptr) refuse(name, "is that of an edit; it ends with the edit");
  }
};

struct BufferObject final : Object {
  using Handle = SphaeraBuffer;
  static constexpr auto name = "buffer";

  explicit BufferObject(SceneBuffer buffer_) : buffer(std::move(buffer_)) {}

  SceneBuffer buffer;

  SceneBuffer& changeable() { return buffer; }
};

struct ViewpointIndexObject final : Object {
  using Handle = SphaeraViewpointIndex;
  static constexpr auto name = "viewpoint index";

  explicit ViewpointIndexObject(ViewpointIndex index_) : index(std::move(index_)) {}

  ViewpointIndex index;
};

struct MotionObject final : Object {
  using Handle = SphaeraMotion;
  static constexpr auto name = "motion";

  explicit MotionObject(Motion motion_) : motion(std::move(motion_)) {}

  Motion motion;
};

/// A handle of a scene for the time of an edit.
class EditedScene {
 public:
  explicit EditedScene(Scene& scene)
      : handle_(static_cast<SphaeraScene*>(add(std::make_unique<SceneObject>(&scene)))) {}
  EditedScene(const EditedScene&) = delete;
  EditedScene& operator=(const EditedScene&) = delete;
  ~EditedScene() { take(handle_); }

  SphaeraScene* handle() const { return handle_; }

 private:
  SphaeraScene* handle_;
};

}  // namespace sphaera::c
