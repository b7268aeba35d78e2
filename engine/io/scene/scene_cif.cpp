#include <algorithm>
#include <array>
#include <io/formats/cif_words.hpp>
#include <io/scene/atoms.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

constexpr std::string_view category = "_atom_site.";
/// Items of the category, in lower case. Those of the authors come before those of the data bank.
enum Item : std::uint8_t {
  cartn_x,
  cartn_y,
  cartn_z,
  element,
  auth_name,
  name,
  auth_residue,
  residue,
  auth_chain,
  chain,
  auth_number,
  number,
  insertion,
  location,
  model,
  items
};
constexpr std::array<std::string_view, items> item_names{
    "cartn_x",       "cartn_y",      "cartn_z",           "type_symbol",  "auth_atom_id",
    "label_atom_id", "auth_comp_id", "label_comp_id",     "auth_asym_id", "label_asym_id",
    "auth_seq_id",   "label_seq_id", "pdbx_pdb_ins_code", "label_alt_id", "pdbx_pdb_model_num"};

class CifReader {
  using Kind = CifWords::Kind;

 public:
  CifReader(ByteSource& source, const SceneInput& input, SceneBuilder& builder)
      : words_(source), atoms_(input, builder, words_.lines(), angstroms) {}

  void read() {
    Kind kind = words_.next();
    while (kind != Kind::end && !enough_) {
      if (kind == Kind::block) inside_ = false;
      if (kind == Kind::loop) {
        kind = read_loop();
      } else if (kind == Kind::name && begins_with(words_.text(), category)) {
        kind = read_pairs();
      } else {
        kind = words_.next();
      }
    }
    atoms_.finish("atoms, which are in the category _atom_site with Cartn_x, Cartn_y, Cartn_z");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    fail(words_.lines().name(), words_.lines().number(), what);
  }

  /// The item that a name of the category means; `items`: one that is not read.
  std::uint8_t item_of(std::string_view name) const {
    if (begins_with(name, "_atom_site_fract"))
      refuse("the positions are fractions of a crystal's cell; convert the file to PDB or XYZ");
    if (!begins_with(name, category)) return items;
    name.remove_prefix(category.size());
    const auto found = std::ranges::find_if(item_names, [&](std::string_view item) {
      return item.size() == name.size() && begins_with(name, item);
    });
    return static_cast<std::uint8_t>(found - item_names.begin());
  }

  void require_positions(const std::array<bool, items + 1>& given) const {
    for (const Item axis : {cartn_x, cartn_y, cartn_z})
      if (!given[axis]) refuse("_atom_site has no Cartn_x, Cartn_y, Cartn_z; a scene needs all three");
  }

  void store(std::uint8_t item, Kind kind) {
    if (item < items) fields_[item].assign(kind == Kind::value ? words_.text() : std::string_view{});
  }

  /// Reads a loop; its atoms if it has some. Returns the kind of the word behind it.
  Kind read_loop() {
    std::vector<std::uint8_t> columns;
    bool has_atoms = false;
    std::array<bool, items + 1> given{};
    Kind kind = words_.next();
    for (; kind == Kind::name; kind = words_.next()) {
      has_atoms |= begins_with(words_.text(), category);
      columns.push_back(item_of(words_.text()));
      given[columns.back()] = true;
    }
    if (columns.empty()) refuse("the loop has no names");
    if (has_atoms) require_positions(given);
    for (std::string& field : fields_) field.clear();
    std::size_t column = 0;
    for (; (kind == Kind::value || kind == Kind::absent) && !enough_; kind = words_.next()) {
      store(columns[column], kind);
      if (++column < columns.size()) continue;
      column = 0;
      if (has_atoms) add();
    }
    if (column != 0)
      refuse("the loop before this ends inside a row; is the file cut short, or a quote missing?");
    return kind;
  }

  /// Reads a category that is not in a loop: one atom.
  Kind read_pairs() {
    std::array<bool, items + 1> given{};
    for (std::string& field : fields_) field.clear();
    Kind kind = Kind::name;
    while (kind == Kind::name && begins_with(words_.text(), category)) {
      const std::uint8_t item = item_of(words_.text());
      given[item] = true;
      kind = words_.next();
      if (kind != Kind::value && kind != Kind::absent) refuse("a name of _atom_site has no value");
      store(item, kind);
      kind = words_.next();
    }
    require_positions(given);
    add();
    return kind;
  }

  const std::string& either(Item first, Item second) const {
    return fields_[first].empty() ? fields_[second] : fields_[first];
  }

  /// A number, perhaps with its uncertainty in brackets.
  double coordinate(Item item, std::string_view axis) const {
    std::string_view text = fields_[item];
    if (text.ends_with(')')) text = text.substr(0, text.find('('));
    return atom_number(text, words_.lines(), axis);
  }

  void add() {
    if (!inside_ || fields_[model] != model_) {
      inside_ = true;
      model_ = fields_[model];
      enough_ = !atoms_.next_frame();
    }
    if (enough_ || !atoms_.wanted()) return;
    number_.assign(either(auth_number, number)) += fields_[insertion];
    Atom atom;
    atom.center = {coordinate(cartn_x, "Cartn_x"), coordinate(cartn_y, "Cartn_y"),
                   coordinate(cartn_z, "Cartn_z")};
    atom.element = fields_[element];
    atom.name = either(auth_name, name);
    atom.residue = either(auth_residue, residue);
    atom.residue_number = number_;
    atom.chain = either(auth_chain, chain);
    atom.location = fields_[location];
    atoms_.add(atom);
  }

  CifWords words_;
  AtomScene atoms_;
  std::array<std::string, items> fields_;
  std::string model_, number_;
  bool inside_ = false, enough_ = false;
};

}  // namespace

void read_cif_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  CifReader(source, input, builder).read();
}

}  // namespace sphaera::io
