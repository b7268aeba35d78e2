#include <algorithm>
#include <exact/predicates/counts.hpp>
#include <exact/predicates/eclipse_phase.hpp>
#include <tools/receivers/sight_points.hpp>

namespace sphaera::tool {
namespace {

/// Hides the targets below the horizon of the sphere that the observer stands on.
void hide_below_horizon(SightTable& table, std::size_t row, const Observer& observer, const Sphere& ground,
                        std::span<const Vec3> targets) {
  const exact::SeenBall down = exact::seen_ball(observer.position, ground);
  exact::Counts counts;
  for (std::size_t j = 0; j < targets.size(); ++j) {
    if (!table.sees(row, j)) continue;
    const exact::SeenBall target = exact::seen_ball(observer.position, {targets[j], 0});
    if (exact::sign_below(target, down, counts) > 0) table.hide(row, j);
  }
}

}  // namespace

SightPoints centers_of(const LoadedScene& scene) {
  SightPoints to;
  for (const Sphere& sphere : scene.bodies()) {
    to.numbers.push_back(static_cast<std::int64_t>(to.points.size()));
    to.points.push_back(sphere.center);
  }
  to.ignore = to.numbers;
  to.ignore_owners.assign(scene.owners.of_spheres.begin(), scene.owners.of_spheres.end());
  return to;
}

SightPoints read_targets(const std::filesystem::path& path, const files::QueryReadOptions& options,
                         const Console& console) {
  SightPoints to;
  files::QueryReader<Vec3> reader(path, options);
  for (const auto& [column, in_file] : options.rows.csv.columns)
    if (reader.has(column)) to.renamed.push_back(column);
  constexpr std::size_t limit = 1 << 16;
  files::QueryChunk<Vec3> chunk;
  while (reader.next(chunk, limit)) {
    for (std::size_t i = 0; i < chunk.queries.size(); ++i)
      to.numbers.push_back(static_cast<std::int64_t>(chunk.number(i)));
    to.points.insert(to.points.end(), chunk.queries.begin(), chunk.queries.end());
    to.ignore.insert(to.ignore.end(), chunk.ignore.begin(), chunk.ignore.end());
    to.ignore_owners.insert(to.ignore_owners.end(), chunk.ignore_owners.begin(), chunk.ignore_owners.end());
  }
  for (const std::string& warning : reader.take_warnings()) console.warn(warning);
  if (const std::string skipped = reader.skipped(); !skipped.empty()) console.note(skipped);
  return to;
}

std::uint64_t hidden_targets(const SightPoints& to, const Scene& scene, QueryOptions options) {
  options.ignore = to.ignore, options.ignore_owners = to.ignore_owners;
  std::vector<Ball> balls;
  balls.reserve(to.points.size());
  for (const Vec3& point : to.points) balls.push_back({point, 0});
  const std::vector<std::uint64_t> around = scene.count_within(balls, options);
  return static_cast<std::uint64_t>(std::ranges::count_if(around, [](std::uint64_t n) { return n > 0; }));
}

std::vector<std::uint64_t> targets_seen(const SightPoints& to, const Scene& scene,
                                        std::span<const Receiver> receivers, QueryOptions options) {
  constexpr std::size_t table_bytes = std::size_t{1} << 22;
  const std::size_t most = std::max<std::size_t>(
      1, table_bytes / std::max<std::size_t>(1, SightTable::row_bytes(to.points.size())));
  std::vector<std::uint64_t> counts;
  for (std::size_t begin = 0; begin < receivers.size(); begin += most) {
    const auto part = receivers.subspan(begin, std::min(most, receivers.size() - begin));
    std::vector<Vec3> points;
    std::vector<std::int64_t> grounds;
    for (const Receiver& receiver : part) {
      points.push_back(receiver.observer.position);
      grounds.push_back(receiver.observer.on);
    }
    options.ignore = grounds;
    SightTable table = scene.visibility(points, to.targets(), options);
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (grounds[i] >= 0)
        hide_below_horizon(table, i, part[i].observer, scene.spheres()[static_cast<std::size_t>(grounds[i])],
                           to.points);
      counts.push_back(table.seen_from(i));
    }
  }
  return counts;
}

}  // namespace sphaera::tool
