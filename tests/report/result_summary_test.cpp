/// \file Sums of a result against sums of all its numbers at once.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <span>
#include <sphaera/error.hpp>
#include <tests/scratch_files.hpp>
#include <tests/seed.hpp>
#include <tools/report/html.hpp>
#include <tools/report/result_summary.hpp>

using namespace sphaera;

namespace {

tool::ResultSummary of_text(const std::string& text, std::uint64_t spheres = 100,
                            std::span<const std::uint8_t> layers = {}) {
  const test::Folder folder;
  std::ofstream(folder / "r.csv") << text;
  return tool::sum_up(folder / "r.csv", {.spheres = spheres, .layers = layers});
}

}  // namespace

TEST_CASE("numbers of a result: mean, deviation, extremes, histogram, spheres", "[report]") {
  std::mt19937_64 random(test::seed());
  std::lognormal_distribution<double> distance(0, 3);
  std::vector<double> all;
  std::vector<std::uint64_t> rows(100);
  std::string text = "point,sphere,distance\n";
  char row[100];
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t sphere = random() % 100 * (random() % 100) / 100;
    ++rows[sphere];
    all.push_back(distance(random));
    std::snprintf(row, sizeof row, "%d,%d,%.17g\n", i / 3, static_cast<int>(sphere), all.back());
    text += row;
  }
  const tool::ResultSummary summary = of_text(text + "1000,-1,\n");
  CHECK(summary.question.starts_with("nearest"));
  CHECK(summary.rows == 3001);
  CHECK(summary.queries == 1001);
  const tool::ColumnSummary &sphere = summary.columns.at(1), &column = summary.columns.at(2);
  CHECK((sphere.numbers == 3000 && sphere.empty == 1 && column.numbers == 3000 && column.empty == 1));
  const double mean = std::accumulate(all.begin(), all.end(), 0.) / 3000;
  double squares = 0;
  for (const double value : all) squares += (value - mean) * (value - mean);
  CHECK(std::abs(column.mean - mean) < 1e-12 * mean);
  CHECK(std::abs(column.deviation() / std::sqrt(squares / 2999) - 1) < 1e-12);
  const std::vector<std::uint64_t>& counts = column.histogram.counts();
  CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == 3000);
  std::ranges::sort(all);
  CHECK((column.least == all.front() && column.greatest == all.back()));
  REQUIRE((column.most.size() == 10 && column.fewest.size() == 10 && sphere.top_spheres.size() == 10));
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(column.fewest[i].value == all[i]);
    CHECK(column.most[i].value == all[all.size() - 1 - i]);
  }
  CHECK(rows[static_cast<std::size_t>(sphere.top_spheres[0].sphere)] == std::ranges::max(rows));
  std::ranges::sort(rows, std::greater());
  for (std::size_t i = 0; i < 10; ++i) CHECK(sphere.top_spheres[i].rows == rows[i]);
}

TEST_CASE("sums are known by rows and share behind their keys", "[report]") {
  std::string text = "city,sphere,sphere_name,rows,share,flux_mean\n";
  for (int i = 0; i < 25; ++i) text += "c" + std::to_string(i) + ",3,Mars,7,0.04,0.5\n";
  const tool::ResultSummary sums = of_text(text);
  CHECK(sums.sum_keys == 3);
  REQUIRE(sums.groups.size() == tool::max_groups);
  CHECK(sums.groups[19] == std::vector<std::string>{"c19", "3", "Mars", "7", "0.04", "0.5"});
  CHECK(of_text("rows,share\n1,1\n").sum_keys == 0);
  CHECK(of_text("city,share,rows\na,1,1\n").sum_keys == 0);
}

