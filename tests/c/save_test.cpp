/// \file Saved scenes in C: what C++ writes and reads, with the attachment of a scene file.

#include <tests/c/scene_file.h>

#include <cstring>
#include <sphaera/scene_file.hpp>
#include <tests/c/c_scene.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/same.hpp>
#include <tests/scratch_files.hpp>
#include <tests/seed.hpp>

namespace sphaera::test {
namespace {

using OwnedFile = Owned<SphaeraSceneFile, sphaera_scene_file_destroy>;

TEST_CASE("C saves and opens scenes as C++ does", "[c][save]") {
  const Folder folder;
  const std::string path = (folder / "c.sphi").string();
  Random random(seed(), 801);
  const std::vector<Sphere> spheres = make_spheres(SceneKind::peopled, 300, random);
  const std::vector<Ray> rays = make_rays(spheres, 40, random);
  OwnedScene scene, opened;
  succeeds(sphaera_scene_build(c_rows<SphaeraSphere>(spheres), spheres.size(), nullptr, &scene));
  SphaeraSaveOptions save = initialized(sphaera_save_options_init);
  const char bytes[] = "mine";
  save.attachment = bytes, save.attachment_bytes = sizeof bytes;
  succeeds(sphaera_scene_save(scene, path.c_str(), &save));

  SphaeraOpenOptions open = initialized(sphaera_open_options_init);
  open.check = SPHAERA_CHECK_AT_ONCE;
  succeeds(sphaera_scene_open(path.c_str(), &open, &opened));
  const void* attachment = nullptr;
  size_t count = 0;
  succeeds(sphaera_scene_attachment(opened, &attachment, &count));
  REQUIRE(count == sizeof bytes);
  CHECK(std::memcmp(attachment, bytes, count) == 0);
  std::vector<Hit> hits(rays.size());
  succeeds(sphaera_scene_first_hit(opened, c_rows<SphaeraRay>(rays), rays.size(), nullptr,
                                   c_rows<SphaeraHit>(hits)));
  CHECK(all_same(hits, Scene::open(path).first_hit(rays)));
  CHECK(all_same(hits, Scene::build(spheres).first_hit(rays)));

  succeeds(sphaera_scene_attachment(scene, &attachment, &count));
  CHECK(count == 0);
}

TEST_CASE("a saved scene in C keeps what a scene file has", "[c][save]") {
  const Folder folder;
  const std::string path = (folder / "c.sphi").string();
  const std::string text = "x,y,z,r,name,layer\n0,0,0,1,a,in\n5,0,0,2,b,out\n";
  OwnedFile file, again;
  succeeds(sphaera_scene_file_parse(text.data(), text.size(), "s.csv", nullptr, &file));
  SphaeraSaveOptions save = initialized(sphaera_save_options_init);
  succeeds(sphaera_scene_file_attachment(file, &save.attachment, &save.attachment_bytes));
  OwnedScene scene;
  SphaeraSceneFileArrays arrays{};
  arrays.size = sizeof arrays;
  succeeds(sphaera_scene_file_arrays(file, &arrays));
  SphaeraBuildOptions build = initialized(sphaera_build_options_init);
  build.layers = arrays.layers;
  succeeds(sphaera_scene_build(arrays.spheres, arrays.count, &build, &scene));
  succeeds(sphaera_scene_save(scene, path.c_str(), &save));
  const SceneFile loaded = SceneFile::load(path);
  REQUIRE(loaded.spheres.size() == 2);
  CHECK(loaded.names[1] == "b");
  CHECK(loaded.layer_name(1) == "out");
  CHECK(loaded.spheres[1].radius == 2);
}

TEST_CASE("C refuses what it cannot save or open", "[c][save]") {
  const Folder folder;
  OwnedScene scene;
  CHECK(sphaera_scene_open((folder / "none").c_str(), nullptr, &scene) == SPHAERA_BAD_FILE);
  CHECK(sphaera_scene_open(nullptr, nullptr, &scene) == SPHAERA_INVALID_ARGUMENT);
  const SphaeraSphere ball{{0, 0, 0}, 1};
  succeeds(sphaera_scene_build(&ball, 1, nullptr, &scene));
  CHECK(sphaera_scene_save(scene, (folder / "no/such").c_str(), nullptr) == SPHAERA_IO);
  CHECK(sphaera_scene_save(scene, nullptr, nullptr) == SPHAERA_INVALID_ARGUMENT);
  SphaeraSaveOptions save = initialized(sphaera_save_options_init);
  save.attachment_bytes = 3;
  CHECK(sphaera_scene_save(scene, (folder / "s.sphi").c_str(), &save) == SPHAERA_INVALID_ARGUMENT);
  SphaeraOpenOptions open = initialized(sphaera_open_options_init);
  open.check = 3;
  succeeds(sphaera_scene_save(scene, (folder / "s.sphi").c_str(), nullptr));
  OwnedScene other;
  CHECK(sphaera_scene_open((folder / "s.sphi").c_str(), &open, &other) == SPHAERA_INVALID_ARGUMENT);
  size_t count = 0;
  CHECK(sphaera_scene_attachment(scene, nullptr, &count) == SPHAERA_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace sphaera::test
