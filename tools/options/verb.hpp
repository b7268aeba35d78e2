#pragma once
/// \file The verbs of the tool.

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

std::unique_ptr<Verb> info_verb();
std::unique_ptr<Verb> blocked_verb();
std::unique_ptr<Verb> first_verb();
std::unique_ptr<Verb> all_verb();
std::unique_ptr<Verb> nearest_verb();
std::unique_ptr<Verb> within_verb();
std::unique_ptr<Verb> starlight_verb();
std::unique_ptr<Verb> eclipse_verb();
std::unique_ptr<Verb> map_verb();
std::unique_ptr<Verb> shoot_verb();
std::unique_ptr<Verb> convert_verb();
std::unique_ptr<Verb> generate_verb();
std::unique_ptr<Verb> merge_verb();

}  // namespace sphaera::tool