TEST_CASE("magnitudes of the ground count apart, texts and dates name rows", "[report]") {
  const tool::ResultSummary summary = of_text(
      "observer,star,fraction,light,magnitude,date,city\n0,0,0,umbra,338,2024-04-08,Paris\n"
      "1,0,0.5,penumbra,0.5,2024-04-09,Lima\n2,0,0,umbra,1.25,2024-04-10,Oslo\n");
  const tool::ColumnSummary& magnitude = summary.columns.at(4);
  CHECK((magnitude.left_out == 1 && magnitude.numbers == 2 && magnitude.greatest == 1.25));
  CHECK(magnitude.mean == 0.875);
  REQUIRE(magnitude.most.size() == 2);
  CHECK(magnitude.most[0].labels.back() == "Oslo");
  CHECK(std::ranges::find(summary.labels, 5) != summary.labels.end());
  CHECK(std::ranges::find(summary.labels, 3) == summary.labels.end());
  CHECK(of_text("star,body,greatest,magnitude\n0,1,3,0.5\n").question.starts_with("eclipse"));
  CHECK(of_text("x,y,z\n1,2,3\n").question.empty());
}

TEST_CASE("rows of many times are curves that keep their peaks", "[report]") {
  std::string text = "observer,star,flux,time,city\n";
  for (int t = 0; t <= 10000; ++t)
    for (int o = 0; o < 10; ++o)
      text += std::to_string(o) + ",0," + (t == 5001 ? "0" : "1") + "," + std::to_string(t) + ",<" +
              std::to_string(o) + ">\n";
  const tool::ResultSummary summary = of_text(text);
  CHECK(summary.curve_column == "flux");
  const std::string html = summary.curves.html("flux");
  std::size_t lines = 0, dips = 0;
  for (std::size_t at = 0; (at = html.find("<polyline", at)) != std::string::npos; ++at) ++lines;
  for (std::size_t at = 0; (at = html.find("320.06,200.00", at)) != std::string::npos; ++at) ++dips;
  CHECK((lines == tool::Curves::max_curves && dips == lines));
  CHECK_THAT(html, ContainsSubstring("&lt;7&gt; (observer 7)") && ContainsSubstring("and 2 more"));
  CHECK(of_text("star,time,body,before,flux\n0,1,1,lit,1\n0,2,1,lit,1\n").curves.empty());
  CHECK(of_text("time,rows,share,flux\n0,1,1,1\n1,2,1,1\n").curves.empty());
}

TEST_CASE("a histogram counts each number in the bin of its range", "[report]") {
  using tool::Histogram, tool::HistogramScale;
  std::mt19937_64 random(test::seed());
  for (const auto& [least, greatest] : {std::pair(-1e308, 1e308), {0., 1e-300}, {1e-9, 1e9}, {-3., 4.}}) {
    const HistogramScale scale = HistogramScale::of(least, greatest);
    CHECK(scale.logarithmic == (least > 0));
    Histogram histogram(scale);
    std::vector<std::uint64_t> expected(histogram.counts().size());
    for (int i = 0; i < 1000; ++i) {
      const std::size_t bin = random() % expected.size();
      ++expected[bin];
      histogram.add(scale.value((static_cast<double>(bin) + 0.5) / static_cast<double>(expected.size())));
    }
    CHECK(histogram.counts() == expected);
  }
  Histogram whole(HistogramScale::of(2, 6), Histogram::Numbers::whole);
  for (const double value : {2, 6, 6, 3}) whole.add(value);
  CHECK(whole.counts() == std::vector<std::uint64_t>{1, 1, 0, 0, 2});
}

TEST_CASE("results that are none of this scene are refused with their line", "[report]") {
  CHECK_THROWS_WITH(of_text("ray,sphere\n0,5\n1,100\n"),
                    ContainsSubstring("r.csv:3") && ContainsSubstring("no sphere 100 among the scene's 100"));
  CHECK_THROWS_WITH(of_text("ray,sphere\n0,1.5\n"), ContainsSubstring("r.csv:2"));
  CHECK_THROWS_WITH(of_text("ray,sphere\n0,Mars\n"), ContainsSubstring("'Mars' is no id"));
  CHECK_THROWS_WITH(of_text("ray,sphere\n0\n"),
                    ContainsSubstring("r.csv:2") && ContainsSubstring("cut short"));
  CHECK_THROWS_WITH(of_text(""), ContainsSubstring("empty"));
  CHECK(of_text("ray,sphere\n").rows == 0);
  CHECK(of_text("t,u\n1,inf\n2,-inf\n3,x\n").columns[1].infinite == 2);
}

