#include <pthread.h>
#include <sys/resource.h>

#include <cstddef>
#include <iostream>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/stack.hpp>

namespace sphaera::tool {
namespace {

constexpr std::size_t enough = std::size_t{8} << 20;

struct Call {
  int (*work)(int, char**);
  int argc;
  char** argv;
  int code;
};

void* run(void* self) {
  Call& call = *static_cast<Call*>(self);
  call.code = call.work(call.argc, call.argv);
  return nullptr;
}

}  // namespace

int on_enough_stack(int (*work)(int argc, char** argv), int argc, char** argv) {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= enough) return work(argc, argv);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, enough);
  pthread_setattr_default_np(&attributes);
  Call call{work, argc, argv, 0};
  pthread_t thread{};
  const int error = pthread_create(&thread, &attributes, run, &call);
  pthread_attr_destroy(&attributes);
  if (error == 0 && pthread_join(thread, nullptr) == 0) return call.code;
  std::cerr << "sphaera: the stack is limited to " << limit.rlim_cur / 1024
            << " KiB (ulimit -s), and the system allows no thread with a larger one; raise a limit\n";
  return static_cast<int>(Exit::resources);
}

}  // namespace sphaera::tool
