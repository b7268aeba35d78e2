#pragma once
/// \file What the tool says on stderr beside its results. Plain text: there is no colour to turn off.
/// Whatever names and texts from outside a sentence holds, it is one line, shown as io::printable says.

#include <string_view>

namespace sphaera::tool {

/// "sphaera: error text", whatever --quiet says.
void say_error(std::string_view sentence);
/// The same of a sentence with rows below it, each on a line of its own.
void say_error_and_rows(std::string_view text);

class Console {
 public:
  enum class Talk { normal, quiet };

  explicit Console(Talk talk) : talk_(talk) {}

  void warn(std::string_view sentence) const;
  void note(std::string_view sentence) const;
  bool shows_progress() const;  ///< on a terminal that can move its cursor, unless quiet

 private:
  Talk talk_;
};

}  // namespace sphaera::tool
