#include <atomic>
#include <bench/engine_loop/heap.hpp>
#include <cerrno>
#include <cstddef>

// glibc's own functions, under which it lets programs replace the public ones.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<std::uint64_t> calls{0};

void count() { calls.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

extern "C" {
void* malloc(std::size_t size) noexcept {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t items, std::size_t size) noexcept {
  count();
  return __libc_calloc(items, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  count();
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  count();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}

namespace sphaera::bench {

std::uint64_t heap_calls() { return calls.load(std::memory_order_relaxed); }

}  // namespace sphaera::bench
