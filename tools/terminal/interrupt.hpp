#pragma once
/// \file Signals. SIGINT, SIGTERM and SIGHUP request a stop, work unwinds, temporaries go.

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

/// Other signals that end the tool do so as by default, silently where a reader of its output goes away
/// (SIGPIPE), but temporaries go first. Limits are errors: that of processor time (SIGXCPU) ends the tool
/// with Exit::resources, that of file sizes (SIGXFSZ) fails the write.
void clean_up_on_signals();

}  // namespace sphaera::tool
