#include <array>
#include <io/scene/atoms.hpp>
#include <io/scene/pdb_records.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

/// A record's words behind ATOM or HETATM: number, name, residue, perhaps chain, number of the residue, x, y,
/// z, charge, radius.
constexpr std::size_t without_chain = 9, with_chain = 10;

std::string_view without_record_name(std::string_view line) {
  return line.substr(line.starts_with("ATOM") ? 4 : 6);
}

void add(std::string_view line, const LineReader& lines, AtomScene& atoms) {
  line = without_record_name(line);
  std::array<std::string_view, with_chain + 1> words;
  std::size_t count = 0;
  while (count < words.size() && !(words[count] = take_word(line)).empty()) ++count;
  if (count != without_chain && count != with_chain)
    fail(lines.name(), lines.number(),
         "the record has " + std::to_string(count) +
             " words; PQR has number, name, residue, perhaps chain, residue number, x, y, z, charge, radius");
  const std::size_t end = count;
  Atom atom;
  atom.name = words[1], atom.residue = words[2];
  if (count == with_chain) atom.chain = words[3];
  atom.residue_number = words[end - 6];
  atom.center = {atom_number(words[end - 5], lines, "x"), atom_number(words[end - 4], lines, "y"),
                 atom_number(words[end - 3], lines, "z")};
  atom.radius = atom_number(words[end - 1], lines, "radius");
  atoms.add(atom);
}

}  // namespace

void read_pqr_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  LineReader lines(source, "PQR");
  AtomScene atoms(input, builder, lines, angstroms);
  read_pdb_records(lines, atoms, [&](std::string_view line) { add(line, lines, atoms); });
  atoms.finish("an ATOM or HETATM record");
}

}  // namespace sphaera::io
