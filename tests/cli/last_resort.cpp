/// \file Memory or threads that are missing where no exception can be caught: tools/terminal/last_resort.hpp.
///
///   sphaera_last_resort PLACE      ends in PLACE; exit code 9: nothing ended it

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <io/streams/output.hpp>
#include <map>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <tools/terminal/last_resort.hpp>

namespace {

constexpr std::size_t more_than_there_is = std::size_t{1} << 40;

volatile std::size_t wanted = more_than_there_is;  // the compiler may not drop an allocation of unknown size
void* volatile memory = nullptr;

/// Limits the address space. With 0, nothing more can be mapped: large allocations fail, small ones may still
/// succeed.
void limit_memory(rlim_t bytes) {
  const rlimit limit{bytes, RLIM_INFINITY};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::abort();
}

void by_malloc() { memory = std::malloc(wanted); }
void by_calloc() { memory = std::calloc(wanted / 8, 8); }
void by_realloc() { memory = std::realloc(std::malloc(1), wanted); }
void by_new() noexcept { memory = ::operator new(wanted); }
void by_thread() { throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)); }
void by_another_exception() { throw 1; }

void with_open_output() {
  sphaera::io::Output output("result.csv");
  output.write("a,b\n");
  by_malloc();
}

/// Another thread runs out of memory. The output already has its final name, but this thread has not yet
/// noted that all outputs are complete.
void while_outputs_get_their_names() {
  limit_memory(RLIM_INFINITY);
  sphaera::io::Output output("result.csv");
  output.write("a,b\n");
  std::atomic<bool> named{false};
  std::thread other([&] {
    named.wait(false);
    by_malloc();
  });
  output.commit();
  limit_memory(0);
  named = true, named.notify_one();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  sphaera::tool::note_outputs_complete();
  other.join();
}

void when_outputs_are_complete() {
  sphaera::tool::note_outputs_complete();
  by_malloc();
}

// Failures that the process survives:
void by_new_with_handler() {
  try {
    memory = ::operator new(wanted);
  } catch (const std::bad_alloc&) {
    std::puts("caught");
  }
}
void by_new_without_exception() {
  if (!::operator new(wanted, std::nothrow)) std::puts("null");
}
void by_impossible_malloc() {
  wanted = SIZE_MAX;
  if (!std::malloc(wanted)) std::puts("null");
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> places{{"malloc", by_malloc},
                                                 {"calloc", by_calloc},
                                                 {"realloc", by_realloc},
                                                 {"new", by_new},
                                                 {"thread", by_thread},
                                                 {"another", by_another_exception},
                                                 {"output", with_open_output},
                                                 {"publishing", while_outputs_get_their_names},
                                                 {"complete", when_outputs_are_complete},
                                                 {"caught", by_new_with_handler},
                                                 {"nothrow", by_new_without_exception},
                                                 {"impossible", by_impossible_malloc}};
  sphaera::tool::link_last_resort();
  const auto place = argc == 2 ? places.find(argv[1]) : places.end();
  if (place == places.end()) return 1;
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  limit_memory(0);
  place->second();
  return 9;
}
