#include <tools/receivers/map_answers.hpp>
#include <utility>

namespace sphaera::tool {
namespace {

/// A receiver that stands on a sphere sees the half of the sky above it, which that sphere does not hide.
std::vector<SkyShare> sky_of(const SkyQuestion& question, const Scene& scene,
                             std::span<const Receiver> receivers, QueryOptions options) {
  std::vector<SkyPoint> points;
  std::vector<std::int64_t> grounds;
  for (const Receiver& receiver : receivers) {
    points.push_back({receiver.observer.position, question.normal.value_or(receiver.normal)});
    grounds.push_back(receiver.observer.on);
  }
  options.ignore = grounds;
  return scene.sky(points, question.options, options);
}

}  // namespace

double value_of(const MapAnswer& answer, const Shown& shown) {
  switch (shown.quantity) {
    case Quantity::fraction:
      return answer.lit.seen[shown.star].fraction;
    case Quantity::irradiance:
      return answer.lit.irradiance;
    case Quantity::sky:
      return answer.sky.open;
    case Quantity::sky_by_cosine:
      return answer.sky.open_by_cosine;
    case Quantity::seen:
      return answer.seen_share;
    case Quantity::flux:
    case Quantity::light:
      break;
  }
  return answer.lit.seen[shown.star].flux;
}

std::vector<MapAnswer> MapQuestion::answers(const Scene& scene, std::span<const Receiver> receivers,
                                            const QueryOptions& options) const {
  std::vector<MapAnswer> answers(receivers.size());
  const auto set = [&](auto MapAnswer::* member, auto&& values) {
    for (std::size_t i = 0; i < answers.size(); ++i) answers[i].*member = std::move(values[i]);
  };
  if (light) set(&MapAnswer::lit, light->of(scene, receivers, options));
  if (sky) set(&MapAnswer::sky, sky_of(*sky, scene, receivers, options));
  if (targets) {
    set(&MapAnswer::seen, targets_seen(*targets, scene, receivers, options));
    for (MapAnswer& answer : answers)
      answer.seen_share = static_cast<double>(answer.seen) / static_cast<double>(targets->points.size());
  }
  return answers;
}

}  // namespace sphaera::tool
