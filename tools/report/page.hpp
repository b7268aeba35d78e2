#pragma once
/// \file The page of a report: a template with places for what is found.

#include <filesystem>
#include <io/streams/output.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tools/report/commands.hpp>
#include <tools/report/result_summary.hpp>
#include <tools/scene/scene_summary.hpp>
#include <vector>

namespace sphaera::tool {

/// What the scene is, as HTML.
std::string scene_section(const DescribedScene& described, LayerMask layers);

/// What a result says, as HTML.
std::string result_section(const ResultSummary& result, const std::vector<std::string>& commands,
                           const SceneFile& file);

/// The groups of sums with bars for their rows or areas, and some of the sums, as HTML.
std::string groups_table(const ResultSummary& result, const SceneFile& file);

/// Lists of what rows name most, and sums by layer, as HTML.
std::string frequent_tables(const ResultSummary& result, const SceneFile& file);

/// The id of a sphere in a cell with its name in the scene, if there is one: "46 A:ILE7:CD1".
std::string named_sphere(const std::string& cell, const SceneFile& file);

/// Is the column that of the names of the spheres before it, which stand in one cell with them?
bool stands_with_sphere(const ResultSummary& result, std::size_t column);

/// "25 %".
std::string percent(std::uint64_t part, std::uint64_t whole);

/// What is on the page: `inputs` are PNG files, by their extension, and those of `results`, in order.
struct Page {
  std::string title;
  std::vector<std::filesystem::path> inputs;
  std::vector<ResultSummary> results{};
  Commands commands{};
  std::string scene{}, still{}, view_data{};  ///< scene_section, still_picture, view_json
};

bool is_picture_file(const std::filesystem::path& path);

/// Writes the page. Throws Error: bad_file (a picture that is no PNG), io, cancelled.
void write_page(io::Output& output, const Page& page, const SceneFile& file, const std::stop_token& stop);

}  // namespace sphaera::tool
