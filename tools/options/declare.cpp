#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/printable.hpp>
#include <tools/options/declare.hpp>
#include <tools/options/shared_options.hpp>

namespace sphaera::tool {

DeclaredOption DeclaredOption::type_name(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

DeclaredOption DeclaredOption::description(const std::string& text) const {
  option_->description(text);
  return *this;
}

DeclaredOption DeclaredOption::required() const {
  option_->required();
  return *this;
}

namespace {

std::string one_word_of(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return words.size() == 1 ? all : "one of " + all;
}

std::string not_possible(const std::string& text, const std::string& wanted,
                         std::span<const std::string> words = {}) {
  return io::shown(text) + " is not possible; " + io::suggested(text, words, "give " + wanted);
}

/// Empty if the text is one of the words.
std::string fault_of(const std::string& text, const std::vector<std::string>& words) {
  const bool known = std::ranges::find(words, text) != words.end();
  return known ? std::string() : not_possible(text, one_word_of(words), words);
}

}  // namespace

DeclaredOption DeclaredOption::needs(const DeclaredOption& other) const {
  option_->needs(other.option_);
  return *this;
}

DeclaredOption DeclaredOption::one_of(const std::vector<std::string>& words) const {
  const auto fault = [words](const std::string& text) { return fault_of(text, words); };
  option_->check(CLI::Validator(fault, "", fmt::format("{}", fmt::join(words, " "))));
  return *this;
}

DeclaredOption DeclaredOption::some_of(const std::vector<std::string>& words) const {
  const auto fault = [words](const std::string& text) {
    for (const std::string& word : split(text)) {
      std::string reason = fault_of(word, words);
      if (!reason.empty()) return reason;
    }
    return std::string();
  };
  option_->check(CLI::Validator(fault, "", fmt::format("{}", fmt::join(words, " "))));
  return *this;
}

std::string words_of(CLI::Option& option) {
  try {
    return option.get_validator(0)->get_name();
  } catch (const CLI::OptionNotFound&) {
    return "";
  }
}

void refuse_value(const std::string& name, const std::string& why) { throw CLI::ValidationError(name, why); }

bool is_numbers(const std::string& text) {
  std::error_code unknown;
  return text.find_first_of("0123456789") != std::string::npos &&
         text.find_first_not_of("0123456789+-.,eE ") == std::string::npos &&
         !std::filesystem::exists(text, unknown);
}

DeclaredOption add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& description) {
  return DeclaredOption(app.add_flag(name, value, description));
}

DeclaredOption add_flag(CLI::App& app, const std::string& name, const std::function<void()>& set,
                        const std::string& description) {
  return DeclaredOption(app.add_flag_callback(name, set, description));
}

DeclaredOption add_text(CLI::App& app, const std::string& name, std::string& value,
                        const std::string& description) {
  return DeclaredOption(app.add_option(name, value, description));
}

DeclaredOption add_file(CLI::App& app, const std::string& name, std::filesystem::path& file,
                        const std::string& description) {
  return DeclaredOption(app.add_option(name, file, description));
}

DeclaredOption add_files(CLI::App& app, const std::string& name, std::vector<std::filesystem::path>& files,
                         const std::string& description) {
  return DeclaredOption(app.add_option(name, files, description));
}

DeclaredOption add_callback(CLI::App& app, const std::string& name,
                            const std::function<void(const std::string&)>& on_text,
                            const std::string& description) {
  return DeclaredOption(app.add_option_function<std::string>(name, on_text, description));
}

DeclaredOption add_repeated(CLI::App& app, const std::string& name,
                            const std::function<void(const std::string&)>& on_text,
                            const std::string& description) {
  const auto on_all = [on_text](const std::vector<std::string>& texts) {
    std::ranges::for_each(texts, on_text);
  };
  return DeclaredOption(app.add_option_function<std::vector<std::string>>(name, on_all, description)
                            ->expected(1)
                            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}

DeclaredOption add_parsed(CLI::App& app, const std::string& name, const std::string& description,
                          const std::string& wanted, const std::function<bool(const std::string&)>& read) {
  return add_callback(
      app, name,
      [=](const std::string& text) {
        if (!read(text)) refuse_value(name, not_possible(text, wanted));
      },
      description);
}

DeclaredOption add_finite(CLI::App& app, const std::string& name, const std::function<void(double)>& set,
                          const std::string& description) {
  return add_parsed(app, name, description, "a finite number",
                    [=](const std::string& text) {
                      double value = 0;
                      if (io::parse_number(text, value) != io::Parse::ok || !std::isfinite(value))
                        return false;
                      set(value);
                      return true;
                    })
      .type_name("T");
}

DeclaredOption add_finite(CLI::App& app, const std::string& name, double& value,
                          const std::string& description) {
  return add_finite(app, name, [&value](double given) { value = given; }, description);
}

DeclaredOption add_amount(CLI::App& app, const std::string& name, const std::string& description, double most,
                          const std::string& wanted, const std::function<void(double)>& set) {
  return add_parsed(app, name, description, wanted, [=](const std::string& text) {
    double value = 0;
    if (io::parse_number(text, value) != io::Parse::ok || !(value >= 0 && value <= most)) return false;
    set(value);
    return true;
  });
}

DeclaredOption add_count(CLI::App& app, const std::string& name,
                         const std::function<void(std::uint64_t)>& set, const std::string& description,
                         std::int64_t least) {
  return add_parsed(app, name, description, fmt::format("an integer, {} or more", least),
                    [=](const std::string& text) {
                      std::int64_t value = 0;
                      if (io::parse_integer(text, value) != io::Parse::ok || value < least) return false;
                      set(static_cast<std::uint64_t>(value));
                      return true;
                    })
      .type_name("N");
}

bool parse_numbers(std::string_view text, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == values.size())) return false;
    if (io::parse_number(io::trimmed(text.substr(0, comma)), values[i]) != io::Parse::ok) return false;
    if (!std::isfinite(values[i])) return false;
    text.remove_prefix(std::min(text.size(), comma + 1));
  }
  return true;
}

void describe(CLI::App& app, const std::string& above, const std::string& below) {
  app.description(above);
  app.footer(below + std::string(exit_codes));
}

}  // namespace sphaera::tool
