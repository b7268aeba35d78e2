/// \file Shards of a result and their manifests, damaged and then merged by the tool's own code, in process.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <tests/attack/escaped.hpp>
#include <tests/attack/readers/heap_limit.hpp>
#include <tests/attack/readers/mutants.hpp>
#include <tools/options/command_line.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::attack {
namespace {

namespace fs = std::filesystem;

constexpr std::array verbs{&tool::first_verb, &tool::generate_verb, &tool::merge_verb};

int run(const std::string& line) {
  std::vector<std::string> words{"sphaera"};
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return static_cast<int>(tool::run_tool(static_cast<int>(words.size()), arguments.data(), verbs, {}));
}

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// In a child: worker threads of a pool do not live on in children that are forked later.
void make_parts(const fs::path& folder, const std::string& extension) {
  const pid_t child = fork();
  if (child == 0) {
    fs::current_path(folder);
    const std::string first = "first s.csv --rays r.csv --quiet --threads 1 --output ";
    bool made =
        run("generate crowd --spheres 40 --output s.csv --rays 7 --rays-output r.csv --threads 1") == 0;
    made = made && run(first + "whole" + extension) == 0;
    for (const char* i : {"1", "2", "3"})
      made = made && run(first + "part" + i + extension + " --shard " + i + "/3") == 0;
    _exit(made ? 0 : 1);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) throw std::runtime_error("cannot make shards");
}

/// Runs with standard error caught.
int run_quietly(const std::string& line, std::string& said) {
  const int kept = dup(STDERR_FILENO), caught = memfd_create("stderr", MFD_CLOEXEC);
  dup2(caught, STDERR_FILENO);
  const int code = run(line);
  std::fflush(stderr);
  dup2(kept, STDERR_FILENO);
  said.resize(static_cast<std::size_t>(lseek(caught, 0, SEEK_END)));
  if (pread(caught, said.data(), said.size(), 0) < 0) said.clear();
  close(kept), close(caught);
  return code;
}

std::size_t rows(const std::string& result, const std::string& extension) {
  return extension == ".npy" ? result.size() : static_cast<std::size_t>(std::ranges::count(result, '\n'));
}

void check_refusal(const std::string& said) {
  const std::string bad = unprintable(said, true);
  const auto fault = [&](const std::string& what) { throw Fault(what + ": " + said); };
  if (!bad.empty()) fault("the message holds " + bad);
  if (!said.starts_with("sphaera: ") || std::ranges::count(said, '\n') != 1) fault("not one message");
  if (said.find("part") == std::string::npos) fault("the message names no part");
}

/// Seven rays give seven rows, whatever happens to the bytes.
void check_merged(const Format& format, std::string_view bytes, const std::string& extension) {
  const std::string whole = contents("whole" + extension), merged = contents("merged" + extension);
  if (rows(merged, extension) != rows(whole, extension))
    throw Fault("parts that do not cover all queries are merged without a word");
  // A JSON file beside a part counts as complete even if the blanks at its end are missing.
  const bool padded = format.file_name.ends_with(".json");
  const std::size_t whole_size =
      padded ? format.files[0].find_last_not_of(" \n") + 1 : format.files[0].size();
  const bool cut = bytes.size() < whole_size && format.files[0].starts_with(bytes);
  if (cut) throw Fault("a file that is cut short is merged");
}

Outcome merge(const Format& format, std::string_view bytes) {
  fs::current_path(format.folder);
  const std::string extension = format.folder.extension();
  write(format.file_name, bytes);
  fs::remove("merged" + extension);
  const std::string parts = "part1" + extension + " part2" + extension + " part3" + extension;
  std::string said;
  const int code = run_quietly("merge " + parts + " --threads 1 --output merged" + extension, said);
  if (code == 0) {
    check_merged(format, bytes, extension);
    return Outcome::accepted;
  }
  if (code != static_cast<int>(tool::Exit::input))
    throw Fault("exit code " + std::to_string(code) + ": " + said);
  check_refusal(said);
  if (fs::exists("merged" + extension)) throw Fault("an output is left behind");
  return Outcome::refused;
}

/// A copy of the folder for each damaged file, so that the rest stays good.
Format format_of(const fs::path& made, const std::string& file, const std::string& extension) {
  const fs::path folder = made.parent_path() / (file + extension);
  fs::copy(made, folder);
  return {"merge_" + file, file, {contents(made / file)}, merge, fs::absolute(folder)};
}

}  // namespace

std::vector<Format> formats_of_attack(const fs::path&, const fs::path& scratch) {
  std::vector<Format> all;
  for (const std::string extension : {".csv", ".jsonl", ".npy"}) {
    const fs::path made = scratch / ("parts" + extension);
    fs::create_directory(made);
    make_parts(fs::absolute(made), extension);
    for (const std::string number : {"1", "2", "3"}) {
      const std::string part = "part" + number + extension;
      for (const auto& entry : fs::directory_iterator(made)) {
        const std::string name = entry.path().filename();
        if (name.starts_with(part)) all.push_back(format_of(made, name, extension));
      }
    }
  }
  std::ranges::sort(all, {}, &Format::name);
  return all;
}

std::uint64_t faults_beforehand() { return 0; }

// Memory is not counted here: the tool has its own operator new.
void watch_heap(std::size_t) {}
void leave_heap() {}
std::size_t heap_peak() { return 0; }

}  // namespace sphaera::attack
