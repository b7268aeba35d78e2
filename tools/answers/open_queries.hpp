#pragma once
/// \file Opens the file of queries of a run.

#include <filesystem>
#include <memory>
#include <optional>
#include <tools/files/queries/query_file.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {

/// Opens a file of queries. Shows the progress of the pass that counts the rows of a shard's file; what the
/// reader returns is not done before it is answered, so its fraction() is for the caller to show.
template <class Row>
files::QueryReader<Row> open_queries(const std::filesystem::path& path, files::QueryReadOptions options,
                                     const Console& console) {
  if (options.shard.count == 1) return files::QueryReader<Row>(path, options);
  const auto counting = std::make_shared<std::optional<Progress>>();  // the reader keeps the function
  counting->emplace(console, "reading " + path.string());
  options.control.progress = [counting](double done) {
    if (*counting) (*counting)->set_fraction(done);
  };
  files::QueryReader<Row> reader(path, options);
  counting->reset();
  return reader;
}

}  // namespace sphaera::tool
