#pragma once
/// \file Which items of an array have changed: a copy of the array follows without being copied as a whole.

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

/// Gives `to` the size of `from`, in memory of the same kind. Its items are undefined afterwards.
template <class Item>
void resize_like(HugeArray<Item>& to, const HugeArray<Item>& from) {
  if (to.memory() != from.memory()) to = HugeArray<Item>(0, from.memory());
  to.resize(from.size());
}

/// The copy is in memory of the same kind.
template <class Item>
void copy(HugeArray<Item>& to, const HugeArray<Item>& from) {
  resize_like(to, from);
  copy(to, from.span());
}

class ChangedItems {
 public:
  /// Forgets all items. From now on an eighth of `size` items are listed at most: to copy more one by one
  /// would take longer than to copy the array. Until the first call none is listed: the first change counts
  /// as a change of all.
  void clear(std::size_t size) {
    items_.clear();
    all_ = false, most_ = least_listed + size / 8;
  }
  void add(std::uint32_t item) noexcept {
    if (all_) return;
    if (items_.size() >= most_) return add_all();
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
  /// Adds those of others, and lists as many as they do.
  void add(const ChangedItems& others) noexcept {
    if (others.all_) add_all();
    most_ = std::max(most_, others.most_);
    for (const std::uint32_t item : others.items_) add(item);
  }

  bool all() const { return all_; }
  std::span<const std::uint32_t> items() const { return items_; }  ///< some may come twice

 private:
  static constexpr std::size_t least_listed = 16;

  bool all_ = false;
  std::size_t most_ = 0;
  std::vector<std::uint32_t> items_;
};

/// Makes `to` equal to `from`, where only these items differ, and items at the end that one of them lacks.
/// Throws std::bad_alloc; the items of `to` are then undefined.
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
