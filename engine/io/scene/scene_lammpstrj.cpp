#include <algorithm>
#include <array>
#include <base/validate.hpp>
#include <charconv>
#include <io/formats/lattice.hpp>
#include <io/formats/number_fault.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/frames.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/sphere_columns.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/line_reader.hpp>
#include <io/streams/machine_memory.hpp>
#include <io/streams/printable.hpp>
#include <unordered_map>

namespace sphaera::io {
namespace {

/// The edges of the periodic box and its corner.
struct Box {
  Vec3 origin{}, a{}, b{}, c{};

  std::array<bool, 3> has_period{};

  Lattice edges() const {
    return {has_period[0] ? a : Vec3{}, has_period[1] ? b : Vec3{}, has_period[2] ? c : Vec3{}};
  }
  Vec3 place_of(const Vec3& scaled) const { return origin + scaled.x * a + scaled.y * b + scaled.z * c; }
};

/// Of a title such as "BOX BOUNDS xy xz yz pp pp ff"; old dumps, without the last words, had periods alone.
std::array<bool, 3> periods_in(std::string_view title) {
  std::array<bool, 3> found{true, true, true};
  std::size_t axis = 0;
  for (std::string_view word = take_word(title); !word.empty(); word = take_word(title))
    if (word.size() == 2 && std::string_view("pfsm").find(word[0]) != std::string_view::npos && axis < 3)
      found[axis++] = word[0] == 'p';
  return found;
}

struct Particle {
  std::int64_t id;
  Sphere sphere;
  Vec3 velocity;
  std::uint32_t layer, name;  // words of the frame
  std::uint64_t line;
};

/// Different words, numbered.
class Words {
 public:
  std::size_t size() const { return all_.size(); }
  const std::string& operator[](std::uint32_t number) const { return all_[number]; }
  std::uint32_t number_of(std::string_view word) {
    if (!all_.empty() && all_[last_] == word) return last_;
    const auto [found, is_new] =
        numbers_.try_emplace(std::string(word), static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.emplace_back(word);
    return last_ = found->second;
  }

 private:
  std::vector<std::string> all_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint32_t last_ = 0;
};

/// A frame before its atoms are in order.
struct Frame {
  std::vector<Particle> atoms;
  Words layers, names;
  bool has_ids = false, has_velocities = false, has_names = false;
};

class Dump {
 public:
  Dump(ByteSource& source, const SceneInput& input, SceneBuilder& builder)
      : file_(source, "LAMMPS dump"), input_(input), builder_(builder) {}

  /// Reads the header of a frame up to the atoms. Returns false at the end of the file.
  bool next_header();
  void read_atoms(Frame& frame);
  void skip_atoms();

  FileLine place() const { return {file_.name(), std::max<std::uint64_t>(file_.number(), 1)}; }
  bool ends_inside_line() const { return file_.ends_inside_line(); }

 private:
  std::string_view line();
  void read_box(std::string_view title);
  void find_columns();
  double number(std::string_view text, std::string_view column) const;
  std::string_view name_of(std::size_t column) const {
    return names_[static_cast<std::size_t>((*columns_)[column])];
  }
  void read_atom(Frame& frame, Particle& atom);
  std::uint32_t number_of(std::string_view word, Words& words) const;
  [[noreturn]] void refuse(const std::string& what) const { fail(file_.name(), place().line, what); }

