#include <algorithm>
#include <array>
#include <io/formats/file_kind.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/line_reader.hpp>

namespace sphaera::io {
namespace {

namespace kinds {
constexpr FileKind workbook{"an Excel workbook", "export the sheet as CSV", ""};
constexpr FileKind npz{"an NPZ archive", "unpack it, and give the NPY array in it", ""};
constexpr FileKind zip{"a ZIP archive", "unpack it", ""};
constexpr FileKind npy{"NPY", "name it .npy", "npy"};
constexpr FileKind ply{"PLY", "name it .ply", "ply"};
constexpr FileKind lammps{"a LAMMPS dump", "name it .lammpstrj", "lammpstrj"};
constexpr FileKind vtk{"a VTK file", "name it .vtk", "vtk"};
constexpr FileKind vtk_xml{"a VTK file in XML", "name it .vtp", "vtp"};
constexpr FileKind trajectories{"a trajectory of pedestrians", "name it .txt", "txt"};
constexpr FileKind json{"JSON", "name it .json", "json"};
constexpr FileKind html{"a web page (HTML)", "download the file itself, not the page that shows it", ""};
constexpr FileKind xml{"XML", "export it as CSV", ""};
constexpr FileKind lfs{"a Git LFS pointer", "fetch it with: git lfs pull", ""};
constexpr FileKind pdb{"a PDB file", "name it .pdb", "pdb"};
constexpr FileKind pqr{"a PQR file", "name it .pqr", "pqr"};
constexpr FileKind cif{"a CIF file", "name it .cif", "cif"};
constexpr FileKind xyz{"an XYZ file", "name it .xyz", "xyz"};
constexpr FileKind gro{"a GRO file", "name it .gro", "gro"};
constexpr FileKind glb{"a binary glTF file", "name it .glb", "gltf"};
constexpr FileKind gltf{"a glTF file", "name it .gltf", "gltf"};
constexpr FileKind pdf{"a PDF document", "give the data as CSV", ""};
constexpr FileKind hdf5{"an HDF5 file", "export the table as CSV or NPY", ""};
constexpr FileKind parquet{"a Parquet file", "export the table as CSV or NPY", ""};
constexpr FileKind spk{"an SPK kernel", "name it as the ephemeris of a body in a JSON scene", ""};
constexpr FileKind saved{"a saved scene", "name it .sphi", "sphi"};
}  // namespace kinds

struct Signature {
  std::string_view bytes;
  const FileKind* kind;
};

constexpr std::array signatures{
    Signature{"\x93NUMPY", &kinds::npy},      Signature{"ply\n", &kinds::ply},
    Signature{"ply\r\n", &kinds::ply},        Signature{"\xD0\xCF\x11\xE0", &kinds::workbook},
    Signature{"%PDF", &kinds::pdf},           Signature{"\x89HDF", &kinds::hdf5},
    Signature{"PAR1", &kinds::parquet},       Signature{"DAF/SPK", &kinds::spk},
    Signature{"REMARK   1 PQR", &kinds::pqr}, Signature{"HEADER    ", &kinds::pdb},
    Signature{"TITLE     ", &kinds::pdb},     Signature{"COMPND    ", &kinds::pdb},
    Signature{"REMARK ", &kinds::pdb},        Signature{"CRYST1", &kinds::pdb},
    Signature{"MODEL     ", &kinds::pdb},     Signature{"ATOM  ", &kinds::pdb},
    Signature{"HETATM", &kinds::pdb},         Signature{"ITEM: ", &kinds::lammps},
    Signature{"# vtk DataFile", &kinds::vtk}, Signature{"sphaera\x1a", &kinds::saved},
    Signature{"glTF", &kinds::glb},
};

/// The kind of a ZIP archive, by the name of its first member and, for NPZ, its extension.
const FileKind* kind_of_zip(std::string_view beginning) {
  const auto has = [&](std::string_view text) { return beginning.find(text) != std::string_view::npos; };
  if (has("[Content_Types].xml") || has("xl/") || has("mimetypeapplication/vnd.oasis"))
    return &kinds::workbook;
  return has(".npy") ? &kinds::npz : &kinds::zip;
}

const FileKind* kind_of_markup(std::string_view text) {
  const std::string start = lower_case(text.substr(0, 64));
  if (start.starts_with("<!doctype html") || start.starts_with("<html")) return &kinds::html;
  if (text.starts_with('<') && text.find("<VTKFile") != std::string_view::npos) return &kinds::vtk_xml;
  return start.starts_with("<?xml") ? &kinds::xml : nullptr;
}

/// A block of CIF: its name, and in a line behind it a name, a loop or a comment.
bool is_cif(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view behind = text.substr(std::min(end + 1, text.size()));
  return text.starts_with("data_") && text.substr(0, end).find_first_of(",;\t") == std::string_view::npos &&
         (behind.starts_with('_') || behind.starts_with("loop_") || behind.starts_with('#'));
}

bool is_count(std::string_view text) {
  std::int64_t count = 0;
  return parse_integer(trimmed(text), count) == Parse::ok && count > 0;
}

/// True if the text begins with three numbers between blanks.
bool are_three_numbers(std::string_view text) {
  double value = 0;
  for (int i = 0; i < 3; ++i)
    if (parse_number(take_word(text), value) != Parse::ok) return false;
  return true;
}

/// XYZ and GRO begin with the number of atoms and a title, in this or the other order, and an atom.
const FileKind* kind_of_atoms(std::string_view beginning) {
  constexpr std::size_t numbers_begin = 20, three_numbers = 24;  // in a line of GRO
  std::array<std::string_view, 3> lines;
  for (std::string_view& line : lines) {
    const std::size_t end = std::min(beginning.find('\n'), beginning.size());
    line = beginning.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    beginning.remove_prefix(std::min(end + 1, beginning.size()));
  }
  if (is_count(lines[1]) && lines[2].size() >= numbers_begin + three_numbers &&
      are_three_numbers(lines[2].substr(numbers_begin)))
    return &kinds::gro;
  const std::string_view element = take_word(lines[2]);
  const bool is_xyz =
      is_count(lines[0]) && !element.empty() && element[0] >= 'A' && are_three_numbers(lines[2]);
  return is_xyz ? &kinds::xyz : nullptr;
}

/// An "asset" before any "sphaera".
bool is_gltf(std::string_view text) { return text.find("\"asset\"") < text.find("\"sphaera\""); }

/// Comments, one with the frame rate, then a row of numbers without commas.
bool are_trajectories(std::string_view text) {
  if (text.find("framerate") == std::string_view::npos) return false;
  while (text.starts_with('#') || text.starts_with('\r') || text.starts_with('\n'))
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::string_view row = text.substr(0, text.find('\n'));
  return row.empty() || (row[0] >= '0' && row[0] <= '9' && row.find_first_of(",;") == std::string_view::npos);
}

}  // namespace

const FileKind* kind_of(std::string_view beginning) {
  if (beginning.starts_with("PK\x03\x04")) return kind_of_zip(beginning);
  const auto found = std::ranges::find_if(
      signatures, [&](const Signature& known) { return beginning.starts_with(known.bytes); });
  if (found != signatures.end()) return found->kind;
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return nullptr;
  const std::string_view text = beginning.substr(first);
  if (text.starts_with('{') && is_gltf(text)) return &kinds::gltf;
  if (text.starts_with('{') || text.starts_with('[')) return &kinds::json;
  if (text.starts_with('#') && are_trajectories(text)) return &kinds::trajectories;
  if (text.starts_with("version ") && text.find("git-lfs") < 40) return &kinds::lfs;
  if (is_cif(text)) return &kinds::cif;
  if (const FileKind* const kind = kind_of_atoms(beginning)) return kind;
  return kind_of_markup(text);
}

}  // namespace sphaera::io
