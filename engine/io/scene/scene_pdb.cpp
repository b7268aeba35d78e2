#include <algorithm>
#include <array>
#include <io/formats/elements.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/atoms.hpp>
#include <io/scene/pdb_records.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

/// A field of a record of format 3.3, by the numbers of its first and last column, from 1.
std::string_view field(std::string_view line, std::size_t first, std::size_t last) {
  return line.size() < first ? std::string_view{} : line.substr(first - 1, last - first + 1);
}

/// The element that the atom's name in columns 13 to 16 shows: a symbol ends in column 14, but for names of
/// hydrogens that fill all columns.
std::string_view element_in(std::string_view name) {
  if (name.size() < 2) return {};
  if (name[0] == 'H' && name.size() == 4 && name[3] != ' ') return name.substr(0, 1);
  if (atomic_number(name.substr(0, 2)) > 0) return name.substr(0, 2);
  const bool is_letter = atomic_number(name.substr(0, 1)) > 0;
  return name.substr(is_letter ? 0 : 1, 1);
}

class PdbReader {
 public:
  PdbReader(ByteSource& source, const SceneInput& input, SceneBuilder& builder)
      : lines_(source, "PDB"), atoms_(input, builder, lines_, angstroms) {}

  void read() {
    read_pdb_records(lines_, atoms_, [&](std::string_view line) { add(line); });
    atoms_.finish("an ATOM or HETATM record");
  }

 private:
  double coordinate(std::string_view line, std::size_t first, std::string_view axis) const {
    constexpr std::size_t width = 8;
    return atom_number(trimmed(field(line, first, first + width - 1)), lines_, axis);
  }

  void add(std::string_view line) {
    constexpr std::size_t z_end = 54;
    if (line.size() < z_end)
      fail(lines_.name(), lines_.number(),
           "the record ends before column 54, the last one of z; is it cut short?");
    Atom atom;
    atom.center = {coordinate(line, 31, "x"), coordinate(line, 39, "y"), coordinate(line, 47, "z")};
    atom.element = trimmed(field(line, 77, 78));
    // Old files number their lines in columns 77 to 80.
    if (atom.element.empty() || atom.element.find_first_of("0123456789") != std::string_view::npos)
      atom.element = element_in(field(line, 13, 16)), atom.is_guess = true;
    atom.name = trimmed(field(line, 13, 16));
    atom.location = trimmed(field(line, 17, 17));
    atom.residue = trimmed(field(line, 18, 21));  // of four letters in files of lipids
    atom.chain = trimmed(field(line, 22, 22));
    atom.residue_number = trimmed(field(line, 23, 27));
    atoms_.add(atom);
  }

  LineReader lines_;
  AtomScene atoms_;
};

}  // namespace

void read_pdb_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  PdbReader(source, input, builder).read();
}

}  // namespace sphaera::io
