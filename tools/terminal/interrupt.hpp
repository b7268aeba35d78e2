#pragma once
/// \file Signals. SIGINT, SIGTERM and SIGHUP request a stop; the work unwinds and temporaries are removed.

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace sphaera::tool {

/// Create it before any other thread, so that no other thread gets the signals. If SIGINT or SIGHUP is
/// ignored at the start (nohup, background jobs), it stays ignored. The process ends at once if the work does
/// not end within a second (a blocked read, a full pipe) or at a second signal; temporaries are removed, too.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  void watch();

  sigset_t signals_{};
  std::stop_source stop_;
  std::atomic<bool> finished_{false};
  std::thread thread_;
};

/// Throws Error(cancelled) if a stop is requested: long work calls this now and then.
void throw_if_interrupted(const std::stop_token& stop);

/// Says on standard error that the work was interrupted, once in the life of the process: the work that
/// unwinds and the watching thread may both come to say it.
void say_interrupted();

/// SIGPIPE, SIGQUIT, SIGABRT, SIGUSR2 and the timer signals first remove temporaries and then act as by
/// default; SIGPIPE ends the tool silently.
/// Limits are errors: the limit of processor time (SIGXCPU) ends the tool with Exit::resources, the limit of
/// file sizes (SIGXFSZ) makes the write fail.
void clean_up_on_signals();

}  // namespace sphaera::tool
