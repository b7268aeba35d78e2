/// Result tables.

#include <simdjson.h>
#include <cmath>
#include <cstring>
#include <tools/files/results/table.hpp>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;
using files::Column;
using files::TableFormat;

namespace {

const std::vector<Column> columns{Column::integer("ray"), Column::number("t"), Column::flag("blocked"),
                                  Column::word("contact", {"miss", "enters", "starts_inside"})};

/// Three rows: plain, extreme, empty.
std::string written(TableFormat format, std::vector<Column> with = columns) {
  Folder folder;
  files::TableWriter table(folder / "t", format, std::move(with));
  files::TableRows rows = table.rows();
  rows.integer(0).number(0.1).flag(true).word(2).end_row();
  rows.integer(INT64_MIN).number(-HUGE_VAL).flag(false).word(0).end_row();
  CHECK(rows.size() == 2);
  table.write(rows);
  rows.clear();
  rows.empty().number(NAN).empty().empty().end_row();
  table.write(rows);
  table.commit();
  return contents(folder / "t");
}

template <class T>
T raw(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("tables as CSV", "[files]") {
  CHECK(written(TableFormat::csv) ==
        "ray,t,blocked,contact\n"
        "0,0.1,1,starts_inside\n"
        "-9223372036854775808,-inf,0,miss\n"
        ",,,\n");
}

TEST_CASE("tables as JSON Lines", "[files]") {
  CHECK(written(TableFormat::jsonl) ==
        "{\"ray\":0,\"t\":0.1,\"blocked\":1,\"contact\":\"starts_inside\"}\n"
        "{\"ray\":-9223372036854775808,\"t\":\"-inf\",\"blocked\":0,\"contact\":\"miss\"}\n"
        "{\"ray\":null,\"t\":null,\"blocked\":null,\"contact\":null}\n");
}

TEST_CASE("tables as NPY", "[files]") {
  const std::string file = written(TableFormat::npy);
  const std::size_t start = 10 + raw<std::uint16_t>(file, 8);
  CHECK(start % 64 == 0);
  const std::string header = file.substr(10, start - 10);
  CHECK(header.rfind("{'descr': [('ray', '<i8'), ('t', '<f8'), ('blocked', '|u1'), ('contact', '|u1')], "
                     "'fortran_order': False, 'shape': (3,), } ",
                     0) == 0);
  CHECK(header.back() == '\n');
  constexpr std::size_t row = 8 + 8 + 1 + 1;
  REQUIRE(file.size() == start + 3 * row);
  CHECK(raw<std::int64_t>(file, start) == 0);
  CHECK(raw<double>(file, start + 8) == 0.1);
  CHECK(file[start + 16] == 1);
  CHECK(file[start + 17] == 2);
  CHECK(raw<std::int64_t>(file, start + row) == INT64_MIN);
  CHECK(raw<double>(file, start + row + 8) == -HUGE_VAL);
  CHECK(raw<std::int64_t>(file, start + 2 * row) == -1);
  CHECK(std::isnan(raw<double>(file, start + 2 * row + 8)));
  CHECK(file[start + 2 * row + 17] == 0);
}

TEST_CASE("a table shows chosen columns in their order", "[files]") {
  Folder folder;
  const auto shown = [&](TableFormat format, const std::vector<std::size_t>& order) {
    files::TableWriter table(folder / "t", format, columns, order);
    files::TableRows rows = table.rows();
    rows.integer(7).number(0.5).flag(true).word(1).end_row();
    rows.integer(8).empty().empty().empty().end_row();
    CHECK(rows.size() == 2);
    table.write(rows);
    rows.clear();
    rows.integer(9).number(-1).flag(false).word(2).end_row();
    table.write(rows);
    files::TableRows whole = table.whole_rows();
    whole.integer(7).number(0.5).flag(true).word(1).end_row();
    if (format == TableFormat::csv) CHECK(whole.bytes() == "7,0.5,1,enters\n");
    table.commit();
    return contents(folder / "t");
  };
  CHECK(shown(TableFormat::csv, {0, 3}) == "ray,contact\n7,enters\n8,\n9,starts_inside\n");
  CHECK(shown(TableFormat::csv, {2, 1, 3, 0}) ==
        "blocked,t,contact,ray\n1,0.5,enters,7\n,,,8\n0,-1,starts_inside,9\n");
  CHECK(shown(TableFormat::csv, {1}) == "t\n0.5\n\"\"\n-1\n");
  CHECK(shown(TableFormat::jsonl, {1}) == "{\"t\":0.5}\n{\"t\":null}\n{\"t\":-1}\n");
  CHECK(shown(TableFormat::jsonl, {3, 0}) ==
        "{\"contact\":\"enters\",\"ray\":7}\n{\"contact\":null,\"ray\":8}\n{\"contact\":\"starts_inside\","
        "\"ray\":9}\n");
  const std::string file = shown(TableFormat::npy, {2, 1});
  const std::size_t start = 10 + raw<std::uint16_t>(file, 8);
  CHECK(contains(file, "'descr': [('blocked', '|u1'), ('t', '<f8')],"));
  REQUIRE(file.size() == start + 3 * 9);
  CHECK(file[start] == 1);
  CHECK(raw<double>(file, start + 1) == 0.5);
  CHECK(std::isnan(raw<double>(file, start + 10)));
  CHECK(raw<double>(file, start + 19) == -1);
}

TEST_CASE("names of spheres and kept fields stand in a table's rows by themselves", "[files]") {
  Folder folder;
  Names names, fields;
  for (const char* name : {"Io", "", "a,\"b"}) names.push_back(name);
  for (const char* field : {"skipped", " 1.50", "x", "", "7"}) fields.push_back(field);
  const auto written = [&](TableFormat format, std::vector<Column> all) {
    files::TableWriter table(folder / "t", format, std::move(all));
    table.name_spheres(&names);
    files::TableRows rows = table.rows();
    rows.sphere(2).flag(true).end_row();
    rows.keep(fields, 1);
    rows.sphere(0).flag(false).end_row();
    rows.sphere(1).flag(false).end_row();
    rows.keep(fields, 3);
    rows.empty().empty().end_row();
    rows.sphere(-1).flag(true).end_row();
    table.write(rows);
    table.commit();
    return contents(folder / "t");
  };
  const std::vector<Column> texts{Column::sphere("s"), Column::sphere_name("s_name"), Column::flag("f"),
                                  Column::kept("a"), Column::kept("b")};
  CHECK(written(TableFormat::csv, texts) ==
        "s,s_name,f,a,b\n2,\"a,\"\"b\",1,,\n0,Io,0,\" 1.50\",x\n1,,0,\" 1.50\",x\n,,,,7\n-1,,1,,7\n");
  CHECK(contains(written(TableFormat::jsonl, texts),
                 R"({"s":0,"s_name":"Io","f":0,"a":" 1.50","b":"x"}
{"s":1,"s_name":null,"f":0,"a":" 1.50","b":"x"}
{"s":null,"s_name":null,"f":null,"a":null,"b":"7"})"));
  const std::string file =
      written(TableFormat::npy, {Column::sphere("s"), Column::flag("f"), Column::kept("a")});
  const std::size_t start = 10 + raw<std::uint16_t>(file, 8);
  CHECK(contains(file, "[('s', '<i8'), ('f', '|u1'), ('a', '<f8')]"));
  REQUIRE(file.size() == start + 5 * 17);
  CHECK(std::isnan(raw<double>(file, start + 9)));
  CHECK(raw<double>(file, start + 17 + 9) == 1.5);
  CHECK(raw<std::int64_t>(file, start + 4 * 17) == -1);
  CHECK_THROWS_WITH(written(TableFormat::npy, texts), ContainsSubstring("NPY holds no text"));
}

TEST_CASE("an empty table has its header", "[files]") {
  Folder folder;
  for (const TableFormat format : {TableFormat::csv, TableFormat::jsonl, TableFormat::npy}) {
    files::TableWriter table(folder / "t", format, columns);
    table.commit();
    const std::string file = contents(folder / "t");
    if (format == TableFormat::csv) CHECK(file == "ray,t,blocked,contact\n");
    if (format == TableFormat::jsonl) CHECK(file.empty());
    if (format == TableFormat::npy) CHECK(contains(file, "'shape': (0,), }"));
  }
}

TEST_CASE("text is quoted as the format asks", "[files]") {
  Folder folder;
  const std::vector<std::string> texts{
      "plain", "a,b", "say \"x\"", "two\nlines", "\r", "\\ \t\x01", "Zoë 🪐", "\xff\xc0\x80\xed\xa0\x80", ""};
  std::string csv, jsonl;
  for (const TableFormat format : {TableFormat::csv, TableFormat::jsonl}) {
    files::TableWriter table(folder / "t", format, {Column::text("x")});
    files::TableRows rows = table.rows();
    for (const std::string& text : texts) rows.text(text).end_row();
    table.write(rows);
    table.commit();
    (format == TableFormat::csv ? csv : jsonl) = contents(folder / "t");
  }
  CHECK(csv ==
        "x\nplain\n\"a,b\"\n\"say \"\"x\"\"\"\n\"two\nlines\"\n\"\r\"\n\\ \t\x01\nZoë "
        "🪐\n\xff\xc0\x80\xed\xa0\x80\n\"\"\n");  // not a blank line, which readers skip
  simdjson::dom::parser parser;
  std::size_t i = 0;
  for (auto document : parser.parse_many(jsonl)) {
    std::string_view text;
    REQUIRE(document["x"].get_string().get(text) == simdjson::SUCCESS);
    if (texts[i].front() != '\xff') CHECK(text == texts[i]);
    ++i;
  }
  CHECK(i == texts.size());
  CHECK(contains(error_of([&] { files::TableWriter(folder / "t", TableFormat::npy, {Column::text("x")}); },
                          ErrorCode::invalid_argument),
                 "NPY holds no text"));
}

TEST_CASE("cells must fit their columns", "[files]") {
  Folder folder;
  files::TableWriter table(folder / "t", TableFormat::csv, columns);
  const auto wrong = [&](const std::function<void(files::TableRows&)>& fill) {
    files::TableRows rows = table.rows();
    error_of([&] { fill(rows); }, ErrorCode::internal);
  };
  wrong([](files::TableRows& rows) { rows.number(1); });
  wrong([](files::TableRows& rows) { rows.integer(1).end_row(); });
  wrong([](files::TableRows& rows) { rows.integer(1).number(1).flag(true).word(3); });
  wrong([](files::TableRows& rows) { rows.integer(1).number(1).flag(true).word(1).empty(); });
  wrong([&](files::TableRows& rows) { table.write(rows.integer(1)); });
}
