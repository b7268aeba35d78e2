#pragma once
/// \file Scene files: spheres with their properties, and stars, in the formats of the tool `sphaera`: JSON,
/// CSV, NPY, PLY and, to be read, molecules and others, by extension, each also with `.gz` behind it. What a
/// file holds: tools/README.md.
///
/// A library of its own: `find_package(sphaera COMPONENTS scene_file)`, target `sphaera::scene_file`.
/// Functions of this header can be called from any thread; threads that write at the same time write
/// different files.

#include <sphaera/config/requirements.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <sphaera/config/export.hpp>
#include <sphaera/motion.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>
#include <sphaera/vec3.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#if defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#error "sphaera/scene_file.hpp has strings of the new ABI: compile without _GLIBCXX_USE_CXX11_ABI=0"
#endif

namespace sphaera::inline SPHAERA_ABI {

/// Names of many spheres, stored as one string and the end position of each name.
class Names {
 public:
  bool empty() const { return ends_.empty(); }
  std::size_t size() const { return ends_.size(); }
  /// Precondition: i < size(); not checked. The view is valid until the next change.
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(characters_).substr(begin, ends_[i] - begin);
  }
  /// All names, one after another, and where each ends. Valid until the next change.
  std::string_view characters() const { return characters_; }
  std::span<const std::uint64_t> ends() const { return ends_; }
  void push_back(std::string_view name) {
    characters_ += name;
    ends_.push_back(characters_.size());
  }
  /// Drops the last names, or adds empty ones.
  void resize(std::size_t n) {
    if (n < size()) characters_.resize(n == 0 ? 0 : ends_[n - 1]);
    ends_.resize(n, characters_.size());
  }

 private:
  std::string characters_;
  std::vector<std::uint64_t> ends_;
};

/// A star of a scene file.
struct SceneStar {
  Star star{};                         ///< valid; if is_sphere(), only the limb darkening is used
  std::int64_t sphere = -1;            ///< id of the sphere that is the star; −1: none
  std::string name{};                  ///< may be empty
  std::optional<double> luminosity{};  ///< watts, ≥ 0
  Vec3 velocity{};                     ///< units per second; 0 unless is_ball()
  std::optional<Motion> ephemeris{};   ///< empty unless is_ball()

  bool is_sphere() const { return sphere >= 0; }
  /// True for a star at finite distance that is not a sphere of the scene.
  bool is_ball() const { return !is_sphere() && star.distance == Star::Distance::finite; }
};

/// Permitted locations of the files that a JSON scene names.
enum class FileScope : std::uint8_t {
  scene_folder,  ///< in the folder of the scene that names the file or below it, after resolving symbolic
                 ///< links
  anywhere,
};

/// How tables of text are read, where their header does not say it. In all tables of text, without regard to
/// these options: lines of # or // before the header are comments, a line "sep=;" names the separator, UTF-16
/// with a byte-order mark is understood, and a number may have a decimal comma where no comma separates.
struct CsvOptions {
  struct Column {
    std::string name;     ///< such as "x"
    std::string in_file;  ///< the name of that column in the header
  };
  /// Separates fields; ' ': any number of blanks and tabs. 0: of comma, semicolon, tab and blanks the one
  /// that makes the most columns known.
  char delimiter = 0;
  /// A scene that lacks one of these names is an error, unless SceneLoadOptions::elsewhere has the column or
  /// a scene names the file: then the column's own name counts, or one that is guessed with a warning.
  /// Numbers of NPY, PLY and VTK are names or layers where this says so.
  std::vector<Column> columns{};
};

/// What puts the atoms of a molecule on layers; `none` leaves out the layers of tables, too. In a scene that
/// names the file with a layer, that layer counts.
enum class AtomLayers : std::uint8_t { element, chain, residue, none };

struct SceneLoadOptions {
  FileScope scope = FileScope::scene_folder;
  CsvOptions csv{};
  /// Of the columns in `csv` those that the scene may lack, since they are meant for another file.
  std::vector<std::string> elsewhere{};
  std::optional<double> radius{};  ///< of spheres in files that give no radii, or 0; otherwise an error
  /// Of a file with several frames, from 0; −1: the last. A file without that frame is an error, one with
  /// more frames than frame 0 a warning. A table (CSV, NPY with fields) has frames if `csv.columns` names its
  /// column "frame" or this is not 0: the numbers there, or else the times in its column `t` counted from 0
  /// in their order. With `t`, the velocities that it lacks are by difference between rows of the same name
  /// or, without names, `id`.
  std::int64_t frame = 0;
  /// Of atoms in files that give no radii: a CSV with the columns element and radius, in the unit of the
  /// scene. An element is a symbol in any case; other words are names of atoms or of what stands for an
  /// element, and count before it. Atoms that it lacks have `radius` or, without that, the van der Waals
  /// radius of Bondi (1964), Mantina and others (2009) or Alvarez (2013).
  std::filesystem::path radii{};
  AtomLayers layer_by = AtomLayers::element;
  /// A bad row of a table (CSV, NPY, PLY) is no error but left out: warnings name the first and say how many.
  bool skip_bad_rows = false;
  std::stop_token stop{};                  ///< a stop ends the call with ErrorCode::cancelled
  std::function<void(double)> progress{};  ///< gets the fraction read of each file, 0 … 1; may throw
};

