/// The scenes and query files that are shipped, read whole.

#include <set>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

files::QueryChunk<Ray> rays_of(const std::string& name) {
  files::QueryReader<Ray> reader(data(name));
  files::QueryChunk<Ray> chunk;
  reader.next(chunk, 1 << 20);
  files::QueryChunk<Ray> rest;
  CHECK(!reader.next(rest, 1));
  CHECK(reader.take_warnings().size() == 1);  // of the columns with expected values
  return chunk;
}

}  // namespace

TEST_CASE("shipped: the solar system", "[io]") {
  const SceneFile csv = io::read_scene(data("solar_system.csv")),
                  json = io::read_scene(data("solar_system.json"));
  REQUIRE(csv.spheres.size() == 61);
  CHECK(json.spheres == csv.spheres);
  CHECK(csv.spheres[0].radius == 696e6);
  CHECK(csv.warnings.empty());
  CHECK(json.warnings.empty());
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < csv.names.size(); ++i) names.insert(csv.names[i]);
  CHECK(names.size() == 61);
  CHECK(csv.names[4] == "Moon");
  CHECK(csv.layer_name(4) == "Earth");
  REQUIRE(json.stars.size() == 1);
  CHECK(json.stars[0].sphere == 0);
  CHECK(json.unit == "m");
}

TEST_CASE("shipped: a crowd and bullets at it", "[io]") {
  const SceneFile crowd = io::read_scene(data("crowd_ucy_frame981.csv"));
  CHECK(crowd.spheres.size() == 62);
  CHECK(crowd.velocities.size() == 62);
  CHECK(crowd.velocities[0] == Vec3{-0.23943, 0.63029, 0});
  CHECK(crowd.warnings.empty());
  const auto rays = rays_of("crowd_ucy_frame981_rays.csv");
  CHECK(rays.queries.size() == 400);
  CHECK(rays.queries[0].t_max == 30);
}

TEST_CASE("shipped: a molecule and rays into it", "[io]") {
  const SceneFile molecule = io::read_scene(data("mol_bace_52k.csv.gz"));
  CHECK(molecule.spheres.size() == 52661);
  CHECK(molecule.names[1] == "H1");
  CHECK(molecule.warnings.empty());
  CHECK(rays_of("firsthit_bace52k.csv").queries.size() == 1500);
}
