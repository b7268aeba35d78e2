#pragma once
/// \file An attack on the tool: numbered attempts, each with a verdict.

#include <cstdint>
#include <memory>
#include <string>
#include <tests/attack/tool/tool_calls.hpp>

namespace sphaera::attack {

struct Verdict {
  std::string outcome;  ///< what is counted: "exit 0", "signal 15"
  std::string fault{};  ///< empty: all is as it should be
  std::string how{};    ///< the attempt in words
};

class Attack {
 public:
  Attack() = default;
  virtual ~Attack() = default;
  Attack(const Attack&) = delete;
  Attack& operator=(const Attack&) = delete;

  virtual std::uint64_t size() const = 0;  ///< how many attempts there are; 0: as many as wanted
  virtual Verdict attempt(std::uint64_t number) = 0;
};

/// What attacks work with.
struct AttackSetup {
  std::filesystem::path tool;
  std::filesystem::path folder;  ///< for scratch files; its subfolder `in` has the inputs
  std::uint64_t seed;
  std::vector<ToolCall> calls;
  std::string preload{};           ///< library that makes allocations fail
  std::filesystem::path corpus{};  ///< tests/fuzz/corpus
};

std::unique_ptr<Attack> streams_attack(const AttackSetup&);
std::unique_ptr<Attack> kills_attack(const AttackSetup&);
std::unique_ptr<Attack> limits_attack(const AttackSetup&);
std::unique_ptr<Attack> allocations_attack(const AttackSetup&);
std::unique_ptr<Attack> names_attack(const AttackSetup&);
std::unique_ptr<Attack> tool_mutants_attack(const AttackSetup&);

/// In which state files may be left.
enum class FilesAfter : std::uint8_t {
  complete,   ///< all are there, as they must be
  unchanged,  ///< all are as before
  either,     ///< each is one or the other
};

/// Writes an older file under the name of each output of the call. Returns what it wrote.
Files write_old_files(const ToolCall& call, const std::filesystem::path& work);

/// What is wrong with the files left behind; empty: nothing. If `temporaries` is given, files of other names
/// are no fault: their names go there.
std::string fault_in_files(const ToolCall& call, const Files& before, const std::filesystem::path& work,
                           FilesAfter left, std::vector<std::string>* temporaries = nullptr);

/// What is wrong with the text on standard error; empty: nothing. Each line must begin with "sphaera: " or
/// "Fontconfig ", and all must be printable. If the exit code is an error, there must be at least one line.
std::string fault_in_message(const Ended& ended);

}  // namespace sphaera::attack
