#pragma once
/// \file What a verb of the tool is.

#include <memory>
#include <stop_token>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

/// A verb of the command line, with its options and its work.
class Verb {
 public:
  Verb() = default;
  virtual ~Verb() = default;
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;

  /// Declares arguments, options and the text below them.
  virtual void declare(CLI::App& app) = 0;
  /// Throws sphaera::Error, UsageError or Mismatch.
  virtual void run(const std::stop_token& stop) = 0;
};

/// A verb with its name on the command line.
struct VerbEntry {
  const char* name;
  const char* summary;
  std::unique_ptr<Verb> (*make)();
};

template <class Made>
std::unique_ptr<Verb> make_verb() {
  return std::make_unique<Made>();
}

}  // namespace sphaera::tool
