#include <array>
#include <tools/answers/shadow_table.hpp>
#include <tools/files/results/table_columns.hpp>
#include <tools/options/given_time.hpp>

namespace sphaera::tool {
namespace {

namespace column = files::column;

struct ShadowRow {
  const StarShadow& found;
  std::string date{};
};

/// In the order of ShadowContact.
constexpr std::array<std::string_view, 8> contact_names{"P1", "P2", "U1", "U2", "U3", "U4", "P3", "P4"};

constexpr files::ResultColumns shadow_columns{
    column::integer("star", "number of the star, from 0",
                    [](const ShadowRow& row) { return row.found.star; }),
    column::sphere("body", "id of the sphere that casts the shadow",
                   [](const ShadowRow& row) { return row.found.change.body; }),
    column::number("time", "in the scene's unit of time",
                   [](const ShadowRow& row) { return row.found.change.time; }),
    column::word(
        "contact", contact_names,
        "P1 and P4: it touches the penumbra from outside; P2 and P3: from inside. U1 to U4: the same of "
        "the umbra, U1 the beginning and U2 the begin of totality. NPY: positions in P1, P2, U1, U2, U3, "
        "U4, P3, P4",
        [](const ShadowRow& row) { return row.found.change.contact; })};
constexpr auto dated_shadow_columns =
    shadow_columns +
    files::ResultColumns{column::text("date", "with --dates: time as a date in UTC", &ShadowRow::date)};

}  // namespace

std::vector<files::Column> ShadowTable::columns(bool dates) {
  return dates ? dated_shadow_columns.list() : shadow_columns.list();
}

std::string ShadowTable::columns_help() { return dated_shadow_columns.help(); }

void ShadowTable::write(files::TableWriter& table, const std::vector<StarShadow>& contacts,
                        const std::optional<io::Instant>& epoch) {
  files::TableRows rows = table.rows();
  for (const StarShadow& found : contacts) {
    const ShadowRow row{found, epoch ? date_after(*epoch, found.change.time) : std::string()};
    epoch ? dated_shadow_columns.write(rows, row) : shadow_columns.write(rows, row);
  }
  table.write(rows);
}

}  // namespace sphaera::tool
