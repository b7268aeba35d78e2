#include <query/star/star_query.hpp>
#include <star_light/irradiance.hpp>

namespace sphaera {
namespace {

/// The sum over all sources for receiver i, added in the order of the sources: the same in every run.
double total(query::StarQuery& sky, std::span<const Source> sources, const query::StarsOfBatch& own,
             const Receiver& receiver, std::size_t i, QueryStats& stats) {
  double sum = 0;
  for (const Source& source : sources)
    sum += star_light::receiver_irradiance(
        source, receiver, sky.visibility(source.star, receiver.observer, i, stats, own.of(source.star)).flux);
  return sum;
}

}  // namespace

void Scene::irradiance(std::span<const Source> sources, std::span<const Receiver> receivers,
                       std::span<double> out, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), receivers.size());
  query::check_star_options(options, "irradiance");
  base::check_all(sources);
  const Star first = sources.empty() ? Star{} : sources.front().star;
  const query::StarsOfBatch own(
      state(), sources.size(), [&](std::size_t j) -> const Star& { return sources[j].star; },
      receivers.size(), options);
  query::run_pieces<query::WalkOrder::coherent>(
      state(), receivers, options,
      [&](auto, const query::QueryPiece<Receiver>& piece, QueryStats& stats) {
        query::StarQuery sky(state(), options, piece.scratch);
        stats.queries = (piece.end - piece.begin) * sources.size();
        piece.each_into(out,
                        [&](std::size_t i) { out[i] = total(sky, sources, own, receivers[i], i, stats); });
      },
      [&](const Receiver& r) { return star_light::sight_of(first, r.observer.position); });
  query::put_misses(options, out, std::numeric_limits<double>::quiet_NaN());
}

std::vector<double> Scene::irradiance(std::span<const Source> sources, std::span<const Receiver> receivers,
                                      const QueryOptions& options) const {
  return query::filled<double>(receivers.size(),
                               [&](auto out) { irradiance(sources, receivers, out, options); });
}

}  // namespace sphaera
