#pragma once
/// \file Where the data of a sphere stand among columns with names: those of a dump, properties of PLY,
/// arrays of VTK.

#include <array>
#include <io/scene/scene_builder.hpp>
#include <io/scene/scene_read.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// A format's columns, for messages and for the names that it gives them.
struct ColumnTerms {
  std::string_view one, many;                  ///< "property", "properties"
  std::string_view of{};                       ///< " of 'vertex'"
  std::vector<CsvOptions::Column> standard{};  ///< the format's own names, such as r: radius
  bool texts = false;                          ///< name and layer are read, too
};

/// Of the radius, the velocity, name and layer those that the options rename for this scene alone: it must
/// have them. A scene that another one names may lack what others of its files have.
std::vector<std::string_view> own_columns(const SceneInput& input);
/// Do the options give the column another name?
bool is_renamed(std::string_view column, const SceneLoadOptions& options);

/// Numbers as names of layers.
class NumberedLayers {
 public:
  explicit NumberedLayers(SceneBuilder& builder) : builder_(builder) {}
  /// Throws bad_file for a 65th layer.
  int layer(double number, const FileLine& place);

 private:
  SceneBuilder& builder_;
  double last_ = 0;
  int last_layer_ = -1;
};
/// Names the sphere appended last by a number.
void name_by(double number, SceneBuilder& builder);

/// The columns that hold x, y, z, the radius or the diameter, and perhaps the velocity, the name and the
/// layer: by SceneLoadOptions::csv, else by the format's names, else guessed as in CSV, with a warning.
class SphereColumns {
 public:
  enum Column : std::uint8_t { x, y, z, r, vx, vy, vz, diameter, name, layer };
  static constexpr std::size_t numbers = name;  ///< how many columns hold numbers alone
  static constexpr std::size_t count = layer + 1;
  using Values = std::array<double, count>;

  /// Throws Error bad_file if x, y, z, a radius (unless SceneLoadOptions::radius gives it) or a part of the
  /// velocity is missing. Warns of guesses, of the columns that are not read, and of `ignored`.
  SphereColumns(std::span<const std::string_view> names, const ColumnTerms& terms, const SceneInput& input,
                const FileLine& place, SceneBuilder& builder, std::vector<std::string> ignored = {});

  /// Would any of these be a column, if they were all?
  static bool knows(std::span<const std::string_view> names, const ColumnTerms& terms,
                    const SceneLoadOptions& options);

  /// Position among `names`; −1: absent.
  int operator[](std::size_t column) const { return positions_[column]; }
  bool has(std::size_t column) const { return positions_[column] >= 0; }
  bool has_velocity() const { return has(vx); }

  /// `values` are those of the columns; those of absent ones are not read.
  Sphere sphere(const Values& values) const {
    const double radius = has(r) ? values[r] : has(diameter) ? values[diameter] / 2 : radius_;
    return {{values[x], values[y], values[z]}, radius};
  }
  static Vec3 velocity(const Values& values) { return {values[vx], values[vy], values[vz]}; }

 private:
  std::vector<int> positions_;
  double radius_;
};

}  // namespace sphaera::io
