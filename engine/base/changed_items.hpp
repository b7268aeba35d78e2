#pragma once
/// \file The items of an array that have changed since its last copy, so that only these are copied again.

#include <algorithm>
#include <base/arena.hpp>
#include <base/huge_array.hpp>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace sphaera::base {

/// Makes `to` equal to `from`, in parallel, in the memory of `to` if that is large enough. Throws
/// std::bad_alloc; the items of `to` are then undefined.
template <class Item>
void copy(HugeArray<Item>& to, std::span<const Item> from) {
  constexpr std::size_t items_a_piece = (std::size_t{1} << 19) / sizeof(Item);
  to.resize(from.size());
  parallel_pieces(from.size(), items_a_piece, [&](std::size_t begin, std::size_t end) {
    std::copy(from.data() + begin, from.data() + end, to.data() + begin);
  });
}

/// Gives `to` the size of `from`, in memory of the same resource. Its items are undefined afterwards.
template <class Item>
void resize_like(HugeArray<Item>& to, const HugeArray<Item>& from) {
  if (to.memory() != from.memory()) to = HugeArray<Item>(0, from.memory());
  to.resize(from.size());
}

/// As the first `copy`; `to` gets memory of the resource that `from` uses.
template <class Item>
void copy(HugeArray<Item>& to, const HugeArray<Item>& from) {
  resize_like(to, from);
  copy(to, from.span());
}

/// Makes a view an array of its own. Throws std::bad_alloc; the array is unchanged then.
template <class Item>
void make_own(HugeArray<Item>& array) {
  if (!array.is_view()) return;
  HugeArray<Item> own;
  copy(own, array);
  array = std::move(own);
}

class ChangedItems {
 public:
  /// Empties the list and sets its limit to 16 + `size`/8 items: to copy more items one by one takes longer
  /// than to copy the whole array. Beyond the limit all items count as changed. Before the first call the
  /// limit is 0. Reserves memory for an eighth more items than the limit, so that a scene in steady state
  /// allocates nothing. If there is not enough memory now, the list allocates when items are added.
  void clear(std::size_t size) noexcept {
    items_.clear();
    all_ = false, limit_ = least_listed + size / 8;
    reserve();
  }
  /// Makes this list equal to `other`, in this list's memory.
  void assign(const ChangedItems& other) noexcept {
    items_.clear();
    all_ = false, limit_ = 0;
    add(other);
  }
  void add(std::uint32_t item) noexcept {
    if (all_) return;
    if (items_.size() >= limit_) return add_all();
    try {
      items_.push_back(item);
    } catch (const std::bad_alloc&) {
      add_all();
    }
  }
  void add_all() noexcept {
    all_ = true;
    items_.clear();
  }
  /// Adds the items of `others`. The limit becomes the larger of the two.
  void add(const ChangedItems& others) noexcept {
    if (others.all_) add_all();
    if (others.limit_ > limit_) limit_ = others.limit_, reserve();
    for (const std::uint32_t item : others.items_) add(item);
  }

  bool all() const { return all_; }
  std::span<const std::uint32_t> items() const { return items_; }  ///< may contain duplicates

 private:
  static constexpr std::size_t least_listed = 16;

  /// Reserves an eighth more than the limit, because the next index of the same spheres can have a few more
  /// leaf blocks and nodes.
  void reserve() noexcept {
    if (limit_ <= items_.capacity()) return;
    try {
      items_.reserve(limit_ + limit_ / 8);
    } catch (const std::bad_alloc&) {
    }
  }

  bool all_ = false;
  std::size_t limit_ = 0;
  std::vector<std::uint32_t> items_;
};

/// Makes `to` equal to `from`. Precondition: apart from their lengths, they differ only in `changed`. Throws
/// std::bad_alloc; the items of `to` are then undefined.
template <class Item>
void copy_changes(HugeArray<Item>& to, const HugeArray<Item>& from, const ChangedItems& changed) {
  if (changed.all() || to.size() == 0 || to.size() > from.size() || to.memory() != from.memory())
    return copy(to, from);
  to.reserve(from.size());
  while (to.size() < from.size()) to.append(from.span()[to.size()]);
  for (const std::uint32_t i : changed.items())
    if (i < from.size()) to.data()[i] = from.span()[i];
}

}  // namespace sphaera::base
