#include <algorithm>
#include <io/formats/numbers.hpp>
#include <io/scene/atom_radii.hpp>
#include <io/scene/atoms.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/printable.hpp>

namespace sphaera::io {
namespace {

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
constexpr std::string_view digits = "0123456789";

std::string_view letters_of(std::string_view word) {
  return word.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(word, is_letter) - word.begin()));
}

/// Ions as force fields call them.
struct Ion {
  std::string_view name, symbol;
};
constexpr std::array ions{Ion{"SOD", "Na"}, Ion{"POT", "K"},  Ion{"CLA", "Cl"},
                          Ion{"CAL", "Ca"}, Ion{"CES", "Cs"}, Ion{"LIT", "Li"},
                          Ion{"RUB", "Rb"}, Ion{"BAR", "Ba"}, Ion{"CAD", "Cd"}};

/// Atomic number of "Fe", "FE", "Fe3+", "C12" or "26"; 0: none.
int element_of(std::string_view word) {
  if (const int number = atomic_number(letters_of(word))) return number;
  std::int64_t number = 0;
  const bool is_number = !word.empty() && word.find_first_not_of(digits) == std::string_view::npos;
  if (is_number && parse_integer(word, number) == Parse::ok && number <= element_count)
    return static_cast<int>(number);
  return 0;
}

}  // namespace

int guessed_element(std::string_view name, std::string_view residue) {
  name.remove_prefix(std::min(name.find_first_not_of(digits), name.size()));
  const std::string_view word = letters_of(name);
  if (word == letters_of(residue)) {
    const auto ion = std::ranges::find(ions, word, &Ion::name);
    if (const int number = atomic_number(ion == ions.end() ? word : ion->symbol)) return number;
  }
  const std::string_view two = word.substr(0, 2);
  if (two == "CL" || two == "BR" || (two.size() == 2 && two[1] >= 'a'))
    if (const int number = atomic_number(two)) return number;
  return atomic_number(word.substr(0, 1));
}

double atom_number(std::string_view text, const LineReader& lines, std::string_view what) {
  double value = 0;
  const Parse parse = parse_number(text, value);
  if (parse == Parse::ok) [[likely]]
    return value;
  fail(lines.name(), lines.number(),
       std::string(what) + ' ' + shown(text) +
           (parse == Parse::malformed ? " is not a number; is the file damaged, or its columns shifted?"
                                      : " is beyond the range of a double"));
}

AtomScene::AtomScene(const SceneInput& input, SceneBuilder& builder, const LineReader& lines,
                     const AtomUnit& unit)
    : input_(input), builder_(builder), lines_(lines), unit_(unit), frames_(input, builder) {
  layer_of_element_.fill(-1);
  builder.unit(unit.name, {lines.name(), 1});
  builder.warn(input.radii.unit_doubt(unit.name, unit.hundredths, lines.name()));
}

bool AtomScene::next_frame() {
  const bool more = frames_.next(lines_.name());
  if (more) left_out_ = alternatives_ = 0, guessed_.reset();
  return more;
}

void AtomScene::add(const Atom& atom) {
  const bool guess = atom.element.empty();
  const int element = guess ? guessed_element(atom.name, atom.residue) : element_of(atom.element);
  last_line_ = lines_.number();
  if (is_alternative(atom)) {
    ++alternatives_;
    return;
  }
  const double radius = radius_of(atom, element);
  if (radius == 0) {
    ++left_out_;
    return;
  }
  if (guess || atom.is_guess) guessed_.set(static_cast<std::size_t>(element));
  builder_.sphere({atom.center, radius}, layer_of(atom, element), place());
  if (atom.velocity) builder_.velocity(*atom.velocity, place());
  name(atom);
}

bool AtomScene::is_alternative(const Atom& atom) {
  if (atom.residue_number != residue_number_ || atom.chain != chain_)
    residue_number_ = atom.residue_number, chain_ = atom.chain, location_.clear();
  if (atom.location.empty()) return false;
  if (location_.empty()) location_ = atom.location;
  return atom.location != location_;
}

double AtomScene::radius_of(const Atom& atom, int element) const {
  if (atom.radius) return *atom.radius;
  const AtomRadii& radii = input_.radii;
  if (const auto radius = radii.of_word(atom.name)) return *radius;
  if (const auto radius = radii.of_word(atom.element)) return *radius;
  if (const auto radius = radii.of_element(element)) return *radius;
  if (input_.options.radius) return *input_.options.radius;
  if (const int radius = element > 0 ? van_der_waals_radius(element) : 0) return radius / unit_.hundredths;
  const std::string_view word = atom.element.empty() ? atom.name : atom.element;
  if (word.empty()) fail(place().name, place().line, "the atom has no element; give --radius R for all");
  fail(place().name, place().line,
       (atom.element.empty() ? "atom " : "element ") + shown(word) +
           " has no known radius; give --radii FILE, a CSV element,radius with a row for it, or --radius R");
}

int AtomScene::layer_of(const Atom& atom, int element) {
  if (!input_.layer.empty()) return layer(input_.layer);
  switch (input_.options.layer_by) {
    case AtomLayers::chain:
      return layer(atom.chain);
    case AtomLayers::residue:
      return layer(atom.residue);
    case AtomLayers::none:
      return layer({});
    case AtomLayers::element:
      break;
  }
  if (element == 0) return layer(atom.element.empty() ? atom.name : atom.element);
  int& known = layer_of_element_[static_cast<std::size_t>(element)];
  if (known < 0) known = layer(element_symbol(element));
  return known;
}

int AtomScene::layer(std::string_view name) {
  if (last_layer_number_ >= 0 && last_layer_ == name) [[likely]]
    return last_layer_number_;
  check_text(name);
  last_layer_number_ = builder_.layer(
      name, place(), "; give --layer-by none, or another; owners, of any number: --owner-by chain");
  last_layer_ = name;
  return last_layer_number_;
}

/// "A:LEU42:CA", without what the file does not give.
void AtomScene::name(const Atom& atom) {
  name_.assign(atom.chain);
  if (!atom.residue.empty() || !atom.residue_number.empty())
    ((name_ += name_.empty() ? "" : ":") += atom.residue) += atom.residue_number;
  if (!atom.name.empty()) (name_ += name_.empty() ? "" : ":") += atom.name;
  if (name_.empty()) return;
  check_text(name_);
  builder_.name(name_);
}

void AtomScene::check_text(std::string_view text) const {
  const bool ascii = std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
  if (!ascii && find_bad_utf8(text) != std::string_view::npos)
    fail(place().name, place().line,
         "the name " + shown(text) + " is not UTF-8; convert the file (iconv -f LATIN1 -t UTF-8)");
}

void AtomScene::finish(const std::string& what) {
  frames_.finish(place(), what);
  std::string symbols;
  for (int i = 1; i <= element_count; ++i)
    if (guessed_[static_cast<std::size_t>(i)]) (symbols += symbols.empty() ? "" : ", ") += element_symbol(i);
  if (!symbols.empty())
    builder_.warn(lines_.name() + ": elements are guessed from the names of atoms: " + symbols);
  if (alternatives_ > 0)
    builder_.warn(lines_.name() +
                  ": atoms at alternative locations after the first of their residue left out: " +
                  std::to_string(alternatives_));
  if (left_out_ > 0)
    builder_.warn(lines_.name() + ": atoms of radius 0 left out: " + std::to_string(left_out_));
  if (lines_.ends_inside_line() && last_line_ == lines_.number())
    builder_.warn(last_line_warning(lines_.name()));
}

}  // namespace sphaera::io
