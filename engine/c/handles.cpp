#include <array>
#include <bit>
#include <c/handles.hpp>
#include <cstdint>
#include <mutex>

namespace sphaera::c {
namespace {

static_assert(sizeof(void*) == 8, "a handle holds two numbers of 32 bits");

#ifndef SPHAERA_HANDLES_OF
#define SPHAERA_HANDLES_OF 0
#endif
/// Each library that has handles marks them, so that it tells those of another.
constexpr std::uint32_t mark = std::uint32_t{SPHAERA_HANDLES_OF} << 30;
constexpr std::uint32_t mark_bits = std::uint32_t{3} << 30;

void* handle_of(std::uint32_t generation, std::uint32_t number) {
  return std::bit_cast<void*>(std::uint64_t{generation} << 32 | mark | number);
}
std::uint32_t number_of(const void* handle) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(handle)) & ~mark_bits;
}
bool is_marked(const void* handle) { return (std::bit_cast<std::uint64_t>(handle) & mark_bits) == mark; }

/// Slots lie in blocks that double and are never freed, so that `find` needs no lock.
struct Slot {
  std::atomic<std::uint32_t> generation = 0;  // odd: it holds an object
  std::atomic<Object*> object = nullptr;
  std::uint32_t next_free = 0;  // number of a slot + 1, 0: none
};

class Registry {
 public:
  void* add(std::unique_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    const std::uint32_t number = free_ != 0 ? free_ - 1 : new_slot();
    Slot& slot = *slot_of(number);
    free_ = slot.next_free;
    slot.object.store(object.release(), std::memory_order_relaxed);
    const std::uint32_t generation = slot.generation.load(std::memory_order_relaxed) + 1;
    slot.generation.store(generation, std::memory_order_release);
    return handle_of(generation, number);
  }

  Object* find(const void* handle) const noexcept {
    const auto generation = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(handle) >> 32);
    const Slot* const slot = slot_of(number_of(handle));
    if (slot == nullptr || !is_marked(handle) || generation % 2 == 0) return nullptr;
    if (slot->generation.load(std::memory_order_acquire) != generation) return nullptr;
    return slot->object.load(std::memory_order_relaxed);
  }

  std::unique_ptr<Object> take(const void* handle) noexcept {
    const std::lock_guard lock(mutex_);
    if (find(handle) == nullptr) return nullptr;
    const std::uint32_t number = number_of(handle);
    Slot& slot = *slot_of(number);
    slot.generation.store(slot.generation.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    slot.next_free = free_, free_ = number + 1;
    return std::unique_ptr<Object>(slot.object.exchange(nullptr, std::memory_order_relaxed));
  }

 private:
  static constexpr std::uint32_t first_block = 64;

  /// Null beyond the blocks that there are. Block b begins with slot first_block (2^b − 1).
  Slot* slot_of(std::uint32_t number) const noexcept {
    const std::uint64_t place = std::uint64_t{number} / first_block + 1;
    const auto block = static_cast<std::size_t>(std::bit_width(place) - 1);
    if (block >= blocks_.size()) return nullptr;
    Slot* const slots = blocks_[block].load(std::memory_order_acquire);
    if (slots == nullptr) return nullptr;
    return slots + (number - first_block * ((std::uint64_t{1} << block) - 1));
  }

  std::uint32_t new_slot() {
    const std::uint64_t place = std::uint64_t{count_} / first_block + 1;
    const auto block = static_cast<std::size_t>(std::bit_width(place) - 1);
    if (block >= blocks_.size()) throw std::bad_alloc();
    if (blocks_[block].load(std::memory_order_relaxed) == nullptr)
      blocks_[block].store(new Slot[std::size_t{first_block} << block], std::memory_order_release);
    return count_++;
  }

  std::array<std::atomic<Slot*>, 24> blocks_{};  // 2^30 handles
  std::mutex mutex_;
  std::uint32_t free_ = 0, count_ = 0;
};

/// Never destroyed: handles of static objects may end after it would be.
Registry& registry() {
  static Registry& all = *new Registry;
  return all;
}

}  // namespace

void* add(std::unique_ptr<Object> object) { return registry().add(std::move(object)); }
Object* find(const void* handle) noexcept { return registry().find(handle); }
std::unique_ptr<Object> take(const void* handle) noexcept { return registry().take(handle); }

}  // namespace sphaera::c
