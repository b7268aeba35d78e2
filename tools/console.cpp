#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <tools/console.hpp>

namespace sphaera::tool {

void say_error(std::string_view sentence) { fmt::print(stderr, "sphaera: {}\n", sentence); }

void Console::warn(std::string_view sentence) const {
  if (talk_ == Talk::normal) fmt::print(stderr, "sphaera: warning: {}\n", sentence);
}

void Console::note(std::string_view sentence) const {
  if (talk_ == Talk::normal) fmt::print(stderr, "sphaera: {}\n", sentence);
}

bool Console::shows_progress() const {
  if (talk_ == Talk::quiet || isatty(STDERR_FILENO) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace sphaera::tool
