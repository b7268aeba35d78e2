#pragma once
/// \file The records of PDB and PQR: atoms, and what separates frames.

#include <io/scene/atoms.hpp>
#include <string_view>

namespace sphaera::io {

/// Calls add(line) for each record ATOM or HETATM of the chosen frame. The first one, and one behind MODEL,
/// ENDMDL or END, begins a frame; its box is the last one before it.
void read_pdb_records(LineReader& lines, AtomScene& atoms, auto add) {
  bool inside = false;
  Lattice box{};
  for (std::string_view line; lines.line(line);) {
    if (line.starts_with("ATOM") || line.starts_with("HETATM")) {
      if (!inside && !atoms.next_frame()) return;
      if (!inside) atoms.box(box);
      inside = true;
      if (atoms.wanted()) add(line);
    } else if (line.starts_with("CRYST1")) {
      box = lattice_of_pdb(line);
    } else if (line.starts_with("MODEL") || line.starts_with("ENDMDL") || line == "END" ||
               line.starts_with("END ")) {
      inside = false;
    }
  }
}

}  // namespace sphaera::io
