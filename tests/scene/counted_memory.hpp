#pragma once
/// \file Memory of the caller's for the arrays of a scene.

#include <atomic>
#include <cstdint>
#include <memory_resource>
#include <new>

namespace sphaera::test {

/// Counts the bytes that it gives and throws beyond a limit.
class CountedMemory final : public std::pmr::memory_resource {
 public:
  std::atomic<std::size_t> held{0}, calls{0};
  std::size_t most = SIZE_MAX;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (held + bytes > most) throw std::bad_alloc();
    held += bytes, ++calls;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    held -= bytes;
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace sphaera::test
