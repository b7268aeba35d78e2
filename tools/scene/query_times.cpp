#include <fmt/core.h>

#include <algorithm>
#include <exact/numbers/arithmetic.hpp>
#include <io/streams/file_error.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/query_times.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {
namespace {

/// start + duration, rounded up, so that a horizon that ends there contains the whole flight.
double end_of(const Bullet& bullet) {
  return exact::rounded_up(exact::two_sum(bullet.start, bullet.duration));
}

/// Reads a file and joins range_of(chunk, i) of its queries. Empty if wanted(reader) is false.
template <class Query, class Wanted, class RangeOf>
std::optional<Horizon> span_of(const std::filesystem::path& path, files::QueryReadOptions options,
                               const Console& console, const Wanted& wanted, const RangeOf& range_of) {
  Progress progress(console, "reading " + path.string());
  options.rows.kept.clear();
  options.control.progress = [&](double done) { progress.set_fraction(done); };
  files::QueryReader<Query> reader(path, options);
  if (!wanted(reader)) return {};
  constexpr std::size_t chunk_size = 1 << 14;
  files::QueryChunk<Query> chunk;
  Horizon span{infinity, -infinity};
  while (reader.next(chunk, chunk_size)) {
    for (std::size_t i = 0; i < chunk.queries.size(); ++i) {
      const Horizon range = range_of(chunk, i);
      span = {std::min(span.from, range.from), std::max(span.to, range.to)};
    }
  }
  return span.from <= span.to ? span : Horizon{};
}

}  // namespace

std::uint64_t moving_spheres(const SceneFile& scene, LayerMask layers) {
  std::uint64_t moving = 0;
  for (std::size_t i = 0; i < scene.velocities.size(); ++i)
    moving += scene.velocities[i] != Vec3{} && on_layers(scene, layers, i);
  return moving;
}

void refuse_orbits(const SceneFile& scene, LayerMask layers, const std::filesystem::path& path,
                   const std::string& what) {
  for (const SceneFile::Orbit& orbit : scene.orbits) {
    const auto sphere = static_cast<std::size_t>(orbit.sphere);
    if (!on_layers(scene, layers, sphere)) continue;
    throw Error(ErrorCode::invalid_argument, path.string(),
                fmt::format("{} moves along an ephemeris, but {} supports straight motion only; give it a "
                            "velocity, or leave its layer out with --layers",
                            sphere_text(scene, sphere), what),
                orbit.sphere);
  }
}

bool can_be_read_twice(const std::filesystem::path& queries) {
  return queries != "-" && (!std::filesystem::exists(queries) || std::filesystem::is_regular_file(queries));
}

Horizon span_of_bullets(const std::filesystem::path& bullets, files::QueryReadOptions options,
                        const Console& console) {
  if (!can_be_read_twice(bullets)) {
    io::fail(
        bullets.string(),
        "spheres move, and these bullets cannot be read twice; give --horizon A,B, the time range of the "
        "flights, or name a plain file");
  }
  return *span_of<Bullet>(
      bullets, std::move(options), console, [](const auto&) { return true; },
      [&](const files::QueryChunk<Bullet>& chunk, std::size_t i) {
        const Bullet& bullet = chunk.queries[i];
        const double end = end_of(bullet);
        if (!(end <= domain_limit)) {
          io::fail(bullets.string(),
                   fmt::format("bullet {} has no end, or one beyond 2^200, and spheres move; give it a "
                               "shorter duration, or "
                               "give --horizon A,B for all bullets",
                               chunk.number(i)));
        }
        return Horizon{bullet.start, end};
      });
}

template <class Query>
std::optional<Horizon> span_of_times(const std::filesystem::path& queries, files::QueryReadOptions options,
                                     const Console& console) {
  return span_of<Query>(
      queries, std::move(options), console, [](const auto& reader) { return reader.has_times(); },
      [](const files::QueryChunk<Query>& chunk, std::size_t i) {
        return Horizon{chunk.times[i], chunk.times[i]};
      });
}

template std::optional<Horizon> span_of_times<Ray>(const std::filesystem::path&, files::QueryReadOptions,
                                                   const Console&);
template std::optional<Horizon> span_of_times<Vec3>(const std::filesystem::path&, files::QueryReadOptions,
                                                    const Console&);
template std::optional<Horizon> span_of_times<Ball>(const std::filesystem::path&, files::QueryReadOptions,
                                                    const Console&);

}  // namespace sphaera::tool
