#include <index/viewpoint/viewpoint_faces.hpp>
#include <query/batch/batch.hpp>
#include <query/star/star_query.hpp>
#include <sphaera/viewpoint_index.hpp>
#include <utility>

namespace sphaera {

ViewpointIndex::ViewpointIndex() noexcept = default;

ViewpointIndex::ViewpointIndex(const Star& star, std::shared_ptr<const index::ViewpointFaces> index,
                               bool pays, std::uint64_t version) noexcept
    : star_(star), index_(std::move(index)), pays_(pays), version_(version) {}

std::uint64_t ViewpointIndex::bytes() const { return index_ ? index_->bytes() : 0; }
double ViewpointIndex::boxes() const { return index_ ? index_->boxes() : 0; }

ViewpointIndex Scene::viewpoint_index(const Star& star, const ViewpointIndexOptions& options) const {
  const base::FloatingPointEnvironment mode;
  base::check_threads(options.threads);
  base::check(star);
  query::BuiltStar built;
  const index::BuildControl control{
      .memory_limit = options.memory_limit, .memory = state().memory, .stop = options.stop};
  if (state().enabled > 0) {
    query::with_memory_errors([&] {
      base::in_arena(options.threads,
                     [&] { built = query::build_star(state(), query::viewpoint(star), control); });
    });
  }
  return {star, std::move(built.index), built.pays, state().stars.version()};
}

ViewpointIndex Scene::viewpoint_index(const Vec3& point, const ViewpointIndexOptions& options) const {
  base::check(point);
  return viewpoint_index(Star::at(point, 0), options);
}

}  // namespace sphaera
