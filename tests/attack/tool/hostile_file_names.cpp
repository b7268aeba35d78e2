/// \file Hostile names of outputs and inputs.

#include <tests/attack/formats.hpp>
#include <tests/attack/tool/names.hpp>

namespace sphaera::attack {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 255;  // bytes, of a file on Linux

const char* const bad_scene = "x,y,z,r\n0,0,0,1\n0,0,zero,1\n";

std::string long_name(std::size_t size, const std::string& extension) {
  return std::string(size - extension.size(), 'n') + extension;
}

std::vector<std::string> hostile_names(const std::string& extension) {
  std::vector<std::string> names;
  for (const std::string& word : hostile_words()) names.push_back(word + extension);
  for (const char* start : {"-dash", "--quiet", "-", "~", "a b", ".hidden", "*"})
    names.push_back(start + extension);
  for (const std::size_t size : {longest_name - 30, longest_name - 8, longest_name - 1, longest_name})
    names.push_back(long_name(size, extension));
  return names;
}

/// A good name, however strange: the file appears under it.
Case output_case(const AttackSetup& setup, const std::string& name) {
  const ToolCall& call = call_named(setup, "blocked");
  Case one{"output name", {.arguments = call.words(false)}};
  one.launch.arguments.push_back("--output=" + name);
  const fs::path work = setup.folder / "work";
  one.check = [&call, name, work](const Ended& ended) -> std::string {
    if (const std::string fault = code_is(ended, {0}); !fault.empty()) return fault;
    const Files files = files_of(work);
    const bool right = files.size() == 1 && files.begin()->first == name;
    if (!right) return "the output has not appeared under its name, or others have";
    return files.begin()->second == call.files.begin()->second ? "" : "the output is not what it must be";
  };
  return one;
}

/// A name under which nothing can be written: no file appears.
Case no_output_case(const AttackSetup& setup, const std::string& name) {
  Case one{"no output name", {.arguments = call_named(setup, "blocked").words(false)}};
  one.launch.arguments.push_back("--output=" + name);
  const fs::path work = setup.folder / "work";
  one.check = [work](const Ended& ended) -> std::string {
    if (!files_of(work).empty()) return "a file has appeared";
    return code_is(ended, {2, 4});
  };
  return one;
}

/// In `arguments`, NAME stands for the name. The file holds `bytes`; if they are empty, it is missing.
Case input_case(const AttackSetup& setup, const std::string& arguments, const std::string& name,
                const std::string& bytes, int code, const std::string& out = {}) {
  ToolCall call{"input", arguments, ""};
  Case one{code == 0 ? "input name" : "name of a bad input", {.arguments = call.words(false)}};
  for (std::string& word : one.launch.arguments) {
    const std::size_t at = word.find("NAME");
    if (at != std::string::npos) word.replace(at, 4, "./" + name);
  }
  const fs::path work = setup.folder / "work";
  one.prepare = [work, name, bytes] {
    if (!bytes.empty()) write_file(work / name, bytes);
  };
  one.check = [code, out](const Ended& ended) -> std::string {
    if (const std::string fault = code_is(ended, {code}); !fault.empty()) return fault;
    return out.empty() || ended.out == out ? "" : "standard output is not what it must be";
  };
  return one;
}

}  // namespace

std::vector<Case> cases_of_output_names(const AttackSetup& setup) {
  std::vector<Case> cases;
  for (const std::string& name : hostile_names(".csv")) cases.push_back(output_case(setup, name));
  for (const std::string& name :
       {long_name(longest_name + 1, ".csv"), long_name(5000, ".csv"), std::string("."), std::string(".."),
        std::string("/"), std::string("nowhere/x.csv"), std::string("../in/s.csv"),
        std::string("../in/r.csv"), std::string("x.csv/"), std::string("x.parquet"), std::string("x.png"),
        std::string("x.json"), std::string("x.ply"), std::string("x.npy.gz"), std::string("/dev/full")})
    cases.push_back(no_output_case(setup, name));
  return cases;
}

std::vector<Case> cases_of_input_names(const AttackSetup& setup) {
  const std::string scene = read_file(setup.folder / "in" / "s.csv"),
                    rays = read_file(setup.folder / "in" / "r.csv");
  const std::string part = read_file(setup.folder / "in" / "part1.csv");
  const std::string out = call_named(setup, "blocked").out;
  std::vector<Case> cases;
  for (const std::string& name : hostile_names(".csv")) {
    const std::string of_scene = "blocked NAME --rays ../in/r.csv",
                      of_rays = "blocked ../in/s.csv --rays=NAME";
    cases.push_back(input_case(setup, of_scene, name, scene, 0, out));
    cases.push_back(input_case(setup, of_scene, name, bad_scene, 3));
    cases.push_back(input_case(setup, of_scene, name, "", 3));
    cases.push_back(input_case(setup, of_rays, name, rays, 0, out));
    cases.push_back(input_case(setup, of_rays, name, "ox,oy\n", 3));
    cases.push_back(input_case(setup, of_rays, name, "", 3));
    cases.push_back(input_case(setup, "merge ../in/part1.csv NAME", name, "no,part\n", 3));
    cases.push_back(input_case(setup, "merge NAME", name, "", 3));
    cases.push_back(input_case(setup, "eclipse ../in/t.json --path=NAME --from 0 --to 1", name, "t,x\n", 3));
  }
  for (const std::string& extension : scene_extensions()) {
    if (extension == ".csv") continue;  // above
    for (const std::string& name : hostile_names(extension))
      cases.push_back(input_case(setup, "info NAME", name, bad_scene, 3));
  }
  for (const std::size_t size : {longest_name + 1, std::size_t{5000}})
    cases.push_back(input_case(setup, "info NAME", long_name(size, ".csv"), "", 3));
  return cases;
}

}  // namespace sphaera::attack
