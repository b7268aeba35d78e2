#include <unistd.h>

#include <cstdlib>
#include <io/streams/printable.hpp>
#include <tools/terminal/console.hpp>
#include <tools/terminal/streams.hpp>

namespace sphaera::tool {

void say_error(std::string_view sentence) { say({"sphaera: ", io::printable(sentence), "\n"}); }

void say_error_and_rows(std::string_view text) {
  std::size_t newline = text.find('\n');
  say_error(text.substr(0, newline));
  while (newline != std::string_view::npos) {
    text.remove_prefix(newline + 1);
    newline = text.find('\n');
    say({io::printable(text.substr(0, newline)), "\n"});
  }
}

void Console::warn(std::string_view sentence) const {
  if (talk_ == Talk::normal) say({"sphaera: warning: ", io::printable(sentence), "\n"});
}

void Console::note(std::string_view sentence) const {
  if (talk_ == Talk::normal) say({"sphaera: ", io::printable(sentence), "\n"});
}

bool Console::shows_progress() const {
  if (talk_ == Talk::quiet || isatty(STDERR_FILENO) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace sphaera::tool
