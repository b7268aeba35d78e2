#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <base/files/target.hpp>
#include <sphaera/version.hpp>
#include <tools/shards/part_record.hpp>
#include <tools/shards/part_set.hpp>

namespace sphaera::tool {
namespace {

// The manifest records all other options, future ones too: they may change rows.
constexpr std::array<std::string_view, 17> options_without_effect{
    "--help",    "--version", "SCENE",         "--threads", "--output",    "--quiet",
    "--quality", "--search",  "--brute-force", "--verify",  "--verify-by", "--seed",
    "--shard",   "--format",  "--picture",     "--title",   "--matrix"};
// Options that name files whose digests are recorded: the content of the files must be equal in all parts,
// not their names.
constexpr std::array<std::string_view, 8> files_by_content{
    "--rays", "--points", "--balls", "--observers", "--stations", "--path", "--bullets", "--radii"};

bool is_among(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

/// `--from` and `--to` are files in visibility and map, times in eclipse.
bool names_file_by_content(const CLI::App& app, std::string_view option) {
  return is_among(option, files_by_content) || ((app.get_name() == "visibility" || app.get_name() == "map") &&
                                                (option == "--from" || option == "--to"));
}

std::vector<files::PartManifest::Option> options_of(const CLI::App& app) {
  std::vector<files::PartManifest::Option> options;
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || is_among(name, options_without_effect)) continue;
    std::string value;
    if (!names_file_by_content(app, name)) {
      for (const std::string& text : option->results()) value += (value.empty() ? "" : " ") + text;
    }
    options.push_back({name, value});
  }
  std::ranges::sort(options, {}, &files::PartManifest::Option::name);
  return options;
}

bool becomes_a_file(const std::filesystem::path& output) {
  return base::target_of(output).kind == base::Target::Kind::file;
}

}  // namespace

bool PartRecord::is_part() const { return app_->get_option("--shard")->count() > 0; }

void PartRecord::add_output(CommonOptions& common) const {
  if (is_part() && becomes_a_file(common.output))
    common.more_outputs.push_back({"the manifest of --output", files::manifest_path(common.output)});
}

void PartRecord::open(const CommonOptions& common, const files::Shard& shard, files::TableFormat format) {
  if (!is_part()) return;
  if (!becomes_a_file(common.output)) {
    return common.console().note(
        "this part gets no manifest, because it does not go to a file, and merge then needs --allow-gaps; "
        "give --output FILE");
  }
  result_ = common.output, manifest_.shard = shard;
  manifest_.version = SPHAERA_VERSION, manifest_.verb = app_->get_name(), manifest_.format = name_of(format);
  manifest_.options = options_of(*app_);
  output_.emplace(files::manifest_path(result_));
}

void PartRecord::commit(io::Output& result) {
  if (!output_) return result.commit();
  manifest_.result = result.digest();
  manifest_.result.name = result_.filename().string();
  output_->write(files::json_of(manifest_));
  output_->finish();
  result.commit();
  output_->commit();
}

}  // namespace sphaera::tool
