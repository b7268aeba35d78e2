#include <query/sky/sky_query.hpp>

namespace sphaera {
namespace query {
namespace {

/// A sky takes as long as a hundred other queries.
constexpr std::size_t points_per_piece = 8;

QueryOptions with_short_pieces(QueryOptions options) {
  if (options.grain == 0 && options.search == Search::index) options.grain = points_per_piece;
  return options;
}

void check_sky(const SkyOptions& sky, const QueryOptions& options) {
  refuse_embree(options, "sky"), refuse_times(options, "sky");
  if (!(sky.within >= 0)) base::refuse_value("within", sky.within, "a number of 0 or more");
  if (sky.rays < 1 || sky.rays > most_sky_rays)
    base::refuse_value("rays", sky.rays, "a number from 1 to 2^24");
}

}  // namespace
}  // namespace query

void Scene::sky(std::span<const SkyPoint> points, std::span<SkyShare> out, const SkyOptions& sky,
                const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), points.size());
  query::check_sky(sky, options);
  const QueryOptions own = query::with_short_pieces(options);
  query::run_pieces<query::WalkOrder::coherent_points>(
      state(), points, own, [&](auto, const query::QueryPiece<SkyPoint>& piece, QueryStats& stats) {
        query::SkyQuery query(state(), own, sky, piece.scratch);
        piece.each_into(out, [&](std::size_t i) { out[i] = query.share(points[i], i, stats); });
      });
  query::put_misses(options, out);
}

std::vector<SkyShare> Scene::sky(std::span<const SkyPoint> points, const SkyOptions& sky,
                                 const QueryOptions& options) const {
  return query::filled<SkyShare>(points.size(), [&](auto out) { this->sky(points, out, sky, options); });
}

SkyShare Scene::sky(const SkyPoint& point, const SkyOptions& sky, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_sky(sky, options);
  SkyShare share;
  query::SingleScratch scratch(options);
  query::run_single(state(), point, options, [&](auto, QueryStats& stats) {
    share = query::SkyQuery(state(), options, sky, *scratch).share(point, 0, stats);
  });
  return share;
}

}  // namespace sphaera
