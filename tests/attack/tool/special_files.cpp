/// \file Names that lead to no plain file: folders, links, pipes, devices; and outputs that meet inputs or
/// each other.

#include <sys/stat.h>

#include <tests/attack/formats.hpp>
#include <tests/attack/tool/names.hpp>

namespace sphaera::attack {
namespace {

namespace fs = std::filesystem;

/// Writes the output of `blocked` to `name`, after `prepare` has been called in the folder.
Case to_place(const AttackSetup& setup, const std::string& what, const std::string& name,
              std::function<void()> prepare,
              std::function<std::string(const Ended&, const std::string& whole)> check) {
  const ToolCall& call = call_named(setup, "blocked");
  Case one{what, {.arguments = call.words(false)}};
  one.launch.arguments.insert(one.launch.arguments.end(), {"--output", name});
  one.prepare = std::move(prepare);
  const std::string whole = call.files.begin()->second;
  one.check = [check = std::move(check), whole](const Ended& ended) { return check(ended, whole); };
  return one;
}

void add_links(std::vector<Case>& cases, const AttackSetup& setup) {
  const fs::path work = setup.folder / "work";
  cases.push_back(to_place(
      setup, "link to a file", "link.csv",
      [=] {
        write_file(work / "old.csv", "old\n");
        fs::create_symlink("old.csv", work / "link.csv");
      },
      [=](const Ended& ended, const std::string& whole) -> std::string {
        if (!fs::is_symlink(work / "link.csv")) return "the link is replaced";
        return read_file(work / "old.csv") == whole ? code_is(ended, {0}) : "the link is not followed";
      }));
  cases.push_back(to_place(
      setup, "dangling link", "link.csv", [=] { fs::create_symlink("target.csv", work / "link.csv"); },
      [=](const Ended& ended, const std::string& whole) -> std::string {
        if (!fs::is_symlink(work / "link.csv")) return "the link is replaced";
        const bool written = fs::exists(work / "target.csv") && read_file(work / "target.csv") == whole;
        return ended.code == 0 && !written ? "the link is not followed" : code_is(ended, {0, 2, 4});
      }));
  cases.push_back(to_place(
      setup, "loop of links", "a.csv",
      [=] {
        fs::create_symlink("b.csv", work / "a.csv");
        fs::create_symlink("a.csv", work / "b.csv");
      },
      [=](const Ended& ended, const std::string&) -> std::string {
        return fs::is_symlink(work / "a.csv") ? code_is(ended, {2, 4}) : "the link is replaced";
      }));
}

void add_outputs(std::vector<Case>& cases, const AttackSetup& setup) {
  const fs::path work = setup.folder / "work";
  cases.push_back(to_place(
      setup, "folder", "folder.csv", [=] { fs::create_directory(work / "folder.csv"); },
      [=](const Ended& ended, const std::string&) { return code_is(ended, {2, 4}); }));
  cases.push_back(to_place(setup, "null", "/dev/null", {},
                           [](const Ended& ended, const std::string&) { return code_is(ended, {0}); }));
  for (const char* name :
       {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out.csv", "/dev/stderr", "/proc/self/fd/2"}) {
    const std::string text = name;
    const bool is_err = text.back() == 'r' || text.back() == '2';
    // Standard output (or error) appends to the file `caught`, which the check reads after the run.
    Case one = to_place(
        setup, "standard stream", name,
        [=] {
          write_file(work / "caught", "before\n");
          if (text == "out.csv") fs::create_symlink("/dev/stdout", work / "out.csv");
        },
        [=](const Ended& ended, const std::string& whole) -> std::string {
          const std::string got = read_file(work / "caught");
          if (got != "before\n" + whole) return "the file behind the stream is not what it must be";
          return code_is(ended, {0});
        });
    one.launch.streams[is_err ? 2 : 1] = Stream::file;
    one.launch.files[is_err ? 2 : 1] = work / "caught";
    cases.push_back(one);
  }
}

/// Inputs that never end, are empty or cannot be read must give an error within bounds of time and memory.
void add_inputs(std::vector<Case>& cases, const AttackSetup& setup) {
  const fs::path work = setup.folder / "work";
  const auto add = [&](const char* what, const std::string& target, const std::string& name,
                       const std::string& line) {
    ToolCall call{"", line, ""};
    Case one{what,
             {.arguments = call.words(false), .streams = {Stream::closed, Stream::caught, Stream::caught}}};
    one.prepare = [=] {
      if (target == "folder")
        fs::create_directory(work / name);
      else if (!target.empty())
        fs::create_symlink(target, work / name);
    };
    one.check = [](const Ended& ended) { return code_is(ended, {3, 4}); };
    cases.push_back(one);
  };
  for (const char* target :
       {"/dev/zero", "/dev/null", "folder", "nowhere", "x.csv", "/dev/stdin", "/proc/self/mem"}) {
    for (const std::string& extension : scene_extensions())
      add("special scene", target, "x" + extension, "info x" + extension);
    for (const std::string extension : {"csv", "npy"}) {
      add("special rays", target, "x." + extension, "blocked ../in/s.csv --rays x." + extension);
      add("special part", target, "x." + extension, "merge x." + extension);
    }
    add("special path", target, "x.csv", "eclipse ../in/t.json --path x.csv --from 0 --to 1");
  }
  add("closed input", "", "", "blocked ../in/s.csv --rays -");
  add("closed input", "", "", "nearest ../in/s.csv --points /dev/stdin");
}

/// Two outputs, or an output and an input, that are one file: the command line is wrong, nothing changes.
Case clash(const AttackSetup& setup, const std::string& line) {
  ToolCall call{"", line, ""};
  Case one{"clash", {.arguments = call.words(false)}};
  const fs::path work = setup.folder / "work";
  one.prepare = [work] {
    for (const char* name : {"x.csv", "x.png"}) write_file(work / name, "old\n");
    fs::create_symlink("x.csv", work / "y.csv");
    fs::copy_file(work / ".." / "in" / "k.csv", work / "k.csv");
    fs::create_symlink("k.csv", work / "k.png");
  };
  one.check = [work, bullets = read_file(setup.folder / "in" / "k.csv")](const Ended& ended) -> std::string {
    for (const auto& [name, bytes] : files_of(work)) {
      if (bytes != "old\n" && bytes != bullets) return name + " has changed or appeared";
    }
    return code_is(ended, {2});
  };
  return one;
}

}  // namespace

std::vector<Case> cases_of_special_files(const AttackSetup& setup) {
  std::vector<Case> cases;
  add_links(cases, setup);
  add_outputs(cases, setup);
  add_inputs(cases, setup);
  return cases;
}

std::vector<Case> cases_of_clashes(const AttackSetup& setup) {
  std::vector<Case> cases;
  for (const char* line :
       {"generate crowd --spheres 3 --output x.csv --rays 3 --rays-output x.csv",
        "generate crowd --spheres 3 --output x.csv --rays 3 --rays-output ./x.csv",
        "generate crowd --spheres 3 --output x.csv --rays 3 --rays-output y.csv",
        "generate crowd --spheres 3 --output new.csv --rays 3 --rays-output new.csv",
        "generate crowd --spheres 3 --output new.csv --rays 3 --rays-output ../work/new.csv",
        "generate crowd --spheres 3 --output x.csv --bullets 3 --bullets-output x.csv",
        "generate crowd --spheres 3 --output n.csv --rays 3 --rays-output x.csv --bullets 3 "
        "--bullets-output x.csv",
        "shoot ../in/walk.csv --bullets k.csv --output x.png --picture x.png --format csv",
        "shoot ../in/walk.csv --bullets k.csv --output new.csv --picture k.png"})
    cases.push_back(clash(setup, line));
  return cases;
}

}  // namespace sphaera::attack
