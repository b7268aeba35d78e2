#include <algorithm>
#include <tests/attack/escaped.hpp>
#include <tests/attack/tool/attack.hpp>

namespace sphaera::attack {
namespace {

namespace fs = std::filesystem;

std::string fault_in(const std::string& name, const std::string& bytes, const ToolCall& call,
                     const Files& before, FilesAfter left) {
  const auto wanted = call.files.find(name);
  const auto old = before.find(name);
  const bool is_whole = wanted != call.files.end() && lasting(bytes) == lasting(wanted->second);
  const bool is_old = old != before.end() && bytes == old->second;
  if (wanted == call.files.end()) return "leaves a file behind: " + name;
  if (left == FilesAfter::complete) return is_whole ? "" : name + " is not what it must be";
  if (left == FilesAfter::unchanged) return is_old ? "" : name + " has changed or appeared";
  return is_whole || is_old ? "" : name + " is neither the old nor the whole new file";
}

bool may_be_missing(const std::string& name, const Files& before, FilesAfter left) {
  return left != FilesAfter::complete && !before.contains(name);
}

}  // namespace

Files write_old_files(const ToolCall& call, const fs::path& work) {
  Files files;
  for (const auto& [name, _] : call.files) {
    files[name] = "an older file\n";
    write_file(work / name, files[name]);
  }
  return files;
}

std::string fault_in_files(const ToolCall& call, const Files& before, const fs::path& work, FilesAfter left,
                           std::vector<std::string>* temporaries) {
  const Files now = files_of(work);
  for (const auto& [name, bytes] : now) {
    if (temporaries && !call.files.contains(name)) {
      temporaries->push_back(name);
      continue;
    }
    const std::string fault = fault_in(name, bytes, call, before, left);
    if (!fault.empty()) return fault;
  }
  for (const auto& [name, _] : call.files) {
    if (!now.contains(name) && !may_be_missing(name, before, left)) return name + " is missing";
  }
  return {};
}

std::string fault_in_message(const Ended& ended) {
  const std::string bad = unprintable(ended.err, true);
  if (!bad.empty()) return "standard error gets " + bad;
  if (ended.code > 0 && ended.err.empty()) return "no message";
  for (std::size_t at = 0; at < ended.err.size();) {
    const std::size_t end = std::min(ended.err.find('\n', at), ended.err.size() - 1);
    if (ended.err.compare(at, 9, "sphaera: ") != 0 && ended.err.compare(at, 11, "Fontconfig ") != 0)
      return "a line of standard error is no message of the tool";
    at = end + 1;
  }
  return {};
}

}  // namespace sphaera::attack
