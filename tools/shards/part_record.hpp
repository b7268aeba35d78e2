#pragma once
/// \file Collects the manifest of a run with --shard and writes it beside the result.

#include <io/streams/output.hpp>
#include <optional>
#include <tools/files/results/part_manifest.hpp>
#include <tools/files/results/table.hpp>
#include <tools/options/declare.hpp>
#include <tools/options/shared_options.hpp>

namespace sphaera::tool {

/// Without --shard it writes no manifest, and `commit` only commits the result. A part that goes to standard
/// output, a pipe or a device gets no manifest, and a note says so.
class PartRecord {
 public:
  void declare(CLI::App& app) { app_ = &app; }  ///< sets the verb whose options are recorded

  /// Adds the manifest to the outputs that the verb checks before any work.
  void add_output(CommonOptions& common) const;

  /// Call after the options are read. Throws Error io.
  void open(const CommonOptions& common, const files::Shard& shard, files::TableFormat format);

  // Lists that take the digests of the files read; null: no manifest is written.
  std::vector<io::FileDigest>* scene_files() { return output_ ? &manifest_.scene_files : nullptr; }
  std::vector<io::FileDigest>* query_files() { return output_ ? &manifest_.query_files : nullptr; }
  void answered(const files::QueryRange& queries) { manifest_.queries = queries; }

  /// Gives the finished result its name, then the manifest. Both are on the disk before: if the disk is full
  /// or memory is missing, neither appears. `merge` rejects a new part with an old manifest. Throws Error io.
  void commit(io::Output& result);

 private:
  bool is_part() const;

  const CLI::App* app_ = nullptr;
  std::filesystem::path result_;
  files::PartManifest manifest_;
  std::optional<io::Output> output_;
};

}  // namespace sphaera::tool
