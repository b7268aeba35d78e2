#pragma once
/// \file The columns of a frame of XYZ, by its comment line: in extended XYZ
/// "Properties=species:S:1:pos:R:3…".

#include <cstdint>
#include <io/formats/lattice.hpp>
#include <io/streams/line_reader.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

class XyzColumns {
 public:
  enum class Column : std::uint8_t { species, x, y, z, vx, vy, vz, radius, ignored };

  XyzColumns() = default;
  /// `lines` has read the comment line. Throws bad_file for malformed properties.
  XyzColumns(std::string_view comment, const LineReader& lines);

  const std::vector<Column>& columns() const { return columns_; }
  bool has_velocity() const { return has_velocity_; }
  const Lattice& box() const { return box_; }
  const Vec3& box_corner() const { return box_corner_; }
  /// Takes what stands behind the columns of a row: in plain XYZ it is ignored, else an error.
  void rest(std::string_view words, const LineReader& lines);
  std::vector<std::string> warnings() const;

 private:
  void read_properties(std::string_view text, const LineReader& lines);
  void add(std::string_view name, std::size_t width, const LineReader& lines);

  std::vector<Column> columns_;
  bool is_extended_ = false, has_velocity_ = false, has_lattice_ = false, has_rest_ = false;
  Lattice box_{};
  Vec3 box_corner_;
  std::vector<std::string> ignored_;
};

}  // namespace sphaera::io
