#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exact/numbers/length.hpp>
#include <io/streams/file_error.hpp>
#include <tools/scene/median.hpp>
#include <tools/scene/scene_layers.hpp>
#include <tools/scene/scene_summary.hpp>
#include <tools/terminal/plural.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {
namespace {

void measure(const Scene& scene, LayerMask mask, SceneSummary& found) {
  std::vector<double> radii;
  Vec3 lower{infinity, infinity, infinity}, upper = -lower;
  for (std::size_t i = 0; i < scene.spheres().size(); ++i) {
    ++found.layers[layer_of(scene, i)].second;
    if (!on_layers(scene, mask, i)) continue;
    const auto& [c, r] = scene.spheres()[i];
    lower = {std::min(lower.x, c.x - r), std::min(lower.y, c.y - r), std::min(lower.z, c.z - r)};
    upper = {std::max(upper.x, c.x + r), std::max(upper.y, c.y + r), std::max(upper.z, c.z + r)};
    radii.push_back(r);
  }
  if (radii.empty()) return;
  found.lower = lower, found.upper = upper;
  found.radius_median = median_of(radii);
  const auto [least, most] = std::minmax_element(radii.begin(), radii.end());
  found.radius_min = *least, found.radius_max = *most;
}

void measure_motion(const SceneFile& file, LayerMask mask, SceneSummary& found) {
  for (std::size_t i = 0; i < file.velocities.size(); ++i) {
    if (!on_layers(file, mask, i)) continue;
    const double speed = exact::length(file.velocities[i]);
    found.moving += speed > 0;
    found.speed_max = std::max(found.speed_max, speed);
  }
  const auto cover = [&](const Motion& ephemeris) {
    found.covered_from = std::max(found.covered_from, ephemeris.samples().front().time);
    found.covered_to = std::min(found.covered_to, ephemeris.samples().back().time);
  };
  for (const SceneFile::Orbit& orbit : file.orbits) {
    if (!on_layers(file, mask, static_cast<std::size_t>(orbit.sphere))) continue;
    ++found.orbiting;
    cover(orbit.ephemeris);
  }
  for (const SceneStar& star : file.stars) {
    if (!star.ephemeris) continue;
    ++found.orbiting_stars;
    cover(*star.ephemeris);
  }
  for (const SceneFile::Rotation& rotation : file.rotations)
    found.spinning += on_layers(file, mask, static_cast<std::size_t>(rotation.sphere));
}

std::string star_line(const SceneFile& file, std::size_t i) {
  const SceneStar& star = file.stars[i];
  std::string text = star_text(i, star.name);
  if (!star.is_sphere()) return text;
  return text + " = " + sphere_text(file, static_cast<std::size_t>(star.sphere));
}

/// Warns of spheres that meet a star. A sphere inside the star hides nothing of it. If a sphere cuts the
/// star's surface, the hidden part of the disc is undefined.
void check_stars(const SceneFile& file, const Scene& scene, LayerMask mask, SceneSummary& found) {
  for (std::size_t i = 0; i < file.stars.size(); ++i) {
    const SceneStar& star = file.stars[i];
    found.stars.push_back(star_line(file, i));
    const Star seen = placed(star, scene.spheres());
    if (seen.distance == Star::Distance::infinite) continue;
    std::vector<std::int64_t> met = scene.within(Ball{seen.center, seen.radius}, {.layers = mask});
    std::erase(met, star.sphere);
    if (met.empty()) continue;
    found.warnings.push_back(fmt::format("{} meets {}, first {}", found.stars.back(),
                                         counted(met.size(), "sphere"),
                                         sphere_text(file, static_cast<std::size_t>(met.front()))));
  }
}

void check_spheres(const SceneFile& file, SceneSummary& found) {
  const auto name = [&](std::int64_t id) { return sphere_text(file, static_cast<std::size_t>(id)); };
  const Survey& survey = found.survey;
  if (survey.duplicate) {
    found.warnings.push_back(fmt::format("{}, first {} = {}", counted(survey.duplicates, "duplicate"),
                                         name(survey.duplicate->sphere), name(survey.duplicate->other)));
  }
  if (survey.nest) {
    found.warnings.push_back(fmt::format(
        "{}{}, first {} inside {}", survey.neighbors_checked < survey.spheres ? "at least " : "",
        counted(survey.nested, "nested sphere"), name(survey.nest->sphere), name(survey.nest->other)));
  }
}

}  // namespace

DescribedScene describe_scene(const SceneOptions& options, const CommonOptions& common,
                              const StarOptions& stars, const LayerOptions& layers, const IndexOptions& index,
                              const std::stop_token& stop) {
  SceneSummary found;
  const Console console = common.console();
  LoadedScene file = open_scene(options, console, stop);
  common.protect_files_of(file);
  file.stars.insert(file.stars.end(), stars.stars.begin(), stars.stars.end());
  const LayerMask mask = layers.mask(file);
  found.scene = options.path.string();
  found.time = options.time(file);
  found.unit = file.unit;
  for (const std::string& name : file.layer_names) found.layers.emplace_back(name, 0);

  measure_motion(file, mask, found);
  const bool has_index = file.opened.has_value();
  const auto start = std::chrono::steady_clock::now();
  Scene scene = index_scene(file, index.quality, console, stop);
  if (!has_index)
    found.build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  found.index = scene.info();
  measure(scene, mask, found);
  Progress progress(console, "looking for neighbors");
  found.survey = survey(
      scene, {.layers = mask, .stop = stop, .progress = [&](double done) { progress.set_fraction(done); }});
  check_spheres(file, found);
  check_stars(file, scene, mask, found);
  return {std::move(found), std::move(file), std::move(scene)};
}

}  // namespace sphaera::tool
