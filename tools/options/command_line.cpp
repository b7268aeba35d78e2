#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <io/formats/spelling.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/output.hpp>
#include <memory>
#include <new>
#include <sphaera/error.hpp>
#include <sphaera/version.hpp>
#include <sstream>
#include <string>
#include <tools/options/command_line.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/terminal/console.hpp>
#include <tools/terminal/fitted_text.hpp>
#include <tools/terminal/interrupt.hpp>
#include <tools/terminal/last_resort.hpp>
#include <vector>

namespace sphaera::tool {
namespace {

constexpr const char* version = "sphaera " SPHAERA_VERSION;

std::string list(std::span<const VerbEntry* const> verbs) {
  std::string text = "\nVerbs ('sphaera help VERB' has the details):\n";
  for (const VerbEntry* verb : verbs) text += fmt::format("  {:<11}{}\n", verb->name, verb->summary);
  return text;
}

/// "there is no option '--ouput'; did you mean --output? See", or "…; see" if no known word is near.
std::string unknown_word(const char* what, std::string_view word, const std::vector<std::string>& known) {
  return fmt::format("there is no {} {}; {}", what, io::shown(word), io::suggested(word, known, "see"));
}

/// True if the argument has the form of an option: it starts with '-', but is neither "-" nor a number.
bool is_option(std::string_view argument) {
  return argument.size() > 1 && argument[0] == '-' && argument[1] != '.' &&
         (argument[1] < '0' || argument[1] > '9');
}

/// Breaks the line behind a name that leaves but one blank before its text, too.
class OptionFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string text = CLI::Formatter::make_option(option, is_positional);
    const std::size_t width = get_column_width();
    if (text.find('\n') > width && text.size() > width && text[width - 2] != ' ')
      text.replace(width - 1, 1, '\n' + std::string(width, ' '));
    return text;
  }
};

class CommandLine {
  static constexpr const char* about = R"(
Exact, fast queries on large scenes of spheres.)";

 public:
  CommandLine(std::span<const VerbEntry* const> entries, std::span<char*> arguments) {
    constexpr std::size_t column_width = 22;
    app_.description(about);
    app_.set_version_flag("--version", version);
    app_.footer(list(entries) + tool_help() + std::string(exit_codes));
    app_.formatter(std::make_shared<OptionFormatter>());
    app_.get_formatter()->column_width(column_width);
    for (const VerbEntry* entry : entries) {
      CLI::App* command = app_.add_subcommand(entry->name)->group("");  // the footer lists them
      command->set_version_flag("--version", version);
      verbs_.emplace_back(command, nullptr);
      if (std::ranges::find(arguments, std::string_view(entry->name)) == arguments.end()) continue;
      verbs_.back().second = entry->make();
      verbs_.back().second->declare(*command);
    }
  }

  /// Returns the requested verb with its options set, or null after printing help or the version. Throws
  /// UsageError.
  Verb* parse(std::span<char*> arguments) {
    std::vector<std::string> words(arguments.rbegin(), arguments.rend());  // CLI11 takes them from the back
    if (!words.empty()) words.pop_back();                                  // the program
    if (!words.empty() && words.back() == "help") ask_for_help(words);
    if (!words.empty() && !words.back().starts_with('-')) check_verb(words.back());
    try {
      app_.parse(std::move(words));
    } catch (const CLI::Success& asked) {
      answer(asked);
      return nullptr;
    } catch (const CLI::ParseError& error) {
      throw UsageError(fmt::format("{} '{} --help'", reason(error), started()));
    }
    for (const auto& [command, verb] : verbs_) {
      if (command->parsed()) return verb.get();
    }
    throw UsageError("no verb is given; see 'sphaera --help'");
  }

 private:
  /// Makes `help first` of the words, the last of which is the first, to `first --help`.
  static void ask_for_help(std::vector<std::string>& words) {
    words.pop_back();
    words.resize(words.empty() ? 0 : 1, words.empty() ? "" : words.back());
    words.insert(words.begin(), "--help");
  }

  /// Prints the help or the version that was asked for.
  void answer(const CLI::Success& asked) {
    std::ostringstream text, nothing;
    app_.exit(asked, text, nothing);
    io::Output output({});
    output.write(fitted(text.str(), output_width()));
    output.commit();
  }

  void check_verb(std::string_view word) const {
    const auto is_word = [&](const auto& verb) { return verb.first->get_name() == word; };
    if (std::ranges::any_of(verbs_, is_word)) return;
    std::vector<std::string> names;
    for (const auto& [command, _] : verbs_) names.push_back(command->get_name());
    throw UsageError(unknown_word("verb", word, names) + " 'sphaera --help'");
  }

  /// Describes the error; the caller appends which help to read. An unknown option is reported before errors
  /// that it may cause, such as an unexpected argument or a missing required option.
  std::string reason(const CLI::ParseError& error) const {
    const CLI::App& app = started_app();
    const std::vector<std::string> left = app.remaining(), before = app_.remaining();
    if (const auto option = std::ranges::find_if(left, is_option); option != left.end()) {
      std::vector<std::string> names;
      for (const CLI::Option* known : app.get_options()) {
        for (const std::string& word : known->get_lnames()) names.push_back("--" + word);
      }
      return unknown_word("option", option->substr(0, option->find('=')), names);
    }
    if (const auto option = std::ranges::find_if(before, is_option); option != before.end())
      return "the option " + io::shown(*option) + " comes before the verb; put it after the verb; see";
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return wrong_count(app, error.what()) + "; see";
    if (left.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr)
      return std::string(error.what()) + "; see";
    return "the argument " + io::shown(left.front()) + " is not expected; see";
  }

  /// What is wrong with an option that is given without a value, or too often. `what` begins with its name.
  static std::string wrong_count(const CLI::App& app, const std::string& what) {
    const std::string name = what.substr(0, what.find(':'));
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (!option) return what;
    const bool repeatable = option->get_multi_option_policy() != CLI::MultiOptionPolicy::Throw;
    if (option->count() > 1 && !repeatable)
      return name + ": is given " + std::to_string(option->count()) + " times; give it once";
    return name + ": a value is missing; give " + option->get_type_name();
  }

  /// The CLI::App of the verb if a verb has been parsed, otherwise the main one.
  const CLI::App& started_app() const {
    for (const auto& [command, _] : verbs_) {
      if (command->parsed()) return *command;
    }
    return app_;
  }

  std::string started() const {
    const CLI::App& app = started_app();
    return &app == &app_ ? "sphaera" : "sphaera " + app.get_name();
  }

  CLI::App app_{"", "sphaera"};
  std::vector<std::pair<CLI::App*, std::unique_ptr<Verb>>> verbs_;
};

