/// Frames of tables, against a search of the rows.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <tests/scratch_files.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

struct Walker {
  int id, frame;
  double time;
  Vec3 place;
};

/// A few walkers; each is missing in some frames, whose numbers have gaps. All numbers are short in binary,
/// so differences are exact.
std::vector<Walker> random_walkers(std::mt19937_64& random) {
  std::vector<Walker> rows;
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  int frame = draw(0, 5);
  for (int n = draw(1, 6); n > 0; --n, frame += draw(1, 3))
    for (int id = 0; id < 5; ++id)
      if (draw(0, 3) > 0)
        rows.push_back({id, frame, frame / 4.0, {draw(-99, 99) / 8.0, draw(-99, 99) / 8.0, 1}});
  if (rows.empty()) rows.push_back({0, frame, frame / 4.0, {}});
  std::ranges::shuffle(rows, random);
  return rows;
}

std::string walkers_text(const std::vector<Walker>& rows, const std::string& frame, const std::string& time) {
  std::string text = "id," + frame + ',' + time + ",x,y,z,r\n";
  for (const Walker& row : rows) {
    text += std::to_string(row.id) + ',' + std::to_string(row.frame) + ',' + std::to_string(row.time) + ',';
    for (const double number : {row.place.x, row.place.y, row.place.z}) text += std::to_string(number) + ',';
    text += "0.5\n";
  }
  return text;
}

/// The neighbors in time of the same id, by looking at all rows.
Vec3 walking_velocity(const Walker& row, const std::vector<Walker>& rows) {
  const Walker *before = &row, *after = &row;
  for (const Walker& other : rows) {
    if (other.id != row.id) continue;
    if (other.frame < row.frame && (before == &row || other.frame > before->frame)) before = &other;
    if (other.frame > row.frame && (after == &row || other.frame < after->frame)) after = &other;
  }
  if (before == after) return {};
  return 1 / (after->time - before->time) * (after->place - before->place);
}

}  // namespace

TEST_CASE("frames of a table by number and by time, with velocities by difference", "[io]") {
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed()));
  std::mt19937_64 random(seed());
  for (int round = 0; round < 200; ++round) {
    const std::vector<Walker> rows = random_walkers(random);
    std::map<int, std::vector<Walker>> frames;
    for (const Walker& row : rows) frames[row.frame].push_back(row);
    std::int64_t count = 0;
    for (const auto& [frame, expected] : frames) {
      INFO("frame " << frame << " of\n" << walkers_text(rows, "frame", "t"));
      const bool is_last = frame == frames.rbegin()->first;
      const std::int64_t number = is_last && round % 2 ? -1 : frame,
                         place = is_last && round % 2 ? -1 : count;
      const CsvOptions by_number{.columns = {{"frame", "nr"}}},
          by_time{.columns = {{"frame", "frame"}, {"t", "s"}}};
      const SceneFile one = scene_of(walkers_text(rows, "nr", "t"), "s.csv",
                                     {.csv = by_number, .frame = number}),
                      same =
                          scene_of(walkers_text(rows, "nr", "s"), "s.csv", {.csv = by_time, .frame = place});
      REQUIRE(one.spheres.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(one.spheres[i] == Sphere{expected[i].place, 0.5});
        CHECK(one.velocities[i] == walking_velocity(expected[i], rows));
        CHECK(one.names[i] == std::to_string(expected[i].id));
      }
      CHECK(same.spheres == one.spheres);
      CHECK(same.velocities == one.velocities);
      ++count;
    }
  }
}

TEST_CASE("a table without frames is read whole, and refuses a frame", "[io]") {
  const std::string table = "x,y,z,r,frame\n1,2,3,4,1\n5,6,7,8,2\n", plain = "x,y,z,r,nr\n1,2,3,4,1\n";
  const SceneFile whole = scene_of(table, "s.csv");
  CHECK(whole.spheres.size() == 2);
  CHECK(whole.velocities.empty());
  CHECK(contains(whole.warnings.back(),
                 "the rows of all frames are taken together; choose one with --frame N"));
  CHECK(scene_of(table, "s.csv", {.frame = 2}).spheres == std::vector<Sphere>{{{5, 6, 7}, 8}});
  CHECK(contains(scene_error(table, "s.csv", {.frame = 9}),
                 "there is no frame 9; the file has frames from 1 to 2"));
  CHECK(contains(scene_error(plain, "s.csv", {.frame = 1}), "there is no column 'frame' for --frame"));
  CHECK(contains(scene_error(plain, "s.csv", {.csv = {.columns = {{"frame", "nr2"}}}}), "did you mean nr?"));
}
