#pragma once
/// \file Parts of one result: checks that they belong together and are complete.

#include <filesystem>
#include <optional>
#include <tools/files/results/part_manifest.hpp>
#include <tools/files/results/table.hpp>
#include <tools/terminal/console.hpp>
#include <vector>

namespace sphaera::tool {

/// Behavior if parts or their manifests are missing.
enum class Gaps : std::uint8_t { refused, allowed };

/// A result and its manifest, whose lists of files and options are left empty in all parts but one. A single
/// result, or one with allowed gaps, may have no manifest.
struct ResultFile {
  std::filesystem::path path;
  std::optional<files::PartManifest> manifest;
};

/// Have the parts chosen columns (`--output-columns`), whose first may not be the number of the query, or
/// rows of several times, each from the first query on?
bool has_free_order(const std::vector<ResultFile>& parts);

/// Reads the manifests and checks them against one another and against the sizes of the parts. Parts that all
/// have a manifest come back in the order of their numbers, others as given. Prints a warning for each
/// allowed gap and each missing manifest. Throws Error bad_file naming the part and the difference: parts of
/// different scenes, queries, options or verbs, a part given twice, a changed part; unless gaps are allowed,
/// a missing part, or a missing manifest of one of several parts.
std::vector<ResultFile> open_parts(const std::vector<std::filesystem::path>& paths, files::TableFormat format,
                                   Gaps gaps, const Console& console);

/// Throws Error bad_file if `read`, the digest of the bytes read, differs from the manifest's.
void check_digest(const ResultFile& part, const io::FileDigest& read);

}  // namespace sphaera::tool
