#include <pthread.h>
#include <unistd.h>

#include <ctime>
#include <io/output.hpp>
#include <string_view>
#include <tools/exit.hpp>
#include <tools/interrupt.hpp>

namespace sphaera::tool {
namespace {

/// Wakes the watching thread at the end. Sent from outside it ends the tool, as is its default.
constexpr int wake = SIGUSR1;
constexpr timespec grace{.tv_sec = 1, .tv_nsec = 0};

bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

[[noreturn]] void cut_off() {
  io::remove_temporaries();
  constexpr std::string_view text = "sphaera: interrupted\n";
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  _exit(static_cast<int>(Exit::interrupted));
}

void on_closed_pipe(int) {
  io::remove_temporaries();
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, wake);
  for (const int signal : {SIGINT, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&signals_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::thread([this] { watch(); });
}

Interrupt::~Interrupt() {
  finished_ = true;
  pthread_kill(thread_.native_handle(), wake);
  thread_.join();
}

void Interrupt::watch() {
  int signal = 0;
  sigwait(&signals_, &signal);
  if (finished_) return;
  stop_.request_stop();
  sigtimedwait(&signals_, nullptr, &grace);
  if (!finished_) cut_off();
}

void clean_up_on_closed_pipe() {
  if (!is_ignored(SIGPIPE)) std::signal(SIGPIPE, on_closed_pipe);
}

}  // namespace sphaera::tool
