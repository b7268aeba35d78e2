#pragma once
/// \file Runs code in a child process: for signals, limits and standard output.

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <sphaera/error.hpp>
#include <tests/catch.hpp>

namespace sphaera::test {

/// Exit code of a child whose code throws an Error: error_exit plus the ErrorCode.
inline constexpr int error_exit = 100;
inline constexpr int io_error = error_exit + static_cast<int>(ErrorCode::io);

inline pid_t start_child(const std::function<int()>& code) {
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid > 0) return pid;
  int result = 99;
  try {
    result = code();
  } catch (const Error& error) {
    result = error_exit + static_cast<int>(error.code());
  }
  ::_exit(result);
}

/// The exit code, or minus the signal that ended the child.
inline int finish_child(pid_t pid) {
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

inline int run_child(const std::function<int()>& code) { return finish_child(start_child(code)); }

}  // namespace sphaera::test
