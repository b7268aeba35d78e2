#pragma once
/// \file Scene files: spheres with their properties, and stars. The formats, by extension, each also with
/// `.gz` appended: scene_formats.hpp.
///
/// Text is UTF-8; names in other encodings are an error. Ids are 0-based: a JSON scene's `spheres` in order,
/// then those of its `files` in order.

#include <array>
#include <cstdint>
#include <filesystem>
#include <io/streams/byte_reader.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <sphaera/motion.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Names of many spheres, stored as one string and the end position of each name.
class Names {
 public:
  bool empty() const { return ends_.empty(); }
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(characters_).substr(begin, ends_[i] - begin);
  }
  void push_back(std::string_view name) {
    characters_ += name;
    ends_.push_back(characters_.size());
  }
  void resize(std::size_t n) { ends_.resize(n, characters_.size()); }  ///< n ≥ size(): adds empty names

 private:
  std::string characters_;
  std::vector<std::uint64_t> ends_;
};

/// Keys of the laws in JSON, by LimbDarkening::Law: `"limb_darkening": {"quadratic": [u1, u2]}`.
inline constexpr std::array<std::string_view, 6> limb_law_names{"uniform", "linear", "quadratic",
                                                                "sqrt",    "power2", "claret4"};
constexpr int coefficient_count(LimbDarkening::Law law) {
  constexpr std::array counts{0, 1, 2, 2, 2, 4};
  return counts[static_cast<std::size_t>(law)];
}

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

/// Content of a scene file. Every sphere is valid (<base/validate.hpp>). `velocities`, `names`, `layers` and
/// `resistances` are each empty or as long as `spheres`.
struct SceneFile {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;      ///< units per second; empty: none is given
  Names names;                       ///< empty: none is given
  std::vector<std::uint8_t> layers;  ///< indices into layer_names; empty: all spheres are on layer 0
  std::vector<std::string> layer_names{"default"};  ///< 1 … 64, in order of first appearance
  std::vector<double> resistances;                  ///< NaN where not given; empty: none is given
  std::vector<SceneStar> stars;
  struct Orbit {
    std::int64_t sphere;
    Motion ephemeris;  ///< from a file of t,x,y,z,vx,vy,vz; times are in seconds
  };
  std::vector<Orbit> orbits;  ///< spheres with an ephemeris, ascending
  /// Rotation of a sphere. In JSON `"spin": {"axis": [x, y, z], "period": seconds, "meridian": [x, y, z]}`.
  struct Rotation {
    std::int64_t sphere;
    Spin spin;
    /// Direction of longitude 0 at time 0; only its component perpendicular to the axis counts.
    Vec3 meridian{1, 0, 0};
  };
  std::vector<Rotation> rotations;             ///< spheres with a rotation, ascending
  std::string unit;                            ///< a label, never a factor; empty: none is given
  std::vector<std::string> warnings;           ///< each a sentence without a newline
  std::vector<std::filesystem::path> sources;  ///< all files read, including ephemerides

  /// Position of a layer in `layer_names`, −1 if there is none of that name.
  int find_layer(std::string_view name) const;
  const std::string& layer_name(std::size_t sphere) const {
    return layer_names[layers.empty() ? 0 : layers[sphere]];
  }
};

struct SceneFormat;  // scene_formats.hpp

/// Format given by a file's extension, ignoring `.gz`; null for an unknown extension.
const SceneFormat* find_scene_format(const std::filesystem::path& path);
/// The same. Throws Error bad_file for an unknown extension.
const SceneFormat& scene_format(const std::filesystem::path& path);
/// The extensions, as messages and help texts name them: ".json, .csv, … or .ply, and perhaps .gz".
std::string scene_extensions();

/// Permitted locations of the files that a JSON scene names.
enum class FileScope : std::uint8_t {
  scene_folder,  ///< in the folder of the scene that names the file or below it, after resolving symbolic
                 ///< links
  anywhere,
};

struct SceneReadOptions {
  FileScope scope = FileScope::scene_folder;
  ReadControl control{};
};

/// Reads a scene. A JSON scene may name other scenes of any format, including JSON: their spheres and stars
/// follow its own. A scene that names itself, directly or through others, is an error; so are more
/// than `max_scene_files` references to files in total, ephemerides included. Throws Error: bad_file
/// ("scene.csv:17: …", element = the id of the bad sphere if there is one), out_of_memory, cancelled. Memory
/// is bounded by the content of the files, not by their headers.
SceneFile read_scene(const std::filesystem::path& path, const SceneReadOptions& options = {});
inline constexpr int max_scene_files = 4096;

/// Reads a scene from memory. Files that a JSON scene names are relative to `folder`.
SceneFile read_scene(ByteSource& source, const SceneFormat& format, const std::filesystem::path& folder,
                     const SceneReadOptions& options = {});

/// Reads an ephemeris, a CSV of t,x,y,z,vx,vy,vz. Appends its warnings to `warnings` unless it is null.
/// Throws Error: bad_file, out_of_memory, cancelled.
Motion read_ephemeris(ByteSource& source, std::vector<std::string>* warnings = nullptr);

/// Parses a star from the text of `--star x,y,z,r`. Throws Error invalid_argument.
SceneStar parse_star(std::string_view text);

}  // namespace sphaera::io
