/// \file Parts of results that are damaged although their manifest says otherwise.

#include <io/formats/npy.hpp>
#include <sphaera/error.hpp>
#include <string>
#include <tests/catch.hpp>
#include <tools/shards/result_part.hpp>
#include <vector>

using namespace sphaera;

namespace {

/// The numbers of the queries of a part.
std::vector<std::int64_t> queries(std::string_view bytes, files::TableFormat format) {
  const auto source = io::memory_source("part", bytes);
  const auto part = tool::open_part(*source, format, tool::FirstColumn::query_number);
  std::vector<std::int64_t> all;
  while (part->next()) all.push_back(part->query());
  return all;
}

}  // namespace

TEST_CASE("a part of a CSV result that is cut within a line, or within a row, is refused", "[shards]") {
  using enum files::TableFormat;
  const std::string whole = "query,sphere,t\n7,1,0.5\n8,2,0.25\n";
  CHECK(queries(whole, csv) == std::vector<std::int64_t>{7, 8});
  CHECK(queries("query,sphere,t\n", csv).empty());
  for (std::size_t size = whole.find('8'); size < whole.size(); ++size) {
    INFO(size << " bytes");
    if (whole[size - 1] == '\n') continue;  // a shorter result
    CHECK_THROWS_WITH(queries(whole.substr(0, size), csv), ContainsSubstring("cut short"));
  }
  CHECK_THROWS_WITH(queries("query,sphere,t\n7,1\n", csv),
                    ContainsSubstring("part:2") && ContainsSubstring("cut short"));
  CHECK_THROWS_WITH(queries("query,sphere,t\n7,1,2,3\n", csv),
                    ContainsSubstring("part:2") && ContainsSubstring("cut short"));
  CHECK_THROWS_WITH(queries("", csv), ContainsSubstring("empty"));
}

TEST_CASE("a part of a JSON Lines or NPY result with too few or too many bytes is refused", "[shards]") {
  using enum files::TableFormat;
  const std::string lines = "{\"query\":7,\"sphere\":1}\n{\"query\":8,\"sphere\":2}\n";
  CHECK(queries(lines, jsonl) == std::vector<std::int64_t>{7, 8});
  CHECK_THROWS_WITH(queries(lines.substr(0, lines.size() - 1), jsonl), ContainsSubstring("cut short"));

  std::string rows = io::npy_header("[('query', '<i8'), ('t', '<f8')]", 2);
  for (const std::int64_t query : {7, 8})
    rows.append(reinterpret_cast<const char*>(&query), 8).append(8, '\0');
  CHECK(queries(rows, npy) == std::vector<std::int64_t>{7, 8});
  CHECK_THROWS_WITH(queries(rows.substr(0, rows.size() - 1), npy), ContainsSubstring("cut short"));
  CHECK_THROWS_WITH(queries(rows + std::string(16, '\0'), npy),
                    ContainsSubstring("more rows than its header says"));
}

TEST_CASE("a part with chosen columns keeps every byte of its rows", "[shards]") {
  using enum files::TableFormat;
  const auto rows = [](std::string_view bytes, files::TableFormat format) {
    const auto source = io::memory_source("part", bytes);
    const auto part = tool::open_part(*source, format, tool::FirstColumn::any);
    std::string all(part->layout());
    while (part->next()) all += part->row();
    return all;
  };
  for (const std::string_view csv_rows : {"t\n\"\"\n0.5\n\"\"\n", "t,x\n,\n,1\n2,\n", "name\n\"a,b\"\n"})
    CHECK(rows(csv_rows, csv) == csv_rows);
  CHECK(rows("{\"t\":null}\n{\"t\":0.5}\n", jsonl) == "{\"t\":{\"t\":null}\n{\"t\":0.5}\n");
  const std::string flags = io::npy_header("[('blocked', '|u1')]", 2) + "\1" + std::string(1, '\0');
  CHECK(rows(flags, npy) == "[('blocked', '|u1')]\1" + std::string(1, '\0'));
}
