#pragma once
/// \file Which points see which targets, as a PNG picture: a row a point, a column a target.

#include <cstdint>
#include <sphaera/sight.hpp>
#include <string>
#include <vector>

namespace sphaera::tool {

/// Words of the picture.
struct SightWords {
  std::string scene;            ///< name of its file
  std::string points, targets;  ///< labels of the axes
};

/// Takes tables of consecutive points. It holds at most max_cells² cells: a cell stands for several points
/// and targets where there are more.
class SightPicture {
 public:
  explicit SightPicture(std::size_t targets);

  void take(const SightTable& table);  ///< its columns are the targets
  /// See Canvas for the limits.
  std::string png(const SightWords& words) const;

 private:
  static constexpr std::size_t max_cells = 1024;

  void join_rows();
  std::uint64_t pairs_of(std::size_t row, std::size_t column) const;
  std::string title() const;
  std::string subtitle(const std::string& scene) const;

  std::size_t targets_, targets_per_cell_, columns_;
  std::size_t points_ = 0, points_per_cell_ = 1;
  std::vector<std::uint64_t> seen_;  ///< number of pairs that see each other, row by row
};

}  // namespace sphaera::tool