TEST_CASE("base64 by the examples of RFC 4648, and text without markup", "[report]") {
  using namespace tool;
  CHECK((html::base64("").empty() && html::base64("f") == "Zg==" && html::base64("fo") == "Zm8="));
  CHECK((html::base64("foo") == "Zm9v" && html::base64("foob") == "Zm9vYg==" &&
         html::base64("fooba") == "Zm9vYmE="));
  CHECK(html::base64("\xfb\xff\xfe") == "+//+");
  CHECK(html::escaped("<a href='x'>\"&\x1b") == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\\x1b");
}

TEST_CASE("the points that see most, the targets seen most", "[report]") {
  std::mt19937_64 random(test::seed());
  std::vector<std::uint64_t> seen_from(50), seen(40);
  std::string text = "from,to\n";
  for (std::size_t from = 0; from < seen_from.size(); ++from) {
    for (std::size_t to = 0; to < seen.size(); ++to) {
      if (random() % 40 > to) continue;
      ++seen_from[from], ++seen[to];
      text += std::to_string(from) + "," + std::to_string(to) + "\n";
    }
  }
  const auto check = [](const std::vector<tool::QueryCount>& top, std::vector<std::uint64_t> counts) {
    REQUIRE(top.size() == tool::top_count);
    for (const auto& [query, rows] : top) CHECK(counts.at(std::stoul(query)) == rows);
    std::ranges::sort(counts, std::greater());
    for (std::size_t i = 0; i < top.size(); ++i) CHECK(top[i].rows == counts[i]);
  };
  const tool::ResultSummary summary = of_text(text);
  check(summary.columns[0].top_queries, seen_from);
  check(summary.columns[1].top_queries, seen);

  // Lists that say nothing are empty: as many rows each, rows at several times, numbers that are no counts.
  CHECK(of_text("ray,sphere\n0,1\n0,2\n1,1\n1,3\n").columns[0].top_queries.empty());
  CHECK(of_text("from,to,time\n0,1,0\n0,2,0\n1,1,0\n").columns[0].top_queries.empty());
  CHECK(of_text("from,to\n0,1e9\n0,-1\n1,3e300\n").columns[1].top_queries.empty());
  CHECK(of_text("from,to\n").columns[0].top_queries.empty());
}

TEST_CASE("rows and areas by the layer of their sphere", "[report]") {
  std::mt19937_64 random(test::seed());
  std::vector<std::uint8_t> layers(100);
  for (std::uint8_t& layer : layers) layer = random() % 5;
  std::vector<std::uint64_t> rows(5);
  std::vector<double> areas(5);
  std::string text = "sphere,area,hider\n";
  for (std::size_t sphere = 0; sphere < layers.size(); sphere += 1 + random() % 2) {
    const double area = static_cast<double>(random() % 1000) / 8;
    ++rows[layers[sphere]], areas[layers[sphere]] += area;
    text += std::to_string(sphere) + "," + std::to_string(area) + ",-1\n";
  }
  const tool::ResultSummary summary = of_text(text, layers.size(), layers);
  CHECK(summary.sum_column == "area");
  CHECK(summary.columns[2].by_layer.empty());
  const std::vector<tool::LayerSum>& found = summary.columns[0].by_layer;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK((i < found.size() ? found[i].rows : 0) == rows[i]);
    CHECK((i < found.size() ? found[i].sum : 0) == areas[i]);
  }
  CHECK(of_text(text).columns[0].by_layer.empty());
}
