#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <tests/attack/escaped.hpp>
#include <tests/attack/tool/process.hpp>

namespace sphaera::attack {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double longest_nap = 0.003;
constexpr int lowest_free = 100;  // ours start here, so that dup2 onto 0, 1 and 2 overwrites none

/// For each standard stream: the child's descriptor, and our end of the pipe of a caught output. −1: none.
struct Descriptors {
  std::array<int, 3> child{-1, -1, -1}, parent{-1, -1, -1};
};

int moved_up(int fd) {
  const int up = fcntl(fd, F_DUPFD_CLOEXEC, lowest_free);
  close(fd);
  if (up < 0) throw std::runtime_error(std::string("cannot move a descriptor: ") + std::strerror(errno));
  return up;
}

int opened(const char* path, int flags) {
  const int fd = open(path, flags | O_CLOEXEC, 0644);
  if (fd < 0) throw std::runtime_error(std::string(path) + ": " + std::strerror(errno));
  return moved_up(fd);
}

void open_pipe(const Launch& launch, int number, Descriptors& all) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  const int read_end = moved_up(ends[0]), write_end = moved_up(ends[1]);
  const auto n = static_cast<std::size_t>(number);
  all.child[n] = number == 0 ? read_end : write_end;
  const int ours = number == 0 ? write_end : read_end;
  if (launch.streams[n] == Stream::caught && number != 0) {
    all.parent[n] = ours;
  } else {
    close(ours);
  }
}

Descriptors open_all(const Launch& launch) {
  Descriptors all;
  for (int number = 0; number < 3; ++number) {
    const auto n = static_cast<std::size_t>(number);
    const int way = number == 0 ? O_RDONLY : O_WRONLY, other_way = number == 0 ? O_WRONLY : O_RDONLY;
    switch (launch.streams[n]) {
      case Stream::null:
        all.child[n] = opened("/dev/null", way);
        break;
      case Stream::full:
        all.child[n] = opened("/dev/full", way);
        break;
      case Stream::wrong_way:
        all.child[n] = opened("/dev/null", other_way);
        break;
      case Stream::file:
        all.child[n] = opened(launch.files[n].c_str(), number == 0 ? way : way | O_CREAT | O_APPEND);
        break;
      case Stream::caught:
      case Stream::broken:
        open_pipe(launch, number, all);
        break;
      case Stream::closed:
        break;
    }
  }
  return all;
}

void become_user(unsigned user) {
  if (user == 0) return;
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
    _exit(126);
}

[[noreturn]] void become_tool(const Launch& launch, const Descriptors& all) {
  for (const int signal : {SIGPIPE, SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGXFSZ, SIGXCPU})
    std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (launch.ignores_pipe_signal) std::signal(SIGPIPE, SIG_IGN);
  if (!launch.folder.empty() && chdir(launch.folder.c_str()) != 0) _exit(126);
  for (int n = 0; n < 3; ++n) {
    close(n);
    if (all.child[static_cast<std::size_t>(n)] >= 0) dup2(all.child[static_cast<std::size_t>(n)], n);
  }
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  std::vector<char*> arguments{const_cast<char*>("sphaera")};
  for (const std::string& argument : launch.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  for (const std::string& value : launch.environment) putenv(const_cast<char*>(value.c_str()));
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  become_user(launch.user);
  for (const auto& [resource, most] : launch.limits) {
    const rlimit limit{most, most};
    setrlimit(resource, &limit);
  }
  execv(launch.tool.c_str(), arguments.data());
  _exit(126);
}

/// Reads once, at most 64 KiB. False at the end, on an error other than EINTR, or if a non-blocking pipe is
/// empty. Drops what is read once `text` holds 64 MiB.
bool drain(int fd, std::string& text) {
  constexpr std::size_t most = 64 << 20;
  char buffer[1 << 16];
  const ssize_t n = read(fd, buffer, sizeof buffer);
  if (n > 0 && text.size() < most) text.append(buffer, static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

/// Follows a child to its end.
class Watch {
 public:
  Watch(const Launch& launch, pid_t child, Descriptors& all) : launch_(launch), child_(child), all_(all) {}

  Ended to_end() {
    while (!over()) {
      act();
      wait_a_moment();
    }
    for (std::size_t n = 1; n < 3; ++n) finish(n);
    ended_.seconds = elapsed();
    return ended_;
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  bool over() {
    int status = 0;
    rusage used{};
    if (wait4(child_, &status, WNOHANG, &used) != child_) return false;
    ended_.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ended_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ended_.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
    return true;
  }

  void act() {
    const double now = elapsed();
    if (launch_.signal != 0 && !sent_ && now >= launch_.signal_after) {
      kill(child_, launch_.signal);
      sent_ = true;
    }
    if (now < launch_.seconds) return;
    ended_.hung = true;
    kill(child_, SIGKILL);
  }

  void wait_a_moment() {
    pollfd waiting[2];
    nfds_t count = 0;
    for (std::size_t n = 1; n < 3; ++n) {
      if (all_.parent[n] >= 0) waiting[count++] = {all_.parent[n], POLLIN, 0};
    }
    // If its outputs are closed or not caught, the end of a child does not wake ppoll. So naps are short.
    const double to_signal = launch_.signal != 0 && !sent_ ? launch_.signal_after - elapsed() : longest_nap;
    const timespec nap{0, static_cast<long>(1e9 * std::clamp(to_signal, 0.0, longest_nap))};
    if (ppoll(waiting, count, &nap, nullptr) <= 0) return;
    for (std::size_t n = 1; n < 3; ++n) {
      for (nfds_t i = 0; i < count; ++i) {
        if (waiting[i].fd == all_.parent[n] && waiting[i].revents != 0 && !drain(all_.parent[n], text(n)))
          shut(n);
      }
    }
  }

  std::string& text(std::size_t n) { return n == 1 ? ended_.out : ended_.err; }

  void shut(std::size_t n) {
    close(all_.parent[n]);
    all_.parent[n] = -1;
  }

  void finish(std::size_t n) {
    if (all_.parent[n] < 0) return;
    fcntl(all_.parent[n], F_SETFL, O_NONBLOCK);
    while (drain(all_.parent[n], text(n))) {
    }
    shut(n);
  }

  const Launch& launch_;
  pid_t child_;
  Descriptors& all_;
  Clock::time_point start_ = Clock::now();
  Ended ended_;
  bool sent_ = false;
};

}  // namespace

std::string Ended::how() const {
  if (hung) return "hangs";
  return signal != 0 ? "signal " + std::to_string(signal) : "exit " + std::to_string(code);
}

Ended run(const Launch& launch) {
  Descriptors all = open_all(launch);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become_tool(launch, all);
  for (const int fd : all.child) {
    if (fd >= 0) close(fd);
  }
  return Watch(launch, child, all).to_end();
}

std::string text_of(const Launch& launch) {
  std::string text;
  for (const std::string& value : launch.environment) text += value + ' ';
  for (const auto& [resource, most] : launch.limits)
    text += "[limit " + std::to_string(static_cast<int>(resource)) + " = " + std::to_string(most) + "] ";
  text += "sphaera";
  for (const std::string& argument : launch.arguments) text += ' ' + escaped(argument, 80);
  for (std::size_t n = 0; n < 3; ++n)
    text += ' ' + std::to_string(n) + ':' + stream_names[static_cast<std::size_t>(launch.streams[n])];
  if (launch.signal != 0)
    text +=
        " signal " + std::to_string(launch.signal) + " after " + std::to_string(launch.signal_after) + " s";
  return text;
}

}  // namespace sphaera::attack
