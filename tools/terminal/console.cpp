#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <io/streams/printable.hpp>
#include <mutex>
#include <set>
#include <string>
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

struct Console::Said {
  std::mutex writing;
  std::set<std::string, std::less<>> sentences;
};

Console Console::for_repeated_work() const {
  Console console(talk_);
  console.said_ = std::make_shared<Said>();
  return console;
}

bool Console::says(std::string_view sentence) const {
  if (talk_ == Talk::quiet || !said_) return talk_ == Talk::normal;
  const std::scoped_lock lock(said_->writing);
  return said_->sentences.emplace(sentence).second;
}

void Console::warn(std::string_view sentence) const {
  if (says(sentence)) say({"sphaera: warning: ", io::printable(sentence), "\n"});
}

void Console::note(std::string_view sentence) const {
  if (says(sentence)) say({"sphaera: ", io::printable(sentence), "\n"});
}

bool Console::shows_progress() const {
  if (talk_ == Talk::quiet || said_ || isatty(STDERR_FILENO) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace sphaera::tool
