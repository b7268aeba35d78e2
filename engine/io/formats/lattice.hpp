#pragma once
/// \file Periodic boxes in files of atoms, as text. What cannot be read as a box is none: the files could be
/// read before boxes were.

#include <array>
#include <sphaera/vec3.hpp>
#include <string_view>

namespace sphaera::io {

/// The edges of a periodic box. An edge 0 has no period; all 0: there is no box.
using Lattice = std::array<Vec3, 3>;

/// True if all coordinates are within the domain.
bool is_valid(const Lattice& lattice);

/// Of extended XYZ: nine numbers, edge by edge, and which edges are periods, such as "T T F"; empty: all.
Lattice lattice_of_xyz(std::string_view edges, std::string_view periods);
/// Where the edges of extended XYZ begin: three numbers; 0 for other text.
Vec3 lattice_origin_of_xyz(std::string_view origin);
/// Of the last line of a frame of GRO: ax by cz, and perhaps ay az bx bz cx cy.
Lattice lattice_of_gro(std::string_view line);
/// Of the record CRYST1 of PDB: lengths and angles. A cube of 1 Å stands for none there.
Lattice lattice_of_pdb(std::string_view record);

}  // namespace sphaera::io
