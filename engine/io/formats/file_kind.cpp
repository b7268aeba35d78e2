#include <algorithm>
#include <array>
#include <io/formats/file_kind.hpp>
#include <io/formats/numbers.hpp>

namespace sphaera::io {
namespace {

namespace kinds {
constexpr FileKind workbook{"an Excel workbook", "export the sheet as CSV", ""};
constexpr FileKind npz{"an NPZ archive", "unpack it, and give the NPY array in it", ""};
constexpr FileKind zip{"a ZIP archive", "unpack it", ""};
constexpr FileKind npy{"NPY", "name it .npy", "npy"};
constexpr FileKind ply{"PLY", "name it .ply", "ply"};
constexpr FileKind json{"JSON", "name it .json", "json"};
constexpr FileKind html{"a web page (HTML)", "download the file itself, not the page that shows it", ""};
constexpr FileKind xml{"XML", "export it as CSV", ""};
constexpr FileKind lfs{"a Git LFS pointer", "fetch it with: git lfs pull", ""};
constexpr FileKind pdb{"a PDB file", "convert it to CSV with x,y,z,r", ""};
constexpr FileKind pdf{"a PDF document", "give the data as CSV", ""};
constexpr FileKind hdf5{"an HDF5 file", "export the table as CSV or NPY", ""};
constexpr FileKind parquet{"a Parquet file", "export the table as CSV or NPY", ""};
constexpr FileKind spk{"an SPK kernel", "convert it to a CSV with t,x,y,z,vx,vy,vz", ""};
}  // namespace kinds

struct Signature {
  std::string_view bytes;
  const FileKind* kind;
};

constexpr std::array signatures{
    Signature{"\x93NUMPY", &kinds::npy},  Signature{"ply\n", &kinds::ply},
    Signature{"ply\r\n", &kinds::ply},    Signature{"\xD0\xCF\x11\xE0", &kinds::workbook},
    Signature{"%PDF", &kinds::pdf},       Signature{"\x89HDF", &kinds::hdf5},
    Signature{"PAR1", &kinds::parquet},   Signature{"DAF/SPK", &kinds::spk},
    Signature{"HEADER    ", &kinds::pdb}, Signature{"REMARK ", &kinds::pdb},
    Signature{"CRYST1", &kinds::pdb},     Signature{"ATOM  ", &kinds::pdb},
    Signature{"HETATM", &kinds::pdb},
};

/// The kind of a ZIP archive, by the name of its first member and, for NPZ, its extension.
const FileKind* kind_of_zip(std::string_view beginning) {
  const auto has = [&](std::string_view text) { return beginning.find(text) != std::string_view::npos; };
  if (has("[Content_Types].xml") || has("xl/") || has("mimetypeapplication/vnd.oasis"))
    return &kinds::workbook;
  return has(".npy") ? &kinds::npz : &kinds::zip;
}

const FileKind* kind_of_markup(std::string_view text) {
  std::string start(text.substr(0, 64));
  std::ranges::transform(start, start.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
  if (start.starts_with("<!doctype html") || start.starts_with("<html")) return &kinds::html;
  return start.starts_with("<?xml") ? &kinds::xml : nullptr;
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
  if (text.starts_with('{') || text.starts_with('[')) return &kinds::json;
  if (text.starts_with("version ") && text.find("git-lfs") < 40) return &kinds::lfs;
  return kind_of_markup(text);
}

}  // namespace sphaera::io
