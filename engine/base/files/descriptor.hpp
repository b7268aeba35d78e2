#pragma once
/// \file A file descriptor that is closed at the end of its scope, and waiting for one that does not block.

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sphaera::base {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

/// Waits until a descriptor whose read or write ended with EAGAIN has data (POLLIN) or room (POLLOUT). Other
/// programs share pipes and terminals, and may set O_NONBLOCK. False: it cannot wait; errno says why.
inline bool wait_until_ready(int fd, short events) {
  pollfd ready{fd, events, 0};
  return ::poll(&ready, 1, -1) > 0 || errno == EINTR;
}

}  // namespace sphaera::base
