/// \file Writes the manual page sphaera.1 and the completion for bash, sphaera, into a folder. Both come from
/// the declarations that `--help` prints.

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <sphaera/version.hpp>
#include <tools/options/command_line.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

/// A verb with its declarations.
struct DeclaredVerb {
  explicit DeclaredVerb(const VerbEntry& entry)
      : name(entry.name), summary(entry.summary), verb(entry.make()) {
    verb->declare(app);
  }

  std::string name, summary;
  CLI::App app;
  std::unique_ptr<Verb> verb;
};

/// Text for roff: a backslash, a hyphen and what begins a request stand for themselves.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) escaped += "\\&";
    if (c == '-') escaped += '\\';
    escaped += c == '\\' ? "\\e" : std::string(1, c);
  }
  return escaped;
}

std::string_view without_outer_newlines(std::string_view text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

std::string as_is(std::string_view text) { return ".nf\n" + roff(without_outer_newlines(text)) + "\n.fi\n"; }

/// "--rays FILE", "--quiet", "SCENE", as `--help` shows an option.
std::string shown(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames()) text += "-" + name + ", ";
  if (option.get_positional()) return option.get_name();
  for (const std::string& name : option.get_lnames()) text += "--" + name + ", ";
  text.resize(text.size() - 2);
  return option.get_items_expected_max() == 0 ? text : text + " " + option.get_type_name();
}

std::string manual_of(DeclaredVerb& verb) {
  std::string text =
      fmt::format(".SS {}\n{}\n", roff(verb.name), roff(without_outer_newlines(verb.app.get_description())));
  for (const CLI::Option* option : verb.app.get_options())
    text += fmt::format(".TP\n.B {}{}\n{}\n", roff(shown(*option)),
                        option->get_required() ? " (required)" : "", roff(option->get_description()));
  std::string footer = verb.app.get_footer();
  if (footer.ends_with(exit_codes)) footer.resize(footer.size() - exit_codes.size());
  return text + ".PP\n" + as_is(footer);
}

std::string manual(std::vector<std::unique_ptr<DeclaredVerb>>& verbs) {
  std::string text = fmt::format(
      ".TH SPHAERA 1 \"\" \"sphaera {}\"\n.SH NAME\nsphaera \\- exact, fast queries on large scenes of "
      "spheres\n"
      ".SH SYNOPSIS\n.B sphaera\n.I VERB\n.RI [ OPTIONS ]\n.br\n.B sphaera\n\\-\\-version\n.SH DESCRIPTION\n",
      SPHAERA_VERSION);
  text += as_is(tool_help()) + ".SH VERBS\n";
  for (const auto& verb : verbs) text += manual_of(*verb);
  return text + ".SH EXIT STATUS\n" + as_is(exit_codes.substr(exit_codes.find(':') + 1));
}

/// What completes the value of an option, in words of bash.
std::string completed_by(CLI::Option& option) {
  if (option.get_type_name().starts_with("FILE")) return "_filedir;";
  const std::string words = words_of(option);
  return words.empty() ? "" : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"));", words);
}

std::string completion(std::vector<std::unique_ptr<DeclaredVerb>>& verbs) {
  std::string names, cases;
  for (const auto& verb : verbs) {
    std::string options, values;
    for (CLI::Option* option : verb->app.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        options += (options.empty() ? "--" : " --") + name;
        if (option->get_items_expected_max() > 0)
          values += fmt::format("        --{}) {} return ;;\n", name, completed_by(*option));
      }
    }
    names += (names.empty() ? "" : " ") + verb->name;
    cases += fmt::format("    {})\n      options='{}'\n      case $prev in\n{}      esac ;;\n", verb->name,
                         options, values);
  }
  return fmt::format(R"(# bash completion for sphaera
_sphaera() {{
  local cur prev words cword options
  _init_completion || return
  if [ "$cword" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} help --help --version' -- "$cur"))
    return
  fi
  case ${{words[1]}} in
    help) COMPREPLY=($(compgen -W '{}' -- "$cur")) && return ;;
{}    *) return ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) _filedir ;;
  esac
}} &&
  complete -F _sphaera sphaera
)",
                     names, names, cases);
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
}

void write_manual(const std::string& folder) {
  std::vector<std::unique_ptr<DeclaredVerb>> verbs;
  verbs.reserve(every_verb.size());
  for (const VerbEntry* entry : every_verb) verbs.push_back(std::make_unique<DeclaredVerb>(*entry));
  write_file(folder + "/sphaera.1", manual(verbs));
  write_file(folder + "/sphaera", completion(verbs));
}

}  // namespace
}  // namespace sphaera::tool

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: sphaera_manual FOLDER\n", stderr);
    return 2;
  }
  try {
    sphaera::tool::write_manual(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sphaera_manual: %s\n", error.what());
    return 1;
  }
}
