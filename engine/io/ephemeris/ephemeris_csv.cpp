#include <algorithm>
#include <array>
#include <io/ephemeris/ephemeris_formats.hpp>
#include <io/ephemeris/ephemeris_samples.hpp>
#include <io/formats/csv.hpp>
#include <io/scene/scene_builder.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>
#include <iterator>
#include <span>

namespace sphaera::io {
namespace {

struct MotionColumn {
  enum : int { t, x, y, z, vx, vy, vz, body };
};
/// Which body a row is about, where the scene names a target.
constexpr std::array<std::string_view, 4> body_columns{"body", "target", "name", "id"};

/// The column that says which rows are those of the target; −1: all are.
int body_column(const CsvTable& table, const EphemerisOptions& options) {
  if (options.target.empty()) return -1;
  for (int i = 0; i < static_cast<int>(body_columns.size()); ++i)
    if (table.has(MotionColumn::body + i)) return MotionColumn::body + i;
  fail(table.name(), 1,
       "no column says which rows are those of the target " + shown(options.target) + "; there is none of " +
           listed(body_columns));
}

}  // namespace

Motion read_csv_ephemeris(ByteSource& source, const EphemerisOptions& options) {
  std::vector<std::string_view> columns(ephemeris_columns.begin(), ephemeris_columns.end());
  columns.insert(columns.end(), body_columns.begin(), body_columns.end());
  CsvTable table(source,
                 {.required = std::span(columns).first(MotionColumn::vx),
                  .optional = std::span(columns).subspan(MotionColumn::vx),
                  .exact = body_columns.size()},
                 options.csv);
  const int given = table.has(MotionColumn::vx) + table.has(MotionColumn::vy) + table.has(MotionColumn::vz);
  if (const char* const fault = velocity_columns_fault(given)) fail(table.name(), table.line(), fault);
  const int body = body_column(table, options);
  EphemerisSamples samples(table.name());
  while (table.next()) {
    if (body >= 0 && table.label(body) != options.target) continue;
    samples.add(
        {table.time(MotionColumn::t, options.epoch),
         {table.number(MotionColumn::x), table.number(MotionColumn::y), table.number(MotionColumn::z)},
         given == 0 ? Vec3{}
                    : Vec3{table.number(MotionColumn::vx), table.number(MotionColumn::vy),
                           table.number(MotionColumn::vz)}},
        table.line());
  }
  if (options.warnings) std::ranges::move(table.take_warnings(), std::back_inserter(*options.warnings));
  if (given == 0) {
    samples.differentiate(table.line());
    if (options.warnings)
      options.warnings->push_back(table.name() + ": without vx, vy, vz; velocities are by difference");
  }
  if (body >= 0 && samples.size() == 0)
    fail(table.name(), table.line(), "no row is of the target " + shown(options.target));
  return std::move(samples).finish(table.line());
}

}  // namespace sphaera::io
