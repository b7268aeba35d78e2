#include <algorithm>
#include <array>
#include <limits>
#include <tools/report/known_columns.hpp>

namespace sphaera::tool {
namespace {

constexpr std::array<std::string_view, 10> query_columns{"ray",    "star",     "point",    "ball", "bullet",
                                                         "bounce", "receiver", "observer", "from", "to"};
constexpr std::array<std::string_view, 7> known_sphere_columns{"sphere", "other",    "hider",      "of",
                                                               "body",   "dominant", "miss_sphere"};
constexpr std::array<std::string_view, 15> place_columns{
    "x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz", "cx", "cy", "cz", "exit_x", "exit_y", "exit_z"};

struct Words {
  std::string_view column;
  ExtremeWords words;
};
constexpr std::array extremes{Words{"area", {"most exposed", "least exposed"}},
                              Words{"share", {"greatest share exposed", "least share exposed"}},
                              Words{"open", {"most open", "most hidden"}},
                              Words{"open_by_cosine", {"most open, by cosine", "most hidden, by cosine"}},
                              Words{"fraction", {"least shadowed", "most shadowed"}},
                              Words{"flux", {"brightest", "darkest"}},
                              Words{"irradiance", {"brightest", "darkest"}},
                              Words{"magnitude", {"deepest eclipse", "shallowest eclipse"}},
                              Words{"distance", {"farthest", "nearest"}},
                              Words{"count", {"most", "fewest"}},
                              Words{"seen", {"see most", "see least"}},
                              Words{"gap", {"widest gaps", "deepest overlaps"}},
                              Words{"t_enter", {"hit last along the ray", "hit first along the ray"}},
                              Words{"time", {"latest", "earliest"}}};

struct Question {
  std::string_view text;
  std::array<std::string_view, 4> columns;  // may end in empty ones
};
/// The first whose columns are all there counts.
constexpr std::array questions{
    Question{"shoot: what bullets hit", {"bullet", "sphere", "outcome"}},
    Question{"shoot: what bullets hit", {"bullet", "bounce", "sphere"}},
    Question{"eclipse: contacts of bodies with stars", {"star", "time", "body", "before"}},
    Question{"eclipse: from first to last contact, a row an eclipse",
             {"star", "body", "greatest", "magnitude"}},
    Question{"map: starlight over a surface", {"receiver", "fraction"}},
    Question{"starlight: how much of each star is seen", {"star", "fraction"}},
    Question{"sky: how much of the sky is open", {"point", "open"}},
    Question{"exposed: which area lies in no other sphere", {"sphere", "area", "share"}},
    Question{"exposed: which area lies in no other sphere, added up", {"spheres", "exposed", "area"}},
    Question{"visibility: which targets each point sees", {"from", "to"}},
    Question{"visibility: which spheres each point sees", {"from", "sphere"}},
    Question{"visibility: how many targets each point sees", {"from", "count"}},
    Question{"blocked: does a sphere block the ray", {"ray", "blocked"}},
    Question{"first: what is hit first", {"ray", "sphere", "t_enter", "x"}},
    Question{"all: what is hit, in order", {"ray", "sphere", "t_enter"}},
    Question{"contacts: pairs of spheres that touch, or almost", {"sphere", "other", "gap"}},
    Question{"contacts: how many spheres each sphere touches, or almost", {"sphere", "count"}},
    Question{"nearest: which surfaces are nearest", {"point", "sphere", "distance"}},
    Question{"nearest or within: spheres near each sphere", {"of", "sphere", "distance"}},
    Question{"within: what touches a ball", {"ball"}},
    Question{"within or visibility: pairs of spheres", {"of", "sphere"}},
    Question{"within or visibility: how many spheres, for each sphere", {"of", "count"}}};

bool is_listed(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

Role role_of(std::string_view column) {
  if (is_listed(column, query_columns)) return Role::query;
  if (is_listed(column, known_sphere_columns)) return Role::sphere;
  if (is_listed(column, place_columns)) return Role::place;
  constexpr std::string_view suffix = "_name";
  if (column.ends_with(suffix) &&
      is_listed(column.substr(0, column.size() - suffix.size()), known_sphere_columns))
    return Role::name;
  return Role::measure;
}

bool is_subject(std::string_view column) {
  constexpr std::array<std::string_view, 3> causes{"hider", "dominant", "miss_sphere"};
  const Role role = role_of(column);
  return role == Role::query || (role == Role::sphere && !is_listed(column, causes));
}

bool may_name_rows(std::string_view column) {
  constexpr std::array<std::string_view, 9> words{"light",  "phase", "contact",  "exposure", "outcome",
                                                  "before", "after", "relation", "layer"};
  return role_of(column) == Role::measure && !is_listed(column, words) &&
         (!column.ends_with("_date") || column == "greatest_date");
}

bool is_additive(std::string_view column) {
  constexpr std::array<std::string_view, 5> sums{"area", "count", "hits", "chords", "inside"};
  return is_listed(column, sums);
}

ExtremeWords extreme_words(std::string_view column) {
  const auto found = std::ranges::find(extremes, column, &Words::column);
  return found == extremes.end() ? ExtremeWords{"greatest", "least"} : found->words;
}

std::string_view question_of(std::span<const std::string> columns) {
  for (const Question& question : questions) {
    if (std::ranges::all_of(question.columns,
                            [&](std::string_view name) { return name.empty() || is_listed(name, columns); }))
      return question.text;
  }
  return "";
}

double greatest_shown(std::string_view column) {
  // A body k times as wide as its star has a magnitude of (1 + k) / 2 at most; the ground below an observer
  // has hundreds.
  constexpr double eclipse = 10;
  return column == "magnitude" ? eclipse : std::numeric_limits<double>::infinity();
}

std::string_view curve_column(std::span<const std::string> columns) {
  constexpr std::array<std::string_view, 9> main_numbers{"flux", "fraction", "open",    "area", "count",
                                                         "gap",  "distance", "t_enter", "hits"};
  const bool has_contacts = is_listed("before", columns);  // eclipse: a row has a time of its own
  if (!is_listed("time", columns) || has_contacts || sum_keys(columns) > 0) return "";
  const auto found =
      std::ranges::find_if(main_numbers, [&](std::string_view number) { return is_listed(number, columns); });
  return found == main_numbers.end() ? "" : *found;
}

std::size_t sum_keys(std::span<const std::string> columns) {
  constexpr std::array<std::string_view, 4> of_exposed{"spheres", "exposed", "area", "share"};
  if (columns.size() > of_exposed.size() &&
      std::ranges::equal(columns.subspan(1, of_exposed.size()), of_exposed))
    return 1;
  constexpr std::array<std::string_view, 2> behind_keys{"rows", "share"};
  const auto found = std::search(columns.begin(), columns.end(), behind_keys.begin(), behind_keys.end());
  return found == columns.end() ? 0 : static_cast<std::size_t>(found - columns.begin());
}

}  // namespace sphaera::tool
