#include <fmt/core.h>

#include <algorithm>
#include <exact/numbers/arithmetic.hpp>
#include <io/streams/file_error.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/scene/bullet_input.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {
namespace {

/// start + duration, rounded up, so that a horizon that ends there contains the whole flight.
double end_of(const Bullet& bullet) {
  return exact::rounded_up(exact::two_sum(bullet.start, bullet.duration));
}

}  // namespace

std::uint64_t moving_spheres(const SceneFile& scene, LayerMask layers) {
  std::uint64_t moving = 0;
  for (std::size_t i = 0; i < scene.velocities.size(); ++i)
    moving += scene.velocities[i] != Vec3{} && on_layers(scene, layers, i);
  return moving;
}

bool can_be_read_twice(const std::filesystem::path& bullets) {
  return bullets != "-" && (!std::filesystem::exists(bullets) || std::filesystem::is_regular_file(bullets));
}

Horizon span_of_bullets(const std::filesystem::path& bullets, std::uint64_t spheres, files::RowOptions rows,
                        io::SameBytes& passes, const Console& console, const std::stop_token& stop) {
  if (!can_be_read_twice(bullets)) {
    io::fail(
        bullets.string(),
        "spheres move, and these bullets cannot be read twice; give --horizon A,B, the time range of the "
        "flights, or name a plain file");
  }
  Progress progress(console, "reading " + bullets.string());
  rows.kept.clear();
  files::QueryReader<Bullet> reader(
      bullets,
      {.spheres = spheres, .rows = rows, .passes = &passes, .control = {stop, [&](double done) {
                                                                          progress.set_fraction(done);
                                                                        }}});
  constexpr std::size_t chunk_size = 1 << 14;
  files::QueryChunk<Bullet> chunk;
  Horizon span{infinity, -infinity};
  while (reader.next(chunk, chunk_size)) {
    for (const Bullet& bullet : chunk.queries) {
      const double end = end_of(bullet);
      if (!(end <= domain_limit)) {
        io::fail(
            bullets.string(),
            fmt::format(
                "bullet {} has no end, or one beyond 2^200, and spheres move; give it a shorter duration, or "
                "give --horizon A,B for all bullets",
                chunk.number(static_cast<std::size_t>(&bullet - chunk.queries.data()))));
      }
      span = {std::min(span.from, bullet.start), std::max(span.to, end)};
    }
  }
  return span.from <= span.to ? span : Horizon{};
}

}  // namespace sphaera::tool
