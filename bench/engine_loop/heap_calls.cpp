#include <atomic>
#include <bench/engine_loop/heap_calls.hpp>
#include <cerrno>
#include <cstddef>

// glibc's own allocation functions, for programs that replace the public ones.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<std::uint64_t> of_game{0}, of_others{0};
thread_local bool is_of_game = false;

void count() { (is_of_game ? of_game : of_others).fetch_add(1, std::memory_order_relaxed); }

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

HeapCalls heap_calls() {
  return {of_game.load(std::memory_order_relaxed), of_others.load(std::memory_order_relaxed)};
}

void count_as_game() { is_of_game = true; }

}  // namespace sphaera::bench
