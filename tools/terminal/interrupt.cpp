#include <pthread.h>
#include <unistd.h>

#include <ctime>
#include <io/streams/output.hpp>
#include <mutex>
#include <sphaera/error.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/interrupt.hpp>
#include <tools/terminal/streams.hpp>
#include <utility>

namespace sphaera::tool {
namespace {

/// The destructor sends this signal to wake the watching thread. From another process it requests a stop.
constexpr int wake = SIGUSR1;
constexpr timespec grace{.tv_sec = 1, .tv_nsec = 0};

bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

[[noreturn]] void cut_off() {
  base::remove_temporaries();
  say_interrupted();
  _exit(static_cast<int>(Exit::interrupted));
}

/// Ends the tool as the signal does by default, once temporaries are gone.
void on_end(int signal) {
  base::remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void on_processor_limit(int) {
  base::remove_temporaries();
  say({"sphaera: the limit of processor time (ulimit -t) is reached\n"});
  _exit(static_cast<int>(Exit::resources));
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

void throw_if_interrupted(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "interrupted");
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

void say_interrupted() {
  static std::mutex saying;  // held while the message is written: a second caller may end the process
  static bool said = false;
  const std::scoped_lock lock(saying);
  if (!std::exchange(said, true)) say({"sphaera: interrupted\n"});
}

void clean_up_on_signals() {
  for (const int signal : {SIGPIPE, SIGQUIT, SIGABRT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR2}) {
    if (!is_ignored(signal)) std::signal(signal, on_end);
  }
  if (!is_ignored(SIGXCPU)) std::signal(SIGXCPU, on_processor_limit);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace sphaera::tool
