#pragma once
/// \file An array on huge pages if the system has them: random reads of a large scene miss the TLB
/// on 4 KiB pages (huge pages gave 1.1–1.35× on crowds of 1e6 and 1e7). It can also take over a
/// vector's memory, or get its memory from a memory resource of the caller.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sphaera::base {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Memory that gets huge pages: what is still to be written, or what is written, too.
enum class HugePages : bool { when_written, at_once };

/// Asks the system for huge pages in this memory, where whole ones fit. Failure only costs speed.
inline void use_huge_pages(void* memory, std::size_t bytes, HugePages when = HugePages::when_written) {
  constexpr int collapse_now = 25;  // MADV_COLLAPSE of Linux 6.1; glibc 2.36 does not name it
  if (!std::align(huge_page, huge_page, memory, bytes)) return;
  madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
  if (when == HugePages::at_once) madvise(memory, bytes / huge_page * huge_page, collapse_now);
}

/// Gives a vector room for `size` items, on huge pages where it has to allocate. Throws std::bad_alloc.
template <class Item>
void reserve_huge(std::vector<Item>& items, std::size_t size) {
  if (size <= items.capacity()) return;
  items.reserve(std::max(size, items.capacity() + items.capacity() / 2));
  use_huge_pages(items.data(), items.capacity() * sizeof(Item));
}

template <class Item>
class HugeArray {
  static_assert(std::is_trivially_copyable_v<Item> && std::is_trivially_destructible_v<Item>);

 public:
  HugeArray() = default;
  /// The items are uninitialised. `memory`: null for the system's. Throws std::bad_alloc.
  explicit HugeArray(std::size_t size, std::pmr::memory_resource* memory = nullptr) : memory_(memory) {
    if (size == 0) return;
    if (size > (SIZE_MAX - huge_page) / sizeof(Item)) throw std::bad_alloc();
    const std::size_t bytes = size * sizeof(Item);
    own_ = memory ? Own(static_cast<Item*>(allocated(*memory, bytes)), Free{memory, bytes})
                  : Own(huge_pages(bytes), Free{});
    room_ = size;
    items_ = {own_.get(), size};
  }
  /// Takes the vector's memory. The system moves the items to huge pages, if it can.
  explicit HugeArray(std::vector<Item>&& items) noexcept : vector_(std::move(items)), items_(vector_) {
    use_huge_pages(items_.data(), items_.size_bytes(), HugePages::at_once);
  }
  /// A view of items that the caller owns and keeps alive. Who changes items calls `make_own` before.
  static HugeArray view(std::span<const Item> items) {
    HugeArray array;
    array.items_ = {const_cast<Item*>(items.data()), items.size()};
    return array;
  }
  bool is_view() const { return capacity() < items_.size(); }

  HugeArray(HugeArray&& other) noexcept { swap(other); }
  HugeArray& operator=(HugeArray&& other) noexcept {
    HugeArray(std::move(other)).swap(*this);
    return *this;
  }

  /// Makes room for `size` items: the array may move. Throws std::bad_alloc, and then nothing has changed.
  void reserve(std::size_t size) {
    if (size <= capacity()) return;
    HugeArray larger(std::max(size, items_.size() + items_.size() / 2), memory_);
    std::copy(items_.begin(), items_.end(), larger.data());
    larger.items_ = larger.items_.first(items_.size());
    larger.swap(*this);
  }
  /// Gives the array another size, and room for a few items more: the next index of the same spheres has a
  /// few nodes more or less. Its items are undefined afterwards. Throws std::bad_alloc, and then nothing has
  /// changed.
  void resize(std::size_t size) {
    if (size > capacity()) {
      HugeArray larger(std::max(size + size / 8, items_.size() + items_.size() / 2), memory_);
      larger.swap(*this);
    }
    items_ = {items_.data(), size};
  }
  /// Appends an item. Precondition: there is room for it.
  void append(const Item& item) {
    items_ = {items_.data(), items_.size() + 1};
    items_.back() = item;
  }
  /// Drops the last item.
  void drop_last() { items_ = items_.first(items_.size() - 1); }

  Item* data() { return items_.data(); }
  std::span<const Item> span() const { return items_; }
  /// Null if it is empty, though there may be room.
  const Item* data_or_null() const { return items_.empty() ? nullptr : items_.data(); }
  std::span<Item> items() { return items_; }
  std::size_t size() const { return items_.size(); }
  std::size_t bytes() const { return items_.size_bytes(); }
  std::pmr::memory_resource* memory() const { return memory_; }  ///< null: the system's

 private:
  static constexpr std::size_t cache_line = 64;
  static_assert(alignof(Item) <= cache_line);
  struct Free {
    std::pmr::memory_resource* memory = nullptr;
    std::size_t bytes = 0;

    void operator()(Item* p) const {
      if (!memory) return std::free(p);
      memory->deallocate(p, bytes, cache_line);
    }
  };
  using Own = std::unique_ptr<Item, Free>;

  /// Whatever the caller's resource throws means that there is no memory: work that goes on without it
  /// catches std::bad_alloc.
  static void* allocated(std::pmr::memory_resource& memory, std::size_t bytes) {
    void* given = nullptr;
    try {
      given = memory.allocate(bytes, cache_line);
    } catch (...) {
    }
    if (!given) throw std::bad_alloc();
    return given;
  }
  static Item* huge_pages(std::size_t bytes) {
    const std::size_t alignment = bytes >= huge_page ? huge_page : cache_line;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* const pages = std::aligned_alloc(alignment, rounded);
    if (!pages) throw std::bad_alloc();
    if (bytes >= huge_page) madvise(pages, rounded, MADV_HUGEPAGE);  // a hint: failure only costs speed
    return static_cast<Item*>(pages);
  }

  std::size_t capacity() const { return own_ ? room_ : vector_.size(); }  // a view has none

  void swap(HugeArray& other) noexcept {
    own_.swap(other.own_), vector_.swap(other.vector_), std::swap(items_, other.items_);
    std::swap(room_, other.room_), std::swap(memory_, other.memory_);
  }

  std::pmr::memory_resource* memory_ = nullptr;
  Own own_;
  std::vector<Item> vector_;
  std::span<Item> items_;
  std::size_t room_ = 0;  // capacity of own_, in items
};

}  // namespace sphaera::base
