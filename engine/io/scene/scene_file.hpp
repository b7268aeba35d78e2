#pragma once
/// \file Scene files: spheres with what is known of them, and stars.
///
/// By extension, each also with `.gz` behind it:
///   .json  {"sphaera": 1, "unit": "m", "stars": […], "spheres": […], "files": [{"path": …, "layer": …}]}
///   .csv   a header row with x,y,z,r and optionally vx,vy,vz,name,layer, in any order; blanks around a field
///          belong to it in quotes alone
///   .npy   N×4 (x,y,z,r) or N×7 (… vx,vy,vz) little-endian float64 in C order
///   .ply   element vertex with x,y,z,radius and optionally vx,vy,vz (ascii or binary, any scalar types)
/// Text is UTF-8: other names are an error. Ids are 0-based: a JSON scene's `spheres` in order, then those of
/// its `files` in order.

#include <array>
#include <cstdint>
#include <filesystem>
#include <io/streams/bytes.hpp>
#include <limits>
#include <optional>
#include <sphaera/motion.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Names of many spheres: one run of characters and the place where each name ends.
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
  void reserve(std::size_t n) { ends_.reserve(n); }

 private:
  std::string characters_;
  std::vector<std::uint64_t> ends_;
};

/// How a star's disc darkens towards its limb. In JSON `"limb_darkening": {"quadratic": [u1, u2]}`.
using LimbDarkening = sphaera::LimbDarkening;
inline constexpr std::array<std::string_view, 6> limb_law_names{"uniform", "linear", "quadratic",
                                                                "sqrt",    "power2", "claret4"};
constexpr int coefficient_count(LimbDarkening::Law law) {
  constexpr std::array counts{0, 1, 2, 2, 2, 4};
  return counts[static_cast<std::size_t>(law)];
}

/// A body's sampled path: file of t,x,y,z,vx,vy,vz with t strictly ascending. Times in seconds.
struct Ephemeris {
  struct Sample {
    double time = 0;
    Vec3 position, velocity;
  };
  std::vector<Sample> samples;  ///< at least one
};

/// A light. Exactly one of three forms.
struct Star {
  enum class Form : std::uint8_t {
    ball,    ///< at `center` with `radius`; 0 is a point
    remote,  ///< infinitely far: the unit of `direction` points to it, it spans ± `angular_radius`
    sphere,  ///< the star is sphere `sphere` of the scene
  };
  Form form = Form::ball;
  Vec3 center;                ///< ball
  double radius = 0;          ///< ball: ≥ 0
  Vec3 direction;             ///< remote: finite, not zero, any length
  double angular_radius = 0;  ///< remote: radians, 0 ≤ … < π/2
  std::int64_t sphere = -1;   ///< sphere: its id
  std::string name;           ///< may be empty
  LimbDarkening limb_darkening;
  std::optional<double> luminosity;    ///< watts, ≥ 0
  Vec3 velocity;                       ///< ball: units a second
  std::optional<Ephemeris> ephemeris;  ///< ball
};

/// What a scene file holds. Every sphere is valid (<base/validate.hpp>); the optional lists are either
/// empty or as long as `spheres`.
struct SceneFile {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;                     ///< units a second; empty: none is given
  Names names;                                      ///< empty: none is given
  std::vector<std::uint8_t> layers;                 ///< positions in layer_names; empty: all are on layer 0
  std::vector<std::string> layer_names{"default"};  ///< 1 … 64, in order of first appearance
  std::vector<double> resistances;                  ///< NaN where not given; empty: none is given
  std::vector<Star> stars;
  struct Orbit {
    std::int64_t sphere;
    Ephemeris ephemeris;
  };
  std::vector<Orbit> orbits;  ///< spheres with an ephemeris, ascending
  /// How a sphere turns. In JSON `"spin": {"axis": [x, y, z], "period": seconds, "meridian": [x, y, z]}`.
  struct Rotation {
    std::int64_t sphere;
    Spin spin;
    Vec3 meridian{1, 0, 0};  ///< towards longitude 0 at time 0, as far as it is at right angles to the axis
  };
  std::vector<Rotation> rotations;             ///< spheres that turn, ascending
  std::string unit;                            ///< a label, never a factor; empty: none is given
  std::vector<std::string> warnings;           ///< each a sentence without a newline
  std::vector<std::filesystem::path> sources;  ///< files that it was read from, ephemerides too

  /// Position of a layer in `layer_names`, −1 if there is none of that name.
  int layer(std::string_view name) const;
  const std::string& layer_name(std::size_t sphere) const {
    return layer_names[layers.empty() ? 0 : layers[sphere]];
  }
};

enum class SceneFormat : std::uint8_t { json, csv, npy, ply };

/// The format that a file's name stands for, `.gz` left aside. Throws Error bad_file for an unknown
/// extension.
SceneFormat scene_format(const std::filesystem::path& path);

/// Where the files that a JSON scene names may lie.
enum class Reach : std::uint8_t {
  scene_folder,  ///< in the folder of the naming scene or below it, symbolic links resolved
  anywhere,
};

struct SceneReadOptions {
  Reach reach = Reach::scene_folder;
  Watch watch{};
};

/// Reads a scene. A JSON scene may name other scenes of any format, JSON ones too: they count as if written
/// in its place, their stars included; a scene that names itself through others is an error, as are more than
/// `max_scene_files` files in all.
/// Throws Error: bad_file ("scene.csv:17: …", element = the id of the bad sphere where there is one),
/// out_of_memory, cancelled. Memory is bounded by what the files hold, whatever their headers say.
SceneFile read_scene(const std::filesystem::path& path, const SceneReadOptions& options = {});
inline constexpr int max_scene_files = 4096;

/// Reads a scene from memory; files that a JSON scene names are sought from `folder`.
SceneFile read_scene(ByteSource& source, SceneFormat format, const std::filesystem::path& folder,
                     const SceneReadOptions& options = {});

/// A star from the text of `--star x,y,z,r`. Throws Error invalid_argument.
Star parse_star(std::string_view text);

}  // namespace sphaera::io
