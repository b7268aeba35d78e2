#include <query/batch/batch.hpp>

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

}  // namespace sphaera::query
