#pragma once
/// \file A vector that requests huge pages, for arrays that measured loops access at random.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace sphaera::bench {

template <class T>
struct HugeAllocator {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{2} << 20;

  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = (n * sizeof(T) + page - 1) / page * page;
    void* memory = std::aligned_alloc(page, bytes);
    if (!memory) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);  // only a request: without huge pages all engines use small ones
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace sphaera::bench
