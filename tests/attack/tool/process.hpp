#pragma once
/// \file The tool as a child process: its streams, its limits, signals at chosen moments, what it leaves
/// behind.

#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sphaera::attack {

/// What a standard descriptor of the child is.
enum class Stream : std::uint8_t {
  null,       ///< /dev/null
  caught,     ///< a pipe that is read to its end
  closed,     ///< not open
  full,       ///< /dev/full
  broken,     ///< a pipe whose other end is closed
  wrong_way,  ///< /dev/null, opened for the other direction
  file,       ///< `Launch::files` of the same number, appended to
};
inline constexpr std::array stream_names{"null", "caught", "closed", "full", "broken", "wrong-way", "file"};

struct Launch {
  std::filesystem::path tool{};
  std::vector<std::string> arguments{};
  std::filesystem::path folder{};
  std::array<Stream, 3> streams{Stream::null, Stream::caught, Stream::caught};
  std::array<std::string, 3> files{};
  std::vector<std::string> environment{};  ///< NAME=value, added to the current environment
  std::vector<std::pair<__rlimit_resource, rlim_t>> limits{};
  unsigned user = 0;  ///< other than 0: runs as this user
  bool ignores_pipe_signal = false;
  double seconds = 30;  ///< after which the child counts as hung and is killed
  int signal = 0;       ///< sent after `signal_after` seconds
  double signal_after = 0;
};

struct Ended {
  int code = -1;   ///< −1: ended by a signal
  int signal = 0;  ///< 0: ended by itself
  bool hung = false;
  std::string out{}, err{};  ///< what was caught, at most 64 MiB each
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< resident

  std::string how() const;  ///< "exit 4", "signal 6", "hangs"
};

Ended run(const Launch& launch);

/// The launch in one line, for reports: environment, limits, arguments, streams, signal.
std::string text_of(const Launch& launch);

}  // namespace sphaera::attack
