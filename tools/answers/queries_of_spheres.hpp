#pragma once
/// \file Queries that a scene's own spheres give, for verbs that are asked about these.

#include <algorithm>
#include <numeric>
#include <sphaera/scene.hpp>
#include <tools/files/queries/query_file.hpp>
#include <vector>

namespace sphaera::tool {

/// The query of each of `count` spheres from the id `first` on; each ignores its sphere.
template <class QueryOf>
auto queries_of_spheres(const Scene& scene, std::uint64_t first, std::size_t count, const QueryOf& query_of) {
  using Query = std::invoke_result_t<QueryOf, const Sphere&>;
  files::QueryChunk<Query> chunk{first, std::vector<Query>(count), std::vector<std::int64_t>(count)};
  std::ranges::transform(scene.spheres().subspan(first, count), chunk.queries.begin(), query_of);
  std::iota(chunk.ignore.begin(), chunk.ignore.end(), static_cast<std::int64_t>(first));
  return chunk;
}

/// Calls work(at, range) for each run of consecutive ids, which begins at ids[at]. In the sample of --verify
/// ids are not consecutive.
template <class Work>
void each_run(std::span<const std::int64_t> ids, const Work& work) {
  for (std::size_t at = 0, count = 0; at < ids.size(); at += count) {
    for (count = 1; at + count < ids.size() && ids[at + count] == ids[at + count - 1] + 1;) ++count;
    work(at, IdRange{ids[at], static_cast<std::int64_t>(count)});
  }
}

}  // namespace sphaera::tool
