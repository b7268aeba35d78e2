#pragma once
/// \file The points of a VTK file and the arrays of data at them that a scene needs.

#include <deque>
#include <io/formats/vtk_block.hpp>
#include <io/scene/scene_read.hpp>
#include <io/scene/sphere_columns.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Points with arrays; a file has one piece or several.
struct VtkPiece {
  VtkArray points{"Points", 3, {}};
  std::uint64_t count = 0;  ///< of points, as the file says
  bool has_points = false;
  std::deque<VtkArray> arrays;       ///< which stay where they are
  std::vector<std::string> ignored;  ///< names of arrays that are not read, for the warning
};

/// Makes spheres of pieces: the radius is an array, `radius` or another one as in CSV, the velocity one of
/// three components, whose columns are NAME_x, NAME_y, NAME_z.
class VtkPoints {
 public:
  VtkPoints(std::string file, const SceneInput& input, SceneBuilder& builder);

  /// May the array be a radius or a velocity? Others need not be kept.
  bool wants(std::string_view name, std::uint64_t components) const;
  /// Throws Error bad_file.
  void add(const VtkPiece& piece);

 private:
  void find_columns(const VtkPiece& piece);

  std::string file_;
  const SceneInput& input_;
  SceneBuilder& builder_;
  ColumnTerms terms_;
  std::vector<std::string> names_;  // of the components of the first piece
  std::optional<SphereColumns> columns_;
};

}  // namespace sphaera::io
