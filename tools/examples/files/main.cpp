// How much of each star of a scene file do the people of the scene see? files SCENE OUTPUT

#include <cstdio>
#include <sphaera/scene_file.hpp>
#include <sphaera/sphaera.hpp>

namespace {

int answer(const char* path, const char* output) {
  const sphaera::SceneFile file = sphaera::SceneFile::load(path);
  for (const std::string& warning : file.warnings) std::fprintf(stderr, "%s\n", warning.c_str());
  const sphaera::Scene scene = sphaera::Scene::build(file.spheres, {.layers = file.layers});

  // Trees hide stars, people do not.
  const int trees = file.find_layer("trees");
  const sphaera::QueryOptions options{.layers = trees < 0 ? 0 : sphaera::LayerMask{1} << trees};
  for (std::size_t i = 0; i < scene.size(); ++i) {
    if (file.layer_name(i) != "people") continue;
    std::printf("%.*s sees", static_cast<int>(file.names[i].size()), file.names[i].data());
    for (const sphaera::SceneStar& star : file.stars) {
      const sphaera::Visibility seen = scene.starlight(star.star, {file.spheres[i].center}, options);
      std::printf(" %.0f %% of the %s", 100 * seen.fraction, star.name.c_str());
    }
    std::puts("");
  }

  // The same scene a meter higher, in the format of the output's name.
  sphaera::SceneFile higher = file;
  for (sphaera::Sphere& sphere : higher.spheres) sphere.center.z += 1;
  for (const std::string& part : higher.save(output)) std::printf("%s\n", part.c_str());
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("files SCENE OUTPUT\n", stderr);
    return 2;
  }
  try {
    return answer(words[1], words[2]);
  } catch (const sphaera::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
