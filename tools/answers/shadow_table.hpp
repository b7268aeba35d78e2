#pragma once
/// \file Output of `eclipse --in-shadow`: contacts of a whole sphere with the shadows of others.

#include <io/formats/dates.hpp>
#include <optional>
#include <string>
#include <tools/files/results/table.hpp>
#include <tools/receivers/scene_over_time.hpp>
#include <vector>

namespace sphaera::tool {

class ShadowTable {
 public:
  static std::vector<files::Column> columns(bool dates);
  static std::string columns_help();

  /// Writes the rows, by star, time and body.
  static void write(files::TableWriter& table, const std::vector<StarShadow>& contacts,
                    const std::optional<io::Instant>& epoch);
};

}  // namespace sphaera::tool
