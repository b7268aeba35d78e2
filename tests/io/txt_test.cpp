/// Trajectories of pedestrians, as JuPedSim and PeTrack write them.

#include <cmath>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

SceneFile crowd_of(std::string_view text, std::int64_t frame = 0) {
  return io::read_scene(*io::memory_source("s.txt", text), io::scene_format("s.txt"), "/nowhere",
                        {.radius = 0.25, .frame = frame});
}

std::string crowd_error(std::string_view text, std::int64_t frame = 0) {
  return error_of([&] { crowd_of(text, frame); });
}

const std::string two =
    "#description: jpscore (0.8.4)\n#framerate: 8.00\n#X,Y,Z: the agents coordinates (in metres)\n\n"
    "#ID\tFR\tX\tY\tZ\tA\tB\tANGLE\tCOLOR\n"
    "2\t3\t1\t2\t0.5\t.15\t.15\t0\t0\n1\t3\t5\t6\t0\t.15\t.15\t0\t0\t\n"
    "1\t4\t5.5\t6\t0\t.15\t.15\t0\tred\n1\t6\t6\t5\t0.75\t.15\t.15\t0\t0\n";

}  // namespace

TEST_CASE("a frame of a real crowd, with the velocities that its publishers give", "[io]") {
  constexpr double written = 3e-5;  // all have five digits, and a step takes 0.4 s: 2 × 0.5e-5 / 0.4 + 0.5e-5
  const auto frame = [](std::int64_t number) {
    return io::read_scene(data("crowd_ucy_frames_971_991.txt"), {.radius = 0.25, .frame = number});
  };
  const SceneFile published = io::read_scene(data("crowd_ucy_frame981.csv")), crowd = frame(981),
                  before = frame(0), after = frame(-1);
  CHECK(crowd.spheres == published.spheres);
  CHECK(crowd.unit == "m");
  CHECK(crowd.warnings.empty());
  CHECK(contains(before.warnings.at(0), "frame 971 of 971 to 991 is read"));
  // They are differences to the next frame: of the last one ours is the difference to the one before.
  for (std::size_t i = 0, compared = 0; i < crowd.spheres.size(); ++i) {
    for (std::size_t k = 0; k < after.names.size(); ++k) {
      if (after.names[k] != crowd.names[i]) continue;
      CHECK(std::fabs(after.velocities[k].x - published.velocities[i].x) < written);
      CHECK(std::fabs(after.velocities[k].y - published.velocities[i].y) < written);
      ++compared;
    }
    for (std::size_t k = 0; k < before.names.size(); ++k) {
      if (before.names[k] != crowd.names[i]) continue;
      const double mean = (before.velocities[k].x + published.velocities[i].x) / 2;
      CHECK(std::fabs(crowd.velocities[i].x - mean) < written);
    }
    if (i + 1 == crowd.spheres.size()) CHECK(compared > 50);
  }
}

TEST_CASE("trajectories: columns, units, frames", "[io]") {
  const SceneFile first = crowd_of(two), last = crowd_of(two, -1), middle = crowd_of(two, 4);
  CHECK(first.spheres == std::vector<Sphere>{{{5, 6, 0}, 0.25}, {{1, 2, 0.5}, 0.25}});
  CHECK(first.names[0] == "1");
  CHECK(first.velocities == std::vector<Vec3>{{4, 0, 0}, {}});
  CHECK(middle.velocities == std::vector<Vec3>{{8 / 3.0, -8 / 3.0, 2}});
  CHECK(last.velocities == std::vector<Vec3>{{2, -4, 3}});
  SceneLoadOptions options;
  options.csv.columns = {{"r", "A"}};
  CHECK(io::read_scene(*io::memory_source("s.txt", two), io::scene_format("s.txt"), "/nowhere", options)
            .spheres[0]
            .radius == .15);
  const SceneFile cm = crowd_of("# framerate: 25 fps\n# id frame x[in cm] y[in cm]\n1 7 150 -25\n");
  CHECK(cm.spheres == std::vector<Sphere>{{{1.5, -.25, 0}, .25}});
  CHECK(cm.warnings.empty());
  const SceneFile bare = crowd_of("#framerate:\n1 7 1 2 3\n");
  CHECK(bare.spheres == std::vector<Sphere>{{{1, 2, 3}, .25}});
  CHECK(bare.velocities.empty());
  CHECK(bare.warnings == std::vector<std::string>{"s.txt: no framerate is given; the spheres are at rest"});
  // Other tables of text are read as CSV.
  CHECK(crowd_of("x y z r\n1 2 3 4\n").spheres == std::vector<Sphere>{{{1, 2, 3}, 4}});
  CHECK(crowd_of("# framerate: 25\nx,y,z,r\n1,2,3,4\n").spheres == std::vector<Sphere>{{{1, 2, 3}, 4}});
}

TEST_CASE("trajectories: what is wrong is named with its line", "[io]") {
  CHECK(contains(crowd_error(two + "3 6 1 2 0 1 1 1\n"), "s.txt:10: the row has fewer values"));
  CHECK(contains(crowd_error(two + "3 6 1 2 0 1 1 1 1 1\n"), "s.txt:10: the row has more values"));
  CHECK(contains(crowd_error(two + "3 6 1 b 0 1 1 1 1\n"), "s.txt:10: column 'y': 'b' is not a number"));
  CHECK(contains(crowd_error(two + "3 x 1 2 0 1 1 1 1\n"), "s.txt:10: column 'frame': 'x' is not a whole"));
  CHECK(contains(crowd_error(two + "1 3 1 2 0 1 1 1 1\n"), "s.txt:10: pedestrian 1 comes twice in frame 3"));
  CHECK(contains(crowd_error(two, 5), "s.txt:9: there is no frame 5; the file has frames from 3 to 6"));
  CHECK(contains(crowd_error("#framerate: 8\n# id frame x/m y/m\n1 2 3\n"),
                 "s.txt:3: the row has 3 values; the columns are 'id', 'frame', 'x', 'y'"));
  CHECK(
      contains(crowd_error("#framerate: 8\n# id frame x/m y/m\n1 2 nan 4\n"), "s.txt:3: sphere 0: center.x"));
  CHECK(contains(
      scene_error(two, "s.txt"),
      "s.txt:6: a trajectory gives no radii; give --radius R, or --columns r=NAME with one of 'id'"));
  // Frames too far apart for a velocity.
  CHECK(crowd_of("#framerate: 1e300\n1 -9223372036854775807 1 2 3\n1 9223372036854775807 1 2 3\n", -1)
            .velocities == std::vector<Vec3>{{}});
}
