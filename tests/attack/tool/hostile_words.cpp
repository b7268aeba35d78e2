/// \file Hostile words within files and on the command line: layers, units, names of bodies, titles, options.

#include <cstdio>
#include <tests/attack/escaped.hpp>
#include <tests/attack/tool/names.hpp>

namespace sphaera::attack {
namespace {

namespace fs = std::filesystem;

std::string json_of(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", byte);
    if (byte < 0x20 || c == '"' || c == '\\') {
      text += code;
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string csv_of(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

/// A scene with the word wherever a JSON scene has a free text.
std::string scene_with(const std::string& word) {
  const std::string text = json_of(word);
  return "{\"sphaera\": 1, \"unit\": " + text +
         ",\n\"stars\": [{\"center\": [0, 0, 9], \"radius\": 1, \"name\": " + text +
         "}],\n\"spheres\": [{\"center\": [0, 0, 0], \"radius\": 1, \"name\": " + text +
         ", \"layer\": " + text + "},\n{\"center\": [0, 0, 0], \"radius\": 1, \"name\": " + text +
         "},\n{\"center\": [0, 0, 9], \"radius\": 3}]}\n";
}

/// Standard output, too, must be fit for a terminal. `file` holds `bytes`.
Case text_case(const AttackSetup& setup, const std::string& what, std::vector<std::string> arguments,
               const std::string& file, const std::string& bytes, std::initializer_list<int> codes) {
  Case one{what, {.arguments = std::move(arguments)}};
  const fs::path work = setup.folder / "work";
  one.prepare = [=] { write_file(work / file, bytes); };
  const std::vector<int> allowed(codes);
  one.check = [allowed](const Ended& ended) -> std::string {
    bool among = false;
    for (const int code : allowed) among = among || ended.code == code;
    if (!among) return "the exit code is wrong (" + ended.how() + ")";
    if (ended.out.starts_with("\x89PNG")) return {};
    const std::string bad = unprintable(ended.out, true);
    return bad.empty() ? "" : "standard output gets " + bad;
  };
  return one;
}

void add_json(std::vector<Case>& cases, const AttackSetup& setup, const std::string& word) {
  const auto add = [&](const char* what, std::vector<std::string> arguments, const std::string& bytes) {
    cases.push_back(text_case(setup, what, std::move(arguments), "s.json", bytes, {0, 2, 3}));
  };
  const std::string scene = scene_with(word), text = json_of(word);
  add("names in info", {"info", "s.json"}, scene);
  add("names in warnings", {"convert", "s.json", "--output", "x.ply"}, scene);
  add("names in notes", {"starlight", "s.json", "--observers", "../in/p.csv", "--quiet", "--output", "x.csv"},
      scene);
  add("names in notes", {"starlight", "s.json", "--observers", "../in/p.csv", "--output", "x.csv"}, scene);
  add("names in a refusal", {"first", "s.json", "--rays", "../in/r.csv", "--layers", "none"}, scene);
  add("names in a refusal", {"map", "s.json", "--globe", word, "--output", "x.png"}, scene);
  add("unit in a picture", {"map", "s.json", "--globe", "2", "--pixels", "9x9", "--output", "x.png"}, scene);
  add("title", {"map", "s.json", "--globe", "2", "--pixels", "9x9", "--output", "x.png", "--title", word},
      scene);
  add("a report", {"report", "s.json", "--title", word}, scene);
  add("key", {"info", "s.json"}, "{\"sphaera\": 1,\n" + text + ": 2}");
  add("file", {"info", "s.json"}, "{\"sphaera\": 1,\n\"files\": [{\"path\": " + text + "}]}");
  add("ephemeris", {"info", "s.json"},
      "{\"sphaera\": 1, \"spheres\": [{\"center\": [0, 0, 0], \"radius\": 1, \"ephemeris\": " + text + "}]}");
  add("a kind that is wrong", {"info", "s.json"}, "{\"sphaera\": " + text + "}");
  add("a star's sphere", {"info", "s.json"}, "{\"sphaera\": 1, \"stars\": [{\"sphere\": " + text + "}]}");
}

void add_others(std::vector<Case>& cases, const AttackSetup& setup, const std::string& word) {
  const auto add = [&](const char* what, std::vector<std::string> arguments, const std::string& bytes) {
    cases.push_back(text_case(setup, what, std::move(arguments), "s.csv", bytes, {0, 2, 3}));
  };
  const std::string scene =
      "x,y,z,r,name,layer\n0,0,0,1," + csv_of(word) + "," + csv_of(word) + "\n0,0,0,1,,\n";
  const std::vector<std::string> first{"first", "s.csv", "--rays", "../in/r.csv", "--output", "x.csv"};
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> all = first;
    all.insert(all.end(), more);
    return all;
  };
  add("layers in info", {"info", "s.csv"}, scene);
  add("layers on the command line", with({"--layers", word}), scene);
  add("a column", first, "x,y,z,r," + csv_of(word) + "\n0,0,0,1,2\n");
  add("a number", first, "x,y,z,r\n0,0,0," + csv_of(word) + "\n");
  add("an option", with({"--" + word}), scene);
  add("an argument", with({word}), scene);
  add("a value", with({"--threads", word}), scene);
  add("a word", with({"--quality", word}), scene);
  add("a format", with({"--format", word}), scene);
  add("a shard", with({"--shard", word}), scene);
  add("a star", {"starlight", "s.csv", "--star", word, "--observers", "../in/p.csv"}, scene);
  add("a verb", {word}, scene);
  add("a kind", {"generate", word, "--spheres", "3"}, scene);
}

}  // namespace

std::vector<Case> cases_of_words(const AttackSetup& setup) {
  std::vector<Case> cases;
  for (const std::string& word : hostile_words()) {
    add_json(cases, setup, word);
    add_others(cases, setup, word);
  }
  return cases;
}

}  // namespace sphaera::attack
