#include <algorithm>
#include <io/ephemeris/ephemeris_formats.hpp>
#include <io/ephemeris/ephemeris_samples.hpp>
#include <io/formats/csv.hpp>
#include <io/scene/scene_formats.hpp>
#include <iterator>

namespace sphaera::io {
namespace {

constexpr int col_t = 0;

}  // namespace

Motion read_csv_ephemeris(ByteSource& source, const EphemerisOptions& options) {
  CsvTable table(source, {ephemeris_columns, {}}, options.csv);
  EphemerisSamples samples(table.name());
  while (table.next()) {
    samples.add({table.time(col_t, options.epoch),
                 {table.number(1), table.number(2), table.number(3)},
                 {table.number(4), table.number(5), table.number(6)}},
                table.line());
  }
  if (options.warnings) std::ranges::move(table.take_warnings(), std::back_inserter(*options.warnings));
  return std::move(samples).finish(table.line());
}

}  // namespace sphaera::io
