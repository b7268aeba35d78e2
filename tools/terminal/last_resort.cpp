#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <base/files/temporary.hpp>
#include <base/sanitizers.hpp>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/last_resort.hpp>
#include <vector>

namespace sphaera::tool {
namespace {

constexpr std::string_view no_memory = "sphaera: not enough memory\n";
constexpr std::string_view no_threads =
    "sphaera: the system allows no more threads; give a smaller --threads, or raise the limit\n";

std::atomic<bool> outputs_complete{false};

/// Waits until no output can get its name any more, or until all outputs have their names. Naming an output
/// needs no memory, so the wait is short. It ends after 10 s in any case.
void settle_outputs() {
  constexpr int longest = 10'000;  // milliseconds
  constexpr timespec millisecond{0, 1'000'000};
  for (int i = 0; i < longest && !base::abandon_outputs() && !outputs_complete; ++i)
    nanosleep(&millisecond, nullptr);
}

/// Takes no memory and no lock.
[[noreturn]] void give_up(std::string_view text) {
  settle_outputs();
  if (outputs_complete) _exit(static_cast<int>(Exit::ok));
  base::remove_temporaries();
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  _exit(static_cast<int>(Exit::resources));
}

std::terminate_handler terminate_before = nullptr;

/// True once operator new has thrown std::bad_alloc on this thread. It is never reset.
constinit thread_local bool new_failed = false;

/// Uncaught exception, or exception thrown through a noexcept function. If that function is a library's
/// (simdjson's choice of its code), std::current_exception() is null.
[[noreturn]] void on_terminate() {
  if (new_failed && !std::current_exception()) give_up(no_memory);
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    give_up(no_memory);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) give_up(no_threads);
  } catch (...) {  // not ours
  }
  terminate_before();
  std::abort();
}

/// Before the initializers of static variables, CLI11's among them.
[[gnu::constructor(101)]] void watch_terminate() { terminate_before = std::set_terminate(on_terminate); }

constexpr std::size_t tbb_stack_bytes = std::size_t{4} << 20;

void* wait_for_end(void* gate) {
  pthread_mutex_lock(static_cast<pthread_mutex_t*>(gate));
  pthread_mutex_unlock(static_cast<pthread_mutex_t*>(gate));
  return nullptr;
}

}  // namespace

void link_last_resort() {}

void note_outputs_complete() { outputs_complete = true; }

std::size_t possible_threads(std::size_t wanted) {
  std::vector<pthread_t> threads;
  threads.reserve(wanted);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, tbb_stack_bytes);
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&gate);
  for (pthread_t thread{}; threads.size() + 1 < wanted;) {
    if (pthread_create(&thread, &attributes, wait_for_end, &gate) != 0) break;
    threads.push_back(thread);
  }
  pthread_mutex_unlock(&gate);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return threads.size() + 1;
}

}  // namespace sphaera::tool

#ifndef SPHAERA_SANITIZED

namespace {

using sphaera::tool::give_up;
using sphaera::tool::no_memory;

template <class Function>
void find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// The functions that this program replaces, as the C library or a preloaded library defines them. The first
/// call looks up all of them. A later lookup could happen within dlopen, whose error record dlsym would free.
struct Next {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void* (*mmap)(void*, std::size_t, int, int, int, off_t);
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
};

const Next& next() {
  static constinit Next found{};
  if (!found.malloc) {
    find(found.create, "pthread_create");
    find(found.mmap, "mmap");
    find(found.realloc, "realloc");
    find(found.calloc, "calloc");
    find(found.malloc, "malloc");
  }
  return found;
}

/// Within oneTBB or its allocator?
bool is_in_tbb(void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || !info.dli_fname) return false;
  return std::string_view(info.dli_fname).find("libtbb") != std::string_view::npos;
}

void* given(void* memory, std::size_t size) {
  // A size that no machine can provide is the caller's error, not missing memory.
  if (!memory && size > 0 && size <= PTRDIFF_MAX) give_up(no_memory);
  return memory;
}

}  // namespace

// NOLINTBEGIN(misc-definitions-in-headers): the C library's names and types
extern "C" {

[[gnu::visibility("default")]] void* malloc(std::size_t size) { return given(next().malloc(size), size); }

[[gnu::visibility("default")]] void* calloc(std::size_t count, std::size_t size) {
  const bool possible = size == 0 || count <= PTRDIFF_MAX / size;
  return given(next().calloc(count, size), possible ? count * size : SIZE_MAX);
}

[[gnu::visibility("default")]] void* realloc(void* memory, std::size_t size) {
  return given(next().realloc(memory, size), size);
}

[[gnu::visibility("default")]] void* mmap(void* address, std::size_t length, int protection, int flags,
                                          int file, off_t offset) noexcept {
  void* const memory = next().mmap(address, length, protection, flags, file, offset);
  if (memory == MAP_FAILED && is_in_tbb(__builtin_return_address(0))) give_up(no_memory);
  return memory;
}

[[gnu::visibility("default")]] int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                                  void* (*start)(void*), void* data) noexcept {
  const int status = next().create(thread, attributes, start, data);
  if (status != 0 && is_in_tbb(__builtin_return_address(0))) give_up(sphaera::tool::no_threads);
  return status;
}

}  // extern "C"
// NOLINTEND(misc-definitions-in-headers)

/// In C++ a failure stays an exception. The array forms and the nothrow form call this
/// function.
[[gnu::visibility("default")]] void* operator new(std::size_t size) {
  void* const memory = next().malloc(size > 0 ? size : 1);
  if (!memory) {
    sphaera::tool::new_failed = true;
    throw std::bad_alloc();
  }
  return memory;
}
[[gnu::visibility("default")]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::visibility("default")]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
