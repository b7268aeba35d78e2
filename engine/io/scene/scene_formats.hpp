#pragma once
/// \file The table of scene formats. Names of files, `--format`, help texts, error messages, readers, writers
/// and tests go by it: a new format is a row here, and a file `scene_X.cpp` with its reader and perhaps its
/// writer.

#include <algorithm>
#include <array>
#include <io/formats/matrix_format.hpp>
#include <io/scene/scene_builder.hpp>
#include <io/scene/scene_json.hpp>
#include <io/scene/scene_read.hpp>
#include <io/scene/scene_write.hpp>
#include <span>
#include <string>
#include <string_view>

namespace sphaera::io {

/// What a scene may have besides spheres: bits of SceneFormat::parts.
namespace scene_part {
enum : unsigned {
  stars = 1,
  resistances = 2,
  spins = 4,
  unit = 8,
  names = 16,
  layers = 32,
  velocities = 64,
  ellipsoids = 128,
  epoch = 256,
  all = 511,
};
}

/// A format of scene files.
struct SceneFormat {
  std::string_view name;       ///< for `--format`; the extension without its point
  std::string_view content;    ///< of a file, for `sphaera --help`
  std::string_view keeps;      ///< what of a scene is written, for `sphaera convert --help`
  unsigned parts;              ///< that a file can hold
  bool names_lines;            ///< every error in a file names its line
  const MatrixFormat* matrix;  ///< a file is a matrix of x,y,z,r and perhaps vx,vy,vz; null: it is not
  void (*read)(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
  /// Null: scenes are read from this format, not written in it.
  void (*write)(const SceneFile& scene, OutputText& out);
  std::array<std::string_view, 3> other_extensions{};  ///< that name it, too, without their points
  bool has_frames = false;                             ///< a file may have some, or name files that have

  std::string extension() const { return '.' + std::string(name); }
};

/// The columns of a scene and of an ephemeris in CSV. The last three, of a table with frames, are not
/// guessed.
inline constexpr std::array<std::string_view, 12> csv_scene_columns{
    "x", "y", "z", "r", "vx", "vy", "vz", "name", "layer", "frame", "t", "id"};
inline constexpr std::size_t frame_columns = 3;
inline constexpr std::array<std::string_view, 7> ephemeris_columns{"t", "x", "y", "z", "vx", "vy", "vz"};

void read_csv_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_npy_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_ply_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_xyz_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_pdb_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_cif_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_gro_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_pqr_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_vtp_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_vtk_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_lammpstrj_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_txt_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_sphi_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void read_gltf_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);
void write_json_scene(const SceneFile& scene, OutputText& out);
void write_csv_scene(const SceneFile& scene, OutputText& out);
void write_npy_scene(const SceneFile& scene, OutputText& out);
void write_ply_scene(const SceneFile& scene, OutputText& out);
void write_vtp_scene(const SceneFile& scene, OutputText& out);

inline constexpr SceneFormat json_scene{
    .name = "json",
    .content =
        "{\"sphaera\": 1, \"unit\": \"m\", \"epoch\": \"2024-04-08T18:10:36Z\", \"stars\": [...], "
        "\"spheres\": [...], "
        "\"files\": [{\"path\": ..., \"layer\": ...}]}\na sphere has center, radius and perhaps name, "
        "velocity or ephemeris, spin "
        "({\"axis\": "
        "[x, y, z], \"period\": ..., \"meridian\": [x, y, z]}), ellipsoid ({\"equatorial_radius\": ..., "
        "\"polar_radius\": ...}, which stations stand on), layer, resistance; a star center and radius, "
        "or "
        "direction and angular_radius, or sphere (id or name of one), and perhaps name, limb_darkening, "
        "luminosity "
        "(W), velocity or ephemeris: a file, or {\"file\": ..., \"target\": ..., \"center\": ..., \"from\": "
        "date, "
        "\"to\": date}. An ephemeris is a CSV with t,x,y,z and perhaps vx,vy,vz, of the target's rows if a "
        "column "
        "body, target, name or id has it, or, in a scene with an epoch in m, km or "
        "au, an SPK kernel (types 2, 3, 13; numbers of NAIF), a CCSDS OEM, or vectors of JPL Horizons. "
        "limb_darkening is a law and its "
        "coefficients, "
        "such as {\"quadratic\": [0.4, 0.26]}: uniform [], linear [u], quadratic [u1, u2], sqrt [c, d], "
        "power2 [c, "
        "alpha] or claret4 [c1, c2, c3, c4]",
    .keeps =
        "spheres, velocities, names, layers, resistances, spins, ellipsoids, stars, unit, epoch: all but "
        "ephemerides",
    .parts = scene_part::all,
    .names_lines = true,
    .matrix = nullptr,
    .read = read_json_scene,
    .write = write_json_scene,
    .has_frames = true};

inline constexpr SceneFormat csv_scene{
    .name = "csv",
    .content =
        "a header with x,y,z,r and perhaps vx,vy,vz,name,layer, in any order; blanks around a field count in "
        "quotes alone",
    .keeps = "x,y,z,r and, where the scene has them, vx,vy,vz,name,layer",
    .parts = scene_part::velocities | scene_part::names | scene_part::layers,
    .names_lines = true,
    .matrix = &csv_matrix,
    .read = read_csv_scene,
    .write = write_csv_scene,
    .other_extensions = {"tsv"},
    .has_frames = true};

inline constexpr SceneFormat npy_scene{
    .name = "npy",
    .content =
        "N×4 (x,y,z,r) or N×7 (and vx,vy,vz), or fields of these names, of any type of numbers; numbers as "
        "names and layers where --columns says so, also in .ply and .vtp",
    .keeps = "x,y,z,r and, where the scene has them, vx,vy,vz",
    .parts = scene_part::velocities,
    .names_lines = false,
    .matrix = &npy_matrix,
    .read = read_npy_scene,
    .write = write_npy_scene,
    .has_frames = true};

inline constexpr SceneFormat ply_scene{.name = "ply",
                                       .content = "vertices with x,y,z,radius and perhaps vx,vy,vz",
                                       .keeps = "x,y,z,radius and, where the scene has them, vx,vy,vz",
                                       .parts = scene_part::velocities,
                                       .names_lines = false,
                                       .matrix = nullptr,
                                       .read = read_ply_scene,
                                       .write = write_ply_scene};

inline constexpr SceneFormat vtp_scene{
    .name = "vtp",
    .content =
        "points of ParaView in XML, also .vtu: arrays radius or diameter and perhaps velocity; in text, "
        "base64 "
        "or appended, packed by zlib or not",
    .keeps = "points, arrays radius and, where the scene has them, velocity",
    .parts = scene_part::velocities,
    .names_lines = false,
    .matrix = nullptr,
    .read = read_vtp_scene,
    .write = write_vtp_scene,
    .other_extensions = {"vtu"}};

inline constexpr SceneFormat xyz_scene{
    .name = "xyz",
    .content = "atoms of XYZ or extended XYZ: species, pos and perhaps velo, radius",
    .keeps = {},
    .parts = scene_part::unit | scene_part::layers | scene_part::velocities,
    .names_lines = true,
    .matrix = nullptr,
    .read = read_xyz_scene,
    .write = nullptr,
    .other_extensions = {"extxyz"},
    .has_frames = true};

inline constexpr SceneFormat pdb_scene{.name = "pdb",
                                       .content = "atoms of PDB",
                                       .keeps = {},
                                       .parts = scene_part::unit | scene_part::names | scene_part::layers,
                                       .names_lines = true,
                                       .matrix = nullptr,
                                       .read = read_pdb_scene,
                                       .write = nullptr,
                                       .other_extensions = {"ent"},
                                       .has_frames = true};

inline constexpr SceneFormat cif_scene{.name = "cif",
                                       .content = "atoms of mmCIF: _atom_site",
                                       .keeps = {},
                                       .parts = scene_part::unit | scene_part::names | scene_part::layers,
                                       .names_lines = true,
                                       .matrix = nullptr,
                                       .read = read_cif_scene,
                                       .write = nullptr,
                                       .other_extensions = {"mmcif"},
                                       .has_frames = true};

inline constexpr SceneFormat gro_scene{
    .name = "gro",
    .content = "atoms of GROMACS, in nm; velocities per ps",
    .keeps = {},
    .parts = scene_part::unit | scene_part::names | scene_part::layers | scene_part::velocities,
    .names_lines = true,
    .matrix = nullptr,
    .read = read_gro_scene,
    .write = nullptr,
    .has_frames = true};

inline constexpr SceneFormat pqr_scene{.name = "pqr",
                                       .content = "atoms of PQR, with radii",
                                       .keeps = {},
                                       .parts = scene_part::unit | scene_part::names | scene_part::layers,
                                       .names_lines = true,
                                       .matrix = nullptr,
                                       .read = read_pqr_scene,
                                       .write = nullptr,
                                       .has_frames = true};

inline constexpr SceneFormat lammpstrj_scene{
    .name = "lammpstrj",
    .content =
        "a LAMMPS dump as text: x,y,z, also unwrapped or scaled by the box, radius or diameter, perhaps "
        "vx,vy,vz; spheres in the order of id, which is their name, type is the layer",
    .keeps = {},
    .parts = scene_part::velocities | scene_part::names | scene_part::layers,
    .names_lines = true,
    .matrix = nullptr,
    .read = read_lammpstrj_scene,
    .write = nullptr,
    .other_extensions = {"dump"},
    .has_frames = true};

inline constexpr SceneFormat txt_scene{
    .name = "txt",
    .content =
        "a trajectory of JuPedSim or PeTrack: comments with the framerate and the columns, id frame x y z, "
        "z 0 if absent, in meters or centimeters; velocities by difference, ids are names; else as .csv",
    .keeps = {},
    .parts = scene_part::velocities | scene_part::names | scene_part::layers | scene_part::unit,
    .names_lines = true,
    .matrix = nullptr,
    .read = read_txt_scene,
    .write = nullptr,
    .has_frames = true};

inline constexpr SceneFormat vtk_scene{.name = "vtk",
                                       .content = "the same in legacy files of VTK, ASCII or BINARY",
                                       .keeps = {},
                                       .parts = scene_part::velocities,
                                       .names_lines = false,
                                       .matrix = nullptr,
                                       .read = read_vtk_scene,
                                       .write = nullptr};

inline constexpr SceneFormat sphi_scene{.name = "sphi",
                                        .content = "a scene with its index, as 'sphaera index' writes it",
                                        .keeps = {},
                                        .parts = scene_part::all,
                                        .names_lines = false,
                                        .matrix = nullptr,
                                        .read = read_sphi_scene,
                                        .write = nullptr};
inline constexpr SceneFormat gltf_scene{
    .name = "gltf",
    .content =
        "nodes of glTF 2.0 with a mesh, also .glb: the sphere around the box of its positions (min, max of "
        "their "
        "accessor) where the node places it, in meters; names are those of nodes, else of meshes",
    .keeps = {},
    .parts = scene_part::unit | scene_part::names,
    .names_lines = false,
    .matrix = nullptr,
    .read = read_gltf_scene,
    .write = nullptr,
    .other_extensions = {"glb"}};

/// In the order of messages: those that are written, too, come first.
inline constexpr std::array scene_formats{&json_scene,      &csv_scene, &npy_scene, &ply_scene,  &vtp_scene,
                                          &xyz_scene,       &pdb_scene, &cif_scene, &gro_scene,  &pqr_scene,
                                          &lammpstrj_scene, &txt_scene, &vtk_scene, &gltf_scene, &sphi_scene};
inline constexpr std::span<const SceneFormat* const> written_formats =
    std::span(scene_formats)
        .first(static_cast<std::size_t>(std::ranges::find(scene_formats, nullptr, &SceneFormat::write) -
                                        scene_formats.begin()));

}  // namespace sphaera::io
