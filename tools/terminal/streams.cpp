#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <tools/terminal/streams.hpp>

namespace sphaera::tool {
namespace {

/// Blocks SIGPIPE in this thread: a closed stderr must not end the process.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    constexpr timespec at_once{};
    while (sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

/// Gathers parts, so that the lines of several processes on one terminal stay whole.
class ErrorLine {
 public:
  void add(std::string_view part) {
    while (!part.empty()) {
      const std::size_t n = part.copy(bytes_.data() + size_, bytes_.size() - size_);
      size_ += n;
      part.remove_prefix(n);
      if (size_ == bytes_.size()) flush();
    }
  }
  void flush() {
    const char* from = bytes_.data();
    while (size_ > 0) {
      const ssize_t n = ::write(STDERR_FILENO, from, size_);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN && wait_for_room()) continue;
      if (n <= 0) break;
      from += n;
      size_ -= static_cast<std::size_t>(n);
    }
    size_ = 0;
  }

 private:
  static bool wait_for_room() {
    pollfd room{STDERR_FILENO, POLLOUT, 0};
    return ::poll(&room, 1, -1) > 0;
  }

  std::array<char, 1024> bytes_;
  std::size_t size_ = 0;
};

}  // namespace

void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Gets the lowest free number: fd itself.
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) static_cast<void>(::open("/", O_PATH));
  }
}

void say(std::initializer_list<std::string_view> parts) noexcept {
  const int error = errno;
  const NoPipeSignal quiet;
  ErrorLine line;
  for (const std::string_view part : parts) line.add(part);
  line.flush();
  errno = error;
}

}  // namespace sphaera::tool
