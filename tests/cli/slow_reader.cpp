/// \file Runs a command with a terminal as standard error and reads its standard output slowly, so that the
/// output holds the command up: slow_reader AHEAD COMMAND…. Prints "in step" if no percentage on the terminal
/// was more than AHEAD bytes ahead of what had been read, else the first that was; fails if there was none.

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t chunk = std::size_t{1} << 14;
constexpr std::chrono::milliseconds rest{20};

/// A percentage that was on the terminal when so many bytes of the output had been read.
struct Shown {
  int percent;
  std::uint64_t read;
};

/// Appends what waits in `file`. False at its end.
bool take(int file, std::string& text) {
  char buffer[chunk];
  const ssize_t n = ::read(file, buffer, sizeof buffer);
  if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  return n > 0;
}

bool has_bytes(int file) {
  pollfd poll{file, POLLIN, 0};
  return ::poll(&poll, 1, 0) > 0 && (poll.revents & POLLIN) != 0;
}

void take_waiting(int file, std::string& text) {
  while (has_bytes(file) && take(file, text)) {
  }
}

/// Removes the percentages from the text, up to the last.
void take_percentages(std::string& text, std::uint64_t read, std::vector<Shown>& shown) {
  for (std::size_t end = 0; (end = text.find(" %")) != std::string::npos; text.erase(0, end + 1)) {
    const std::size_t begin = text.find_last_not_of("0123456789", end - 1) + 1;
    int percent = -1;
    std::from_chars(text.data() + begin, text.data() + end, percent);
    shown.push_back({percent, read});
  }
}

/// Starts the command. Returns the read ends of its standard output and of its terminal.
bool start(char** command, int& output, int& terminal) {
  int pipe[2];
  terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0 || ::pipe(pipe) != 0)
    return false;
  const int screen = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  if (screen < 0) return false;
  output = pipe[0];
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    ::dup2(pipe[1], STDOUT_FILENO);
    ::dup2(screen, STDERR_FILENO);
    for (const int file : {pipe[0], pipe[1], screen, terminal}) ::close(file);
    ::setenv("TERM", "xterm", 1);
    ::execvp(command[0], command);
    std::_Exit(127);
  }
  ::close(pipe[1]);  // `screen` stays open: without it a read of the terminal fails at the end
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const auto ahead = std::strtoull(argv[1], nullptr, 10);
  int output = -1, terminal = -1;
  if (!start(argv + 2, output, terminal)) return 1;
  std::vector<Shown> shown;
  std::string text, rows;
  std::uint64_t read = 0;
  while (take(output, rows)) {
    read += rows.size();
    rows.clear();
    std::this_thread::sleep_for(rest);
    take_waiting(terminal, text);
    take_percentages(text, read, shown);
  }
  take_waiting(terminal, text);
  int status = 0;
  if (::wait(&status) < 0 || status != 0) {
    std::fprintf(stderr, "the command failed: %s\n", text.c_str());
    return 1;
  }
  for (const auto& [percent, when] : shown) {
    const double most = 100 * static_cast<double>(when + ahead) / static_cast<double>(read);
    if (percent <= most) continue;
    std::printf("%d %% was shown when %llu of %llu bytes had been read\n", percent,
                static_cast<unsigned long long>(when), static_cast<unsigned long long>(read));
    return 0;
  }
  std::puts(shown.empty() ? "no percentage was shown" : "in step");
}