  LineReader file_;
  const SceneInput& input_;
  SceneBuilder& builder_;
  std::uint64_t atoms_ = 0;
  Box box_;
  std::string header_, known_header_;    // the names of the columns: of this frame, of columns_
  std::vector<std::string_view> names_;  // in known_header_
  std::optional<SphereColumns> columns_;
  std::vector<std::string_view> words_;  // of an atom's line
  int id_ = -1;
  bool scaled_ = false;
};

std::string_view Dump::line() {
  std::string_view text;
  if (!file_.line(text)) refuse("the file ends inside a frame; it is cut short");
  return text;
}

bool Dump::next_header() {
  std::string_view text;
  do {
    if (!file_.line(text)) {
      if (file_.number() == 0) refuse("this is not a LAMMPS dump; the file is empty");
      return false;
    }
  } while (trimmed(text).empty());
  bool counted = false;
  for (box_ = {};; text = line()) {
    constexpr std::string_view item = "ITEM: ", atoms = "ATOMS";
    if (!text.starts_with(item))
      refuse("this is not a LAMMPS dump; " + shown(text) + " stands where a line begins with 'ITEM: '");
    const std::string_view title = text.substr(item.size());
    if (title == "NUMBER OF ATOMS") {
      const std::string_view count = trimmed(line());
      const auto [stop, error] = std::from_chars(count.data(), count.data() + count.size(), atoms_);
      if (error != std::errc{} || stop != count.data() + count.size() || count.empty())
        refuse("the number of atoms is " + shown(count) + "; it must be a whole number from 0");
      counted = true;
    } else if (title.starts_with("BOX BOUNDS")) {
      read_box(std::string(title));
    } else if (title.starts_with(atoms)) {
      if (!counted) refuse("'ITEM: NUMBER OF ATOMS' is missing before the atoms");
      header_ = title.substr(atoms.size());
      return true;
    } else {  // TIMESTEP, TIME, UNITS
      line();
    }
  }
}

/// The bounds are those of the box of a tilted box: they are taken back by the tilts.
void Dump::read_box(std::string_view title) {
  std::array<std::array<double, 4>, 3> rows{};
  const bool tilted = title.find("xy xz yz") != std::string_view::npos,
             general = title.find("abc origin") != std::string_view::npos;
  for (auto& row : rows) {
    std::string_view text = line();
    for (std::size_t i = 0; i < (general ? 4U : tilted ? 3U : 2U); ++i)
      row[i] = number(take_word(text), "of the box");
  }
  if (general) {
    const auto edge = [&](std::size_t i) { return Vec3{rows[i][0], rows[i][1], rows[i][2]}; };
    box_ = {{rows[0][3], rows[1][3], rows[2][3]}, edge(0), edge(1), edge(2), periods_in(title)};
    return;
  }
  const double xy = rows[0][2], xz = rows[1][2], yz = rows[2][2];
  const Vec3 low{rows[0][0] - std::min({0.0, xy, xz, xy + xz}), rows[1][0] - std::min(0.0, yz), rows[2][0]};
  const Vec3 high{rows[0][1] - std::max({0.0, xy, xz, xy + xz}), rows[1][1] - std::max(0.0, yz), rows[2][1]};
  box_ = {low, {high.x - low.x, 0, 0}, {xy, high.y - low.y, 0}, {xz, yz, high.z - low.z}, periods_in(title)};
}

double Dump::number(std::string_view text, std::string_view column) const {
  double value = 0;
  const Parse parsed = parse_number(text, value);
  if (parsed == Parse::ok) return value;
  refuse("column " + shown(column) + ": " + shown(text) + ' ' + number_fault(parsed));
}

/// Places are x, y, z or, with these endings, unwrapped, scaled by the box, or both.
void Dump::find_columns() {
  if (columns_ && header_ == known_header_) return;
  known_header_ = header_;
  names_.clear();
  std::string_view rest = known_header_;
  for (std::string_view name = take_word(rest); !name.empty(); name = take_word(rest)) names_.push_back(name);
  words_.resize(names_.size());
  const auto position = [&](const std::string& name) {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
  };
  ColumnTerms terms{"column", "columns", "", {{"r", "radius"}, {"name", "id"}, {"layer", "type"}}, true};
  for (const std::string ending : {"", "u", "s", "su"}) {
    if (position("x" + ending) < 0 || position("y" + ending) < 0 || position("z" + ending) < 0) continue;
    for (const std::string axis : {"x", "y", "z"}) terms.standard.push_back({axis, axis + ending});
    break;
  }
  columns_.emplace(names_, terms, input_, place(), builder_);
  scaled_ = name_of(SphereColumns::x).starts_with("xs");
  id_ = position("id");
}

std::uint32_t Dump::number_of(std::string_view word, Words& words) const {
  const std::size_t known = words.size();
  const std::uint32_t number = words.number_of(word);
  if (words.size() > known && find_bad_utf8(word) != std::string_view::npos)
    refuse("type " + shown(word) + " is not UTF-8");
  return number;
}

void Dump::read_atom(Frame& frame, Particle& atom) {
  std::string_view text = line();
  for (std::string_view& word : words_) {
    word = take_word(text);
    if (word.empty()) refuse("the row has fewer values than 'ITEM: ATOMS' names columns");
  }
  if (!take_word(text).empty()) refuse("the row has more values than 'ITEM: ATOMS' names columns");
  const auto word = [&](int column) { return words_[static_cast<std::size_t>(column)]; };
  const SphereColumns& columns = *columns_;
  SphereColumns::Values values{};
  for (std::size_t i = 0; i < SphereColumns::numbers; ++i)
    if (columns.has(i)) values[i] = number(word(columns[i]), name_of(i));
  atom.sphere = columns.sphere(values), atom.velocity = SphereColumns::velocity(values);
  if (scaled_) atom.sphere.center = box_.place_of(atom.sphere.center);
  if (id_ >= 0 && parse_integer(word(id_), atom.id) != Parse::ok)
    refuse("column 'id': " + shown(word(id_)) + " is not a whole number");
  const auto text_of = [&](std::size_t i) { return columns.has(i) ? word(columns[i]) : std::string_view{}; };
  atom.layer = number_of(text_of(SphereColumns::layer), frame.layers);
  if (frame.has_names) atom.name = number_of(text_of(SphereColumns::name), frame.names);
  atom.line = file_.number();
}

void Dump::read_atoms(Frame& frame) {
  frame = {};
  find_columns();
  if (is_valid(box_.edges()) && base::in_domain(box_.origin))
    builder_.scene().box = box_.edges(), builder_.scene().box_corner = box_.origin;
  frame.has_ids = id_ >= 0, frame.has_velocities = columns_->has_velocity();
  frame.has_names = columns_->has(SphereColumns::name) && name_of(SphereColumns::name) != "id";
  for (std::uint64_t i = 0; i < atoms_; ++i) {
    Particle atom{};
    read_atom(frame, atom);
    check_growth(frame.atoms, 0, file_.name());
    frame.atoms.push_back(atom);
  }
}

void Dump::skip_atoms() {
  for (std::uint64_t i = 0; i < atoms_; ++i) line();
}

void order_by_id(std::vector<Particle>& atoms, const std::string& name) {
  if (!std::ranges::is_sorted(atoms, {}, &Particle::id)) std::ranges::stable_sort(atoms, {}, &Particle::id);
  const auto twice = std::ranges::adjacent_find(atoms, {}, &Particle::id);
  if (twice != atoms.end())
    fail(name, twice[1].line, "atom " + std::to_string(twice->id) + " comes twice in this frame");
}

}  // namespace

void read_lammpstrj_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  Dump dump(source, input, builder);
  const std::string& name = source.name();
  Frame frame;
  Frames frames(input, builder);
  while (dump.next_header() && frames.next(name)) {
    if (frames.wanted())
      dump.read_atoms(frame);
    else
      dump.skip_atoms();
  }
  frames.finish(dump.place(), "'ITEM: TIMESTEP'");
  if (dump.ends_inside_line()) builder.warn(last_line_warning(name));
  if (frame.has_ids) order_by_id(frame.atoms, name);
  const bool by_type = input.layer.empty() && input.options.layer_by != AtomLayers::none;
  if (frame.atoms.empty()) builder.layer(input.layer, dump.place());
  builder.reserve(frame.atoms.size(), frame.has_velocities, name);
  for (const Particle& atom : frame.atoms) {
    const FileLine place{name, atom.line};
    const int layer = builder.layer(by_type ? frame.layers[atom.layer] : input.layer, place,
                                    "; give --layer-by none, or another --columns layer=NAME");
    builder.sphere(atom.sphere, layer, place);
    if (frame.has_velocities) builder.velocity(atom.velocity, place);
    if (frame.has_names)
      builder.name(frame.names[atom.name]);
    else if (frame.has_ids)
      builder.name(std::to_string(atom.id));
  }
}

}  // namespace sphaera::io