Exit exit_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::bad_file:
      return Exit::input;
    case ErrorCode::out_of_memory:
    case ErrorCode::io:
      return Exit::resources;
    case ErrorCode::cancelled:
      return Exit::interrupted;
    case ErrorCode::internal:
      break;
  }
  return Exit::internal;
}

}  // namespace

std::string tool_help() {
  return "\nScene files, by extension, each also with .gz behind it:\n" +
         scene_format_list(&io::SceneFormat::content) +
         R"(Text is UTF-8. Ids count from 0 in the order of the file. Every sphere is a closed ball: a touch counts.

Results go to standard output, all else to standard error.

Example:
  sphaera generate crowd --spheres 1e6 --output crowd.npy --rays 1e6 --rays-output rays.npy
  sphaera first crowd.npy --rays rays.npy --output hits.csv --verify 1000
)";
}

Exit run_tool(int argc, char** argv, std::span<const VerbEntry* const> verbs, const std::stop_token& stop) {
  link_last_resort();
  try {
    CommandLine line(verbs, std::span(argv, static_cast<std::size_t>(argc)));
    Verb* verb = line.parse(std::span(argv, static_cast<std::size_t>(argc)));
    if (verb) verb->run(stop);
    note_outputs_complete();
    return Exit::ok;
  } catch (const UsageError& error) {
    say_error(error.what());
    return Exit::usage;
  } catch (const Mismatch& error) {
    say_error_and_rows(error.what());
    return Exit::mismatch;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cancelled) {
      say_interrupted();
    } else {
      say_error(error.what());
    }
    return exit_of(error.code());
  } catch (const std::bad_alloc&) {
    say_error("not enough memory");
    return Exit::resources;
  } catch (const std::exception& error) {
    say_error(fmt::format("internal error: {}; please report it", error.what()));
    return Exit::internal;
  }
}

}  // namespace sphaera::tool
