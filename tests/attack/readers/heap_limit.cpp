#include <malloc.h>

#include <atomic>
#include <base/sanitizers.hpp>
#include <cstdlib>
#include <new>
#include <tests/attack/readers/heap_limit.hpp>

namespace sphaera::attack {
namespace {

std::atomic<bool> watched{false};
std::atomic<long> live{0};
std::atomic<long> peak{0};
long limit = 0;

[[maybe_unused]] void* allocate(std::size_t size, std::size_t alignment, bool throws) {
  const bool counts = watched.load(std::memory_order_relaxed);
  void* p = nullptr;
  if (!counts || live.load() + static_cast<long>(size) <= limit)
    p = alignment <= alignof(std::max_align_t)
            ? std::malloc(size ? size : 1)
            : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!p && throws) throw std::bad_alloc();
  if (p && counts) {
    const long now = live += static_cast<long>(malloc_usable_size(p));
    if (now > peak.load()) peak = now;
  }
  return p;
}

[[maybe_unused]] void release(void* p) {
  if (p && watched.load(std::memory_order_relaxed)) live -= static_cast<long>(malloc_usable_size(p));
  std::free(p);
}

}  // namespace

void watch_heap(std::size_t bytes) {
  limit = static_cast<long>(bytes);
  live = 0, peak = 0, watched = true;
}
void leave_heap() { watched = false; }
std::size_t heap_peak() { return static_cast<std::size_t>(peak.load()); }

}  // namespace sphaera::attack

#ifndef SPHAERA_SANITIZED
using sphaera::attack::allocate;
using sphaera::attack::release;

void* operator new(std::size_t size) { return allocate(size, 1, true); }
void* operator new[](std::size_t size) { return allocate(size, 1, true); }
void* operator new(std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a), true);
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a), true);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1, false); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1, false); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
#endif
