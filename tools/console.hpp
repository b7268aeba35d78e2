#pragma once
/// \file What the tool says on stderr beside its results. Plain text: there is no colour to turn off.

#include <string_view>

namespace sphaera::tool {

/// "sphaera: error text", whatever --quiet says.
void say_error(std::string_view sentence);

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
