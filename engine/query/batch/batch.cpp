#include <query/batch/list_answers.hpp>
#include <string>

namespace sphaera::query {

void throw_cancelled() { throw Error(ErrorCode::cancelled, "the query was cancelled"); }

void prepare_embree(const SceneState& state, const QueryOptions& options) {
  if (sees_instants(state, options)) refuse_embree("queries at a time where spheres move");
  if (!state.scene_index || state.embree.get()) return;
  base::in_arena(options.threads, [&] {
    state.embree.prepare([&] {
      const index::BuildControl control{.memory_limit = state.memory_limit, .stop = options.stop};
      return std::make_unique<embree_index::EmbreeIndex>(state.spheres.span(), control);
    });
  });
}

void throw_lists_too_long(std::uint64_t memory_limit) {
  throw Error(ErrorCode::out_of_memory, "the lists of this query take more than its memory_limit, " +
                                            std::to_string(memory_limit) +
                                            " bytes; ask fewer queries at once, or for less");
}

}  // namespace sphaera::query
