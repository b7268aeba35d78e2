#pragma once
/// \file Items put in their exact order, most of them by their bounds alone.

#include <algorithm>
#include <span>

namespace sphaera::query {

/// Sorts a list that may well be sorted: of equal spheres, for which comparisons take long.
template <class Item, class Before>
void sort_if_unsorted(std::span<Item> items, const Before& before) {
  if (!std::ranges::is_sorted(items, before)) std::ranges::sort(items, before);
}

/// Sorts items, which have a `sphere`, by key(item) and id, and then, where the bounds low(item) …
/// high(item) of some overlap, by nearer(a, b), their exact order. Items with higher keys have no lower
/// `low`.
template <class Item, class Key, class Low, class High, class Nearer>
void sort_by_bounds(std::span<Item> items, const Key& key, const Low& low, const High& high,
                    const Nearer& nearer) {
  sort_if_unsorted(items, [&](const Item& a, const Item& b) {
    return key(a) != key(b) ? key(a) < key(b) : a.sphere < b.sphere;
  });
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    double last = high(items[begin]);
    for (end = begin + 1; end < items.size() && low(items[end]) <= last; ++end)
      last = std::max(last, high(items[end]));
    sort_if_unsorted(items.subspan(begin, end - begin), nearer);
  }
}

}  // namespace sphaera::query
