#include <unistd.h>

#include <cstdlib>
#include <tools/console.hpp>
#include <tools/streams.hpp>

namespace sphaera::tool {

void say_error(std::string_view sentence) { say({"sphaera: ", sentence, "\n"}); }

void Console::warn(std::string_view sentence) const {
  if (talk_ == Talk::normal) say({"sphaera: warning: ", sentence, "\n"});
}

void Console::note(std::string_view sentence) const {
  if (talk_ == Talk::normal) say({"sphaera: ", sentence, "\n"});
}

bool Console::shows_progress() const {
  if (talk_ == Talk::quiet || isatty(STDERR_FILENO) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace sphaera::tool
