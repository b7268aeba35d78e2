#pragma once
/// \file Messages of the tool on stderr, as plain text without color. Each sentence is one line; names and
/// texts from outside are shown by io::printable.

#include <string_view>

namespace sphaera::tool {

/// Prints "sphaera: error text", also with --quiet.
void say_error(std::string_view sentence);
/// The same with rows below the sentence, each on its own line.
void say_error_and_rows(std::string_view text);

class Console {
 public:
  enum class Talk { normal, quiet };

  explicit Console(Talk talk) : talk_(talk) {}

  void warn(std::string_view sentence) const;
  void note(std::string_view sentence) const;
  bool shows_progress() const;  ///< true on a terminal with cursor movement, unless quiet

 private:
  Talk talk_;
};

}  // namespace sphaera::tool
