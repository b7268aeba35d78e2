#pragma once
/// \file Declares options of a verb. CLI11 stands behind these functions: its header takes seconds to
/// compile, so only the sources that need all of it include it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sphaera::tool {

/// An option that was declared. The functions change it and return it.
class DeclaredOption {
 public:
  explicit DeclaredOption(CLI::Option* option) : option_(option) {}

  DeclaredOption type_name(const std::string& name) const;  ///< in the help: "--k K"
  DeclaredOption description(const std::string& text) const;
  DeclaredOption required() const;
  DeclaredOption needs(const DeclaredOption& other) const;
  DeclaredOption one_of(const std::vector<std::string>& words) const;  ///< other words are errors
  DeclaredOption some_of(
      const std::vector<std::string>& words) const;  ///< the same, with commas between them

 private:
  CLI::Option* option_;
};

/// Throws the error that CLI11 reports as "NAME: WHY".
[[noreturn]] void refuse_value(const std::string& name, const std::string& why);

/// A number, or several with commas, and no file of that name.
bool is_numbers(const std::string& text);

DeclaredOption add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& description);
DeclaredOption add_flag(CLI::App& app, const std::string& name, const std::function<void()>& set,
                        const std::string& description);
DeclaredOption add_text(CLI::App& app, const std::string& name, std::string& value,
                        const std::string& description);
DeclaredOption add_file(CLI::App& app, const std::string& name, std::filesystem::path& file,
                        const std::string& description);
DeclaredOption add_files(CLI::App& app, const std::string& name, std::vector<std::filesystem::path>& files,
                         const std::string& description);
/// Declares an option; calls on_text(text) when it is given.
DeclaredOption add_callback(CLI::App& app, const std::string& name,
                            const std::function<void(const std::string&)>& on_text,
                            const std::string& description);
/// The same for an option that may be repeated: calls on_text(text) for each, in order.
DeclaredOption add_repeated(CLI::App& app, const std::string& name,
                            const std::function<void(const std::string&)>& on_text,
                            const std::string& description);
/// Declares an option whose text `read` converts to a value. If `read` returns false, the error message says
/// what is `wanted`.
DeclaredOption add_parsed(CLI::App& app, const std::string& name, const std::string& description,
                          const std::string& wanted, const std::function<bool(const std::string&)>& read);
/// The words that one_of() gave the option, with blanks between them; empty if it takes others, too.
std::string words_of(CLI::Option& option);
/// Declares an option that takes one of several words. The help shows the value as FORMAT unless `type_name`
/// is called.
template <class Value, class Target>
DeclaredOption add_word(CLI::App& app, const std::string& name, Target& value,
                        const std::map<std::string, Value>& words, const std::string& description) {
  std::vector<std::string> names;
  names.reserve(words.size());
  for (const auto& [word, _] : words) names.push_back(word);
  return add_callback(
             app, name, [&value, words](const std::string& text) { value = words.at(text); }, description)
      .one_of(names)
      .type_name("FORMAT");
}
/// Declares an option that takes a finite number.
DeclaredOption add_finite(CLI::App& app, const std::string& name, double& value,
                          const std::string& description);
DeclaredOption add_finite(CLI::App& app, const std::string& name, const std::function<void(double)>& set,
                          const std::string& description);
/// Declares an option that takes a number from 0 to `most`, as `wanted` says.
DeclaredOption add_amount(CLI::App& app, const std::string& name, const std::string& description, double most,
                          const std::string& wanted, const std::function<void(double)>& set);
/// Declares an option that takes an integer ≥ least; 1e6 counts as 1000000.
DeclaredOption add_count(CLI::App& app, const std::string& name,
                         const std::function<void(std::uint64_t)>& set, const std::string& description,
                         std::int64_t least);

/// Reads finite numbers separated by commas, as many as `values` holds. Returns false if the text has another
/// form.
bool parse_numbers(std::string_view text, std::span<double> values);

/// Sets the help text above and below the options, and appends the exit codes.
void describe(CLI::App& app, const std::string& above, const std::string& below);

/// The end of every help text.
inline constexpr std::string_view exit_codes = R"(
Exit codes:
  0 ok   1 internal error   2 wrong command line   3 missing or bad input
  4 out of memory, disk full, output not writable   5 --verify found a difference
  130 interrupted.  On an error no output file appears or changes.
)";

}  // namespace sphaera::tool
