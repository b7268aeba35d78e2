#pragma once
/// \file Messages of the tool on stderr, as plain text without color. Each sentence is one line; names and
/// texts from outside are shown by io::printable.

#include <memory>
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

  /// For work that is done many times: says each sentence once, and shows no progress.
  Console for_repeated_work() const;

  void warn(std::string_view sentence) const;
  void note(std::string_view sentence) const;
  bool shows_progress() const;  ///< true on a terminal with cursor movement, unless quiet

 private:
  struct Said;
  bool says(std::string_view sentence) const;

  Talk talk_;
  std::shared_ptr<Said> said_{};
};

}  // namespace sphaera::tool
