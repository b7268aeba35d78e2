#pragma once
/// \file A result of any verb, summed up in bounded memory: what a report says of it.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tools/report/curves.hpp>
#include <tools/report/histogram.hpp>
#include <tools/report/known_columns.hpp>
#include <vector>

namespace sphaera::tool {

/// How many rows and spheres a list of extremes has.
inline constexpr std::size_t top_count = 10;

/// A row with one of the greatest or least values of a column.
struct TopRow {
  double value;
  std::vector<std::string> labels;  ///< its cells in ResultSummary::labels
};

struct SphereCount {
  std::int64_t sphere;
  std::uint64_t rows;
};

/// A number of a query, and how many rows it has.
struct QueryCount {
  std::string query;
  std::uint64_t rows;
};

/// The rows that name a sphere of a layer, and the sum of their numbers in ResultSummary::sum_column.
struct LayerSum {
  std::uint64_t rows = 0;
  double sum = 0;
};

struct ColumnSummary {
  std::string name;
  Role role = Role::measure;
  std::uint64_t numbers = 0, infinite = 0, empty = 0, texts = 0;  ///< cells; `numbers` are finite
  std::uint64_t left_out = 0;  ///< cells with numbers beyond greatest_shown, which do not count as numbers
  bool whole = true;           ///< all numbers are integers
  double least = 0, greatest = 0, mean = 0, squares = 0;      ///< squares: sum of (number − mean)²
  std::vector<TopRow> most{}, fewest{};                       ///< of a measure, at most top_count each
  std::map<std::string, std::uint64_t, std::less<>> words{};  ///< texts and their numbers, at most max_words
  std::uint64_t other_words = 0;                              ///< cells with other texts
  Histogram histogram{};                                      ///< of a measure with two numbers or more
  std::vector<SphereCount> top_spheres{};                     ///< of a column of spheres
  std::uint64_t spheres = 0;                                  ///< how many different ones are in it
  std::vector<LayerSum> by_layer{};                           ///< of a column of spheres, if there are layers
  std::vector<QueryCount> top_queries{};  ///< of `to` and a first column, if their rows differ

  double deviation() const;  ///< the standard deviation
  double total() const { return mean * static_cast<double>(numbers); }
  bool has_histogram() const { return role == Role::measure && least < greatest; }
};
inline constexpr std::size_t max_words = 24;

/// Numbers of the spheres that a view shows, in its order. NaN: none.
struct Shade {
  std::string label;
  std::vector<float> values;
};

struct ResultSummary {
  std::filesystem::path path;
  std::string question{};
  std::uint64_t rows = 0;
  std::uint64_t queries =
      0;  ///< changes of the first column, plus 1: its different values if rows of one stand together
  std::vector<ColumnSummary> columns{};
  std::vector<std::size_t> labels{};  ///< columns that say what a row is about
  std::vector<Shade> shades{};
  std::string curve_column{};  ///< of --times: the number that has curves over time; else empty
  Curves curves{};
  std::string sum_column{};  ///< the first that is_additive; else empty
  std::size_t sum_keys = 0;  ///< of sums (--by): how many of the columns are keys; else 0
  std::vector<std::vector<std::string>> groups{};  ///< of sums: the cells of the first max_groups rows
};
/// They come by intervals or by their number of rows, as --by writes them.
inline constexpr std::size_t max_groups = 20;

struct SummaryOptions {
  std::uint64_t spheres = 0;               ///< number of spheres of the scene: ids are less
  std::span<const std::uint8_t> layers{};  ///< of the spheres; empty: there is one
  std::span<const std::int64_t> shown{};   ///< ids of the spheres that the view shows
  std::stop_token stop{};
};

/// Reads a result twice. Throws Error bad_file: not a result, a sphere that is not in the scene, changed
/// between the passes; cancelled.
ResultSummary sum_up(const std::filesystem::path& path, const SummaryOptions& options);

}  // namespace sphaera::tool
