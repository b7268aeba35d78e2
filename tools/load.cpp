#include <fmt/core.h>

#include <cmath>
#include <geometry/validate.hpp>
#include <io/fail.hpp>
#include <tools/load.hpp>
#include <tools/progress.hpp>

namespace sphaera::tool {
namespace {

Vec3 moved(const Vec3& center, const Vec3& velocity, double time) {
  return {std::fma(time, velocity.x, center.x), std::fma(time, velocity.y, center.y),
          std::fma(time, velocity.z, center.z)};
}

[[noreturn]] void refuse_move(const std::string& body, double time, std::int64_t element) {
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{} is beyond 2^200 at time {}; give a time nearer to 0", body, time), element);
}

}  // namespace

io::SceneFile load_scene(const SceneOptions& options, const Console& console, const std::stop_token& stop) {
  io::SceneFile scene;
  {
    Progress progress(console, "reading " + options.path.string());
    scene = io::read_scene(options.path, {.watch = {stop, [&](double done) { progress.share(done); }}});
  }
  for (const std::string& warning : scene.warnings) console.warn(warning);
  try {
    move_to(scene, options.time);
  } catch (const Error& error) {
    throw Error(error.code(), options.path.string() + ": " + error.what(), error.element());
  }
  return scene;
}

void move_to(io::SceneFile& scene, double time) {
  if (time == 0) return;
  for (std::size_t i = 0; i < scene.velocities.size(); ++i) {
    Vec3& center = scene.spheres[i].center;
    center = moved(center, scene.velocities[i], time);
    if (!geometry::in_domain(center)) refuse_move(sphere_text(scene, i), time, static_cast<std::int64_t>(i));
  }
  for (io::Star& star : scene.stars) {
    if (star.form != io::Star::Form::ball) continue;
    star.center = moved(star.center, star.velocity, time);
    if (!geometry::in_domain(star.center)) {
      refuse_move("star " + io::shown(star.name), time, Error::no_element);
    }
  }
}

Scene index_scene(io::SceneFile& file, BuildQuality quality, const Console& console,
                  const std::stop_token& stop) {
  Progress progress(console, "indexing");
  Scene scene = Scene::build(
      file.spheres, {.layers = file.layers, .quality = quality, .stop = stop, .progress = [&](double done) {
                       progress.share(done);
                     }});
  file.spheres = {};
  return scene;
}

std::string sphere_text(const io::SceneFile& scene, std::size_t id) {
  std::string text = fmt::format("sphere {}", id);
  if (!scene.names.empty() && !scene.names[id].empty()) text += ' ' + io::shown(scene.names[id]);
  return text;
}

}  // namespace sphaera::tool
