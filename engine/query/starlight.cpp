#include <query/star/star_query.hpp>

namespace sphaera {

void Scene::starlight(std::span<const Star> stars, std::span<const Observer> observers,
                      std::span<Visibility> out, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), observers.size() * stars.size());
  query::check_star_options(options, "starlight");
  base::check_all(stars);
  // Order the observers so that neighbors have similar rays to the first star.
  const Star first = stars.empty() ? Star{} : stars.front();
  const query::StarsOfBatch own(
      state(), stars.size(), [&](std::size_t j) -> const Star& { return stars[j]; }, observers.size(),
      options);
  query::run_pieces<query::WalkOrder::coherent>(
      state(), observers, options,
      [&](auto, const query::QueryPiece<Observer>& piece, QueryStats& stats) {
        query::StarQuery sky(state(), options, piece.scratch);
        stats.queries = (piece.end - piece.begin) * stars.size();
        const auto answer = [&](std::size_t i) {
          for (std::size_t j = 0; j < stars.size(); ++j)
            out[i * stars.size() + j] = sky.visibility(stars[j], observers[i], i, stats, own.of(stars[j]));
        };
        piece.each_into(out, answer, stars.size());
      },
      [&](const Observer& observer) { return star_light::sight_of(first, observer.position); });
  query::put_misses(options, out, {}, stars.size());
}

std::vector<Visibility> Scene::starlight(std::span<const Star> stars, std::span<const Observer> observers,
                                         const QueryOptions& options) const {
  if (!stars.empty() && observers.size() > SIZE_MAX / stars.size()) base::throw_out_of_memory();
  return query::filled<Visibility>(observers.size() * stars.size(),
                                   [&](auto out) { starlight(stars, observers, out, options); });
}

Visibility Scene::starlight(const Star& star, const Observer& observer, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_star_options(options, "starlight");
  base::check(star);
  Visibility seen;
  query::SingleScratch scratch(options);
  query::run_single(state(), observer, options, [&](auto, QueryStats& stats) {
    seen = query::StarQuery(state(), options, *scratch).visibility(star, observer, 0, stats);
  });
  return seen;
}

}  // namespace sphaera
