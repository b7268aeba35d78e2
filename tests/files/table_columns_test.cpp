/// The columns of results, declared once.

#include <cmath>
#include <tools/files/results/table_columns.hpp>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;
using files::TableFormat;
namespace column = files::column;

namespace {

enum class Ending : std::uint8_t { none, hits, misses };

struct Flight {
  double t;
  Vec3 place;
  Ending outcome;
};

struct FlightRow {
  std::uint64_t number;
  const Flight* flight;
  const bool* blocked;
};

constexpr std::array<std::string_view, 3> endings{"none", "hits", "misses"};
constexpr files::ResultColumns flight_columns{
    column::integer("query", "its number", &FlightRow::number),
    column::number("t", "when", column::of(&FlightRow::flight, &Flight::t)),
    column::number("x,y,z", "where", column::of(&FlightRow::flight, &Flight::place)),
    column::word("outcome", endings, "what", column::of(&FlightRow::flight, &Flight::outcome))};
constexpr auto more_columns =
    flight_columns +
    files::ResultColumns(column::flag("blocked", "is it", &FlightRow::blocked),
                         column::number("half", "a function of the row",
                                        [](const FlightRow& row) { return 0.5 * row.number; }));

constexpr bool yes = true, no = false;
constexpr Flight flight{0.1, {1, -0., 3}, Ending::misses};

std::string written_by_declaration(TableFormat format) {
  Folder folder;
  files::TableWriter table(folder / "t", format, more_columns.list());
  files::TableRows rows = table.rows();
  more_columns.write(rows, FlightRow{7, &flight, &yes});
  more_columns.write(rows, FlightRow{8, nullptr, nullptr});
  table.write(rows);
  table.commit();
  return contents(folder / "t");
}

}  // namespace

TEST_CASE("columns are declared once for every format", "[files]") {
  CHECK(written_by_declaration(TableFormat::csv) ==
        "query,t,x,y,z,outcome,blocked,half\n"
        "7,0.1,1,-0,3,misses,1,3.5\n"
        "8,,,,,,,4\n");
  CHECK(
      written_by_declaration(TableFormat::jsonl) ==
      "{\"query\":7,\"t\":0.1,\"x\":1,\"y\":-0,\"z\":3,\"outcome\":\"misses\",\"blocked\":1,\"half\":3.5}\n"
      "{\"query\":8,\"t\":null,\"x\":null,\"y\":null,\"z\":null,\"outcome\":null,\"blocked\":null,\"half\":4}"
      "\n");
  const std::string npy = written_by_declaration(TableFormat::npy);
  const std::string layout =
      "[('query', '<i8'), ('t', '<f8'), ('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('outcome', '|u1'), "
      "('blocked', '|u1'), ('half', '<f8')]";
  CHECK(contains(npy, "{'descr': " + layout + ", "));
  constexpr std::size_t row = 8 + 4 * 8 + 2 + 8;
  CHECK(files::npy_row_size(layout) == row);
  CHECK((npy.size() - 2 * row) % 64 == 0);
  double half = 0;
  std::memcpy(&half, npy.data() + npy.size() - sizeof half, sizeof half);
  CHECK(half == 4);
}

TEST_CASE("rows are the same if all cells are, to the last bit", "[files]") {
  const auto same = [](const Flight& a, const Flight& b) {
    return more_columns.same(FlightRow{1, &a, nullptr}, FlightRow{1, &b, nullptr});
  };
  const double nan = std::nan("");
  CHECK(same(flight, flight));
  CHECK(same({nan, {nan, 0, 0}, Ending::hits}, {nan, {nan, 0, 0}, Ending::hits}));
  CHECK(!same(flight, {std::nextafter(flight.t, 1), flight.place, flight.outcome}));
  CHECK(!same(flight, {flight.t, {1, 0, 3}, flight.outcome}));  // 0 for −0
  CHECK(!same(flight, {flight.t, flight.place, Ending::hits}));
  CHECK(!more_columns.same(FlightRow{1, &flight, nullptr}, FlightRow{2, &flight, nullptr}));
  CHECK(!more_columns.same(FlightRow{1, &flight, nullptr}, FlightRow{1, nullptr, nullptr}));
  CHECK(!more_columns.same(FlightRow{1, &flight, nullptr}, FlightRow{1, &flight, &no}));
  CHECK(!more_columns.same(FlightRow{1, &flight, &yes}, FlightRow{1, &flight, &no}));
  const bool another_no = no;
  CHECK(more_columns.same(FlightRow{1, &flight, &another_no}, FlightRow{1, &flight, &no}));
}

TEST_CASE("the help of columns has names in one column and their meanings in another", "[files]") {
  constexpr std::string_view sentence =
      "the angle θ between two directions, 0 … π, and so many words that they take more than a line of the "
      "text "
      "which the help of a verb is";
  constexpr files::ResultColumns columns{column::integer("ray", "its number", &FlightRow::number),
                                         column::number("nx,ny,nz", sentence, &FlightRow::number)};
  CHECK(columns.help() ==
        "  ray       its number\n"
        "  nx,ny,nz  the angle θ between two directions, 0 … π, and so many words that they take more than a "
        "line of the\n"
        "            text which the help of a verb is\n");
}
