#pragma once
/// \file `--name value` on the command line of an attack.

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace sphaera::attack {

class Arguments {
 public:
  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; i += 2) {
      if (i + 1 == argc) throw std::runtime_error(std::string(argv[i]) + " needs a value");
      values_[argv[i]] = argv[i + 1];
    }
  }

  bool has(const std::string& name) const { return values_.contains(name); }
  std::string text(const std::string& name, const std::string& fallback) const {
    const auto found = values_.find(name);
    return found == values_.end() ? fallback : found->second;
  }
  std::uint64_t number(const std::string& name, std::uint64_t fallback) const {
    const auto found = values_.find(name);
    return found == values_.end() ? fallback : parsed(found->second);
  }
  /// `--part I/N`, as I − 1 and N.
  std::pair<std::uint64_t, std::uint64_t> part() const {
    const std::string text = this->text("--part", "1/1");
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) throw std::runtime_error("--part is I/N");
    return {std::stoull(text) - 1, std::stoull(text.substr(slash + 1))};
  }

 private:
  /// Digits, or a number such as 1e6.
  static std::uint64_t parsed(const std::string& text) {
    const bool power = text.find_first_of("eE") != std::string::npos;
    return power ? static_cast<std::uint64_t>(std::stod(text)) : std::stoull(text, nullptr, 0);
  }

  std::map<std::string, std::string> values_;
};

}  // namespace sphaera::attack
