#pragma once
/// \file SIGINT, SIGTERM and SIGHUP: a stop is requested, work unwinds, temporaries go.

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace sphaera::tool {

/// To be made before any other thread, so that no other one gets the signals. A signal that the tool's
/// starter ignores (nohup, background jobs) stays ignored. Work that does not end within a second of a signal
/// (a read that waits, a full pipe), or until a second signal, is cut off; its temporaries are removed all
/// the same.
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

/// A reader of our output that goes away ends the tool silently, as SIGPIPE does, but temporaries go first.
void clean_up_on_closed_pipe();

}  // namespace sphaera::tool
