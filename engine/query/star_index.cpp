#include <index/star/star_index.hpp>
#include <query/batch/batch.hpp>
#include <query/star/star_query.hpp>
#include <sphaera/star_index.hpp>
#include <utility>

namespace sphaera {

StarIndex::StarIndex() noexcept = default;

StarIndex::StarIndex(const Star& star, std::shared_ptr<const index::StarIndex> index, bool pays,
                     std::uint64_t version) noexcept
    : star_(star), index_(std::move(index)), pays_(pays), version_(version) {}

std::uint64_t StarIndex::bytes() const { return index_ ? index_->bytes() : 0; }
double StarIndex::boxes() const { return index_ ? index_->boxes() : 0; }

StarIndex Scene::star_index(const Star& star, const StarIndexOptions& options) const {
  const base::FloatingPointEnvironment mode;
  base::check_threads(options.threads);
  base::check(star);
  query::BuiltStar built;
  const index::BuildControl control{
      .memory_limit = options.memory_limit, .memory = state().memory, .stop = options.stop};
  if (state().enabled > 0) {
    query::with_memory_errors([&] {
      base::in_arena(options.threads,
                     [&] { built = query::build_star(state(), query::star_place(star), control); });
    });
  }
  return {star, std::move(built.index), built.pays, state().stars.version()};
}

StarIndex Scene::star_index(const Vec3& point, const StarIndexOptions& options) const {
  base::check(point);
  return star_index(Star::at(point, 0), options);
}

}  // namespace sphaera