/// Content of scene files. Ids are 0-based: a JSON scene's `spheres` in order, then those of its `files` in
/// order. Texts are UTF-8. The lists `velocities`, `names`, `layers` and `resistances` are each empty or as
/// long as `spheres`. What was loaded is valid; `save` checks what a program has made.
///
/// To a Scene: `Scene::build(file.spheres, {.layers = file.layers})`.
struct SceneFile {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;      ///< units per second; empty: none is given
  Names names;                       ///< empty: none is given
  std::vector<std::uint8_t> layers;  ///< indices into layer_names; empty: all spheres are on layer 0
  std::vector<std::string> layer_names{"default"};  ///< 1 … 64, in order of first appearance
  std::vector<double> resistances;                  ///< ≥ 0, NaN where not given; empty: none is given
  std::vector<SceneStar> stars;
  struct Orbit {
    std::int64_t sphere;
    Motion ephemeris;  ///< times are in seconds
  };
  std::vector<Orbit> orbits;  ///< spheres with an ephemeris, ascending
  /// Rotation of a sphere. In JSON `"spin": {"axis": [x, y, z], "period": seconds, "meridian": [x, y, z]}`.
  struct Rotation {
    std::int64_t sphere;
    Spin spin;
    /// Direction of longitude 0 at time 0; only its component perpendicular to the axis counts.
    Vec3 meridian{1, 0, 0};
  };
  std::vector<Rotation> rotations;  ///< spheres with a rotation, ascending
  /// The ellipsoid that stations on a sphere stand on, about the axis of its rotation (without one: z). The
  /// sphere alone hides and is hit. In JSON `"ellipsoid": {"equatorial_radius": a, "polar_radius": b}`.
  struct Ellipsoid {
    std::int64_t sphere;
    double equatorial_radius, polar_radius;  ///< from 2^-200 to 2^200
  };
  std::vector<Ellipsoid> ellipsoids;  ///< spheres with an ellipsoid, ascending
  std::string unit;                   ///< a label, never a factor; empty: none is given
  /// The date of time 0, such as "2024-04-08T18:10:36.5Z" or "JD2460409.25 TT"; times are then seconds of TT
  /// since. Dates: engine/io/formats/dates.hpp. Empty: none is given.
  std::string epoch;
  /// The three edges of the periodic box that a LAMMPS dump, extended XYZ, GRO or PDB gives for the frame
  /// that is read; an edge 0 has no period. All 0: none is given, or the file is one of several that a scene
  /// names.
  std::array<Vec3, 3> box{};
  Vec3 box_corner{};                  ///< where those edges begin, if a LAMMPS dump or extended XYZ says so
  std::vector<std::string> warnings;  ///< of `load` and `parse`, each a sentence without a newline
  std::vector<std::filesystem::path> sources;  ///< all files read, including ephemerides

  /// Reads a file and the files that it names, of any format: their spheres and stars follow its own. At most
  /// 4096 files are named; a file that names itself, directly or through others, is an error. Memory is
  /// bounded by the content of the files, not by their headers. Throws Error: bad_file (its subject begins
  /// with "scene.csv:17" or, for a binary file, "scene.npy"; element: id of the bad sphere, if there is one),
  /// out_of_memory, cancelled.
  SPHAERA_API static SceneFile load(const std::filesystem::path& path, const SceneLoadOptions& options = {});

  /// The same for the bytes of a file in memory. `name` gives the format by its extension, stands in
  /// messages, and its folder is that from which the scene names files.
  SPHAERA_API static SceneFile parse(std::string_view bytes, const std::filesystem::path& name,
                                     const SceneLoadOptions& options = {});

  /// Writes a file in the format of its extension. `load` gives the same doubles, names, stars, rotations and
  /// ellipsoids; layers keep their names. Returns a sentence for each part that the format cannot hold or
  /// that is never written (ephemerides, layers without spheres). The file appears whole or not at all: an
  /// older one stays until the new one is on the disk. Throws Error: invalid_argument (element: the bad
  /// sphere, star, …, which the subject names), bad_file (unknown extension), io (disk full, no permission),
  /// out_of_memory.
  SPHAERA_API std::vector<std::string> save(const std::filesystem::path& path) const;

  /// All but the spheres and their layers, as bytes for SaveOptions::attachment. `load` of a file of
  /// `Scene::save` (.sphi) that has them gives it all again. Throws Error invalid_argument as `save`, and
  /// out_of_memory.
  SPHAERA_API std::vector<std::byte> attachment() const;

  /// Position of a layer in `layer_names`, −1 if there is none of that name.
  SPHAERA_API int find_layer(std::string_view name) const;
  /// Precondition: `sphere` is an id; not checked.
  const std::string& layer_name(std::size_t sphere) const {
    return layer_names[layers.empty() ? 0 : layers[sphere]];
  }
};

}  // namespace sphaera::inline SPHAERA_ABI
