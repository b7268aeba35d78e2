/// Query files.

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const std::string ray_header = "ox,oy,oz,dx,dy,dz,tmin,tmax,ignore\n";

}  // namespace

TEST_CASE("rays, with columns in any order and defaults", "[files]") {
  const auto full =
      queries_of<Ray>(ray_header + "1,2,3,4,5,6,-7,8,9\n0,0,0,0,0,1,,,\n0,0,0,0,0,1,-inf,inf,-1\n", "r.csv");
  REQUIRE(full.queries.size() == 3);
  CHECK(full.queries[0].origin == Vec3{1, 2, 3});
  CHECK(full.queries[0].direction == Vec3{4, 5, 6});
  CHECK(full.queries[0].t_min == -7);
  CHECK(full.queries[0].t_max == 8);
  CHECK(full.queries[1].t_min == 0);
  CHECK(full.queries[1].t_max == HUGE_VAL);
  CHECK(full.queries[2].t_min == -HUGE_VAL);
  CHECK(full.ignore == std::vector<std::int64_t>{9, -1, -1});

  const auto plain = queries_of<Ray>("dz,dy,dx,oz,oy,ox,tmax\n6,5,4,3,2,1,0.5\n", "r.csv");
  CHECK(plain.queries.at(0).origin == Vec3{1, 2, 3});
  CHECK(plain.queries[0].direction == Vec3{4, 5, 6});
  CHECK(plain.queries[0].t_min == 0);
  CHECK(plain.queries[0].t_max == 0.5);
  CHECK(plain.ignore.empty());
  CHECK(queries_of<Ray>(ray_header, "r.csv").queries.empty());
  // An empty range is a miss, no error.
  CHECK(queries_of<Ray>("ox,oy,oz,dx,dy,dz,tmin,tmax\n0,0,0,0,0,1,2,1\n", "r.csv").queries.size() == 1);
}

TEST_CASE("bad rays are errors with their line", "[files]") {
  const auto error = [](const std::string& row) {
    return query_error<Ray>(ray_header + "0,0,0,1,0,0,0,1,\n\n" + row + "\n", "r.csv", 10);
  };
  CHECK(contains(error("nan,0,0,1,0,0,0,1,"), "r.csv:4: ray 1: origin.x is nan"));
  CHECK(
      contains(error("0,0,0,0,0,-0,0,1,"), "r.csv:4: ray 1: direction is zero; give any non-zero direction"));
  CHECK(contains(error("0,0,0,inf,0,0,0,1,"), "r.csv:4: ray 1: direction is not finite"));
  CHECK(contains(error("0,0,0,1,0,0,nan,1,"), "r.csv:4: ray 1: t_min is not a number"));
  CHECK(contains(error("0,0,0,1,0,0,0,nan,"), "r.csv:4: ray 1: t_max is not a number"));
  CHECK(
      contains(error("0,0,0,1,0,0,0,1,10"), "r.csv:4: column 'ignore' is 10, but the scene has 10 spheres"));
  CHECK(contains(error("0,0,0,1,0,0,0,1,-2"), "r.csv:4: column 'ignore' is -2"));
  CHECK(contains(error("0,0,0,1,0,0,0,1,1.5"), "r.csv:4: column 'ignore': '1.5' is not an integer"));
  CHECK(contains(error("0,0,0,1,0,,0,1,"), "r.csv:4: column 'dz': '' is empty; write a number"));
  CHECK(contains(error("0,0,0,1,0"), "r.csv:4: the row has 5 fields, the header 9"));
  CHECK(contains(query_error<Ray>("ox,oy,oz,dx,dy\n", "r.csv"), "r.csv:1: column 'dz' is missing"));
  CHECK(contains(query_error<Ray>("", "r.csv"), "r.csv:1: the file is empty"));
  try {
    queries_of<Ray>("ox,oy,oz,dx,dy,dz\n0,0,0,1,0,0\n0,0,0,0,0,0\n", "r.csv");
    FAIL("no error");
  } catch (const Error& e) {
    CHECK(e.element() == 1);
  }
}

TEST_CASE("columns that no query has are ignored with a warning", "[files]") {
  files::QueryReader<Vec3> reader(io::memory_source("p.csv", "x,y,z,w,name\n1,2,3,4,five\n"), {});
  files::QueryChunk<Vec3> chunk;
  CHECK(reader.next(chunk, 10));
  CHECK(chunk.queries == std::vector<Vec3>{{1, 2, 3}});
  CHECK(!reader.next(chunk, 10));
  CHECK(reader.take_warnings() == std::vector<std::string>{"p.csv: columns ignored: 'w', 'name'"});
}

TEST_CASE("columns are kept as they are, in chunks of bounded size", "[files]") {
  const files::RowOptions rows{.kept = {"id", "z", "id"}};
  files::QueryReader<Vec3> reader(
      io::memory_source("p.csv", "x, id ,y,z,w\n1,\" a\",2,3.0,0\n4, b ,5,6,0\n7,,8,9,0\n"), {.rows = rows});
  files::QueryChunk<Vec3> chunk;
  const auto kept = [&] {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < chunk.kept.size(); ++i) all.emplace_back(chunk.kept[i]);
    return all;
  };
  CHECK(reader.next(chunk, 2));
  CHECK(kept() == std::vector<std::string>{" a", "3.0", " a", " b ", "6", " b "});
  CHECK(reader.next(chunk, 2));
  CHECK(kept() == std::vector<std::string>{"", "9", ""});
  CHECK(chunk.queries == std::vector<Vec3>{{7, 8, 9}});
  CHECK(!reader.next(chunk, 2));
  CHECK(reader.take_warnings() == std::vector<std::string>{"p.csv: columns ignored: 'w'"});

  const std::string long_id(1 << 19, 'i');
  std::string text = "x,y,z,id\n";
  for (int i = 0; i < 100; ++i) text += "1,2,3," + long_id + '\n';
  files::QueryReader<Vec3> long_reader(io::memory_source("p.csv", text), {.rows = {.kept = {"id"}}});
  std::uint64_t count = 0;
  while (long_reader.next(chunk, 1000)) {
    CHECK(chunk.first == count);
    CHECK(chunk.kept.characters().size() <= (8 << 20) + long_id.size());
    CHECK(chunk.kept.size() == chunk.queries.size());
    count += chunk.queries.size();
  }
  CHECK(count == 100);
}

TEST_CASE("observers, bullets, points and balls", "[files]") {
  const auto observers = queries_of<Observer>("x,y,z,on\n1,2,3,\n4,5,6,7\n", "o.csv");
  CHECK(observers.queries.at(1).position == Vec3{4, 5, 6});
  CHECK(observers.queries[0].on == Observer::nowhere);
  CHECK(observers.queries[1].on == 7);
  CHECK(observers.ignore.empty());
  CHECK(contains(query_error<Observer>("x,y,z,on\n1,2,3,5\n", "o.csv", 5), "o.csv:2: column 'on' is 5"));
  CHECK(contains(query_error<Observer>("x,y,z\n1,2,inf\n", "o.csv"),
                 "o.csv:2: observer 0: a coordinate is not finite"));

  const auto receivers = queries_of<Receiver>("nx,ny,nz,x,y,z,on\n0,0,-2,1,2,3,\n1,1,1,4,5,6,7\n", "r.csv");
  CHECK(receivers.queries.at(0).observer.position == Vec3{1, 2, 3});
  CHECK(receivers.queries[0].normal == Vec3{0, 0, -2});
  CHECK(receivers.queries[0].observer.on == Observer::nowhere);
  CHECK(receivers.queries[1].observer.on == 7);
  CHECK(receivers.ignore.empty());
  CHECK(contains(query_error<Receiver>("x,y,z,nx,ny,nz\n1,2,3,0,0,0\n", "r.csv"),
                 "r.csv:2: receiver 0: normal is zero"));

  const auto bullets = queries_of<Bullet>(
      "x,y,z,vx,vy,vz,radius,start,duration,ignore\n1,2,3,4,5,6,.5,-1,2,3\n1,2,3,0,0,0,,,,\n", "b.csv");
  CHECK(bullets.queries.at(0).velocity == Vec3{4, 5, 6});
  CHECK(bullets.queries[0].radius == 0.5);
  CHECK(bullets.queries[0].start == -1);
  CHECK(bullets.queries[0].duration == 2);
  CHECK(bullets.queries[1].radius == 0);
  CHECK(bullets.queries[1].duration == HUGE_VAL);
  CHECK(bullets.ignore == std::vector<std::int64_t>{3, -1});
  const auto bad = [](const std::string& end) {
    return query_error<Bullet>("x,y,z,vx,vy,vz,radius,start,duration\n0,0,0," + end + "\n", "b.csv");
  };
  CHECK(contains(bad("inf,0,0,0,0,1"), "b.csv:2: bullet 0: velocity.x is inf"));
  CHECK(contains(bad("1,0,0,-1,0,1"), "b.csv:2: bullet 0: radius is -1; give a finite one, 0 or more"));
  CHECK(contains(bad("1,0,0,0,inf,1"), "b.csv:2: bullet 0: start is inf"));
  CHECK(contains(bad("1,0,0,0,0,-1"), "b.csv:2: bullet 0: duration is -1; give 0 or more"));
  CHECK(contains(bad("1,0,0,0,0,nan"), "b.csv:2: bullet 0: duration is nan"));

  CHECK(queries_of<Vec3>("x,y,z\n1,2,3\n", "p.csv").queries == std::vector<Vec3>{{1, 2, 3}});
  const auto balls = queries_of<Ball>("x,y,z,r\n1,2,3,0\n", "b.csv");
  CHECK(balls.queries.at(0).radius == 0);
  CHECK(contains(query_error<Ball>("x,y,z,r\n1,2,3,-1\n", "b.csv"), "b.csv:2: ball 0: radius is -1"));
}

TEST_CASE("stations: degrees on a sphere", "[files]") {
  const auto stations =
      queries_of<files::Station>("on,latitude,longitude\n3,51.5,-0.1\n0,-90,400\n", "s.csv", 4);
  CHECK(stations.queries.at(0).longitude == -0.1);
  CHECK(stations.queries[0].latitude == 51.5);
  CHECK(stations.queries[0].on == 3);
  CHECK(stations.queries[1].on == 0);
  CHECK(stations.ignore.empty());
  const auto npy = queries_of<files::Station>(npy_matrix({1, 2, 3}, 3), "s.npy", 4);
  CHECK(npy.queries.at(0).latitude == 2);
  CHECK(npy.queries[0].on == 3);
  CHECK(npy.queries[0].height == 0);
  const auto high =
      queries_of<files::Station>("height,on,latitude,longitude\n8848,1,28,87\n,0,0,0\n", "s.csv", 4);
  CHECK(high.queries.at(0).height == 8848);
  CHECK(high.queries[0].on == 1);
  CHECK(high.queries.at(1).height == 0);
  CHECK(queries_of<files::Station>(npy_matrix({1, 2, 3, -400}, 4), "s.npy", 4).queries.at(0).height == -400);
  CHECK(contains(query_error<files::Station>("longitude,latitude,on,height\n1,2,0,inf\n", "s.csv", 4),
                 "s.csv:2: station 0: its height is not finite or too large"));
  const auto bad = [](const std::string& row) {
    return query_error<files::Station>("longitude,latitude,on\n" + row + "\n", "s.csv", 4);
  };
  CHECK(contains(bad("1,90.5,0"), "s.csv:2: station 0: give finite degrees, the latitude from -90 to 90"));
  CHECK(contains(bad("inf,0,0"), "s.csv:2: station 0: give finite degrees"));
  CHECK(contains(bad("1,nan,0"), "s.csv:2: station 0: give finite degrees"));
  CHECK(contains(bad("1,2,"), "s.csv:2: a station needs a sphere to stand on; give its id in column 'on'"));
  CHECK(contains(bad("1,2,4"), "s.csv:2: column 'on' is 4, but the scene has 4 spheres"));
  CHECK(contains(query_error<files::Station>("longitude,latitude\n1,2\n", "s.csv"),
                 "s.csv:1: column 'on' is missing; the header needs 'longitude', 'latitude', 'on'"));
  CHECK(contains(query_error<files::Station>("", "s.csv"), "a header with 'longitude', 'latitude', 'on'"));
  CHECK(contains(
      query_error<files::Station>(npy_matrix({1, 2}, 2), "s.npy"),
      "s.npy: the NPY array has 2 columns; stations have 3, 4: 'longitude', 'latitude', 'on', 'height'"));
}

TEST_CASE("NPY queries: columns in the order of the contract", "[files]") {
  CHECK(queries_of<Ray>(npy_matrix({1, 2, 3, 4, 5, 6}, 6), "r.npy").queries.at(0).t_max == HUGE_VAL);
  CHECK(queries_of<Ray>(npy_matrix({1, 2, 3, 4, 5, 6, 7, 8}, 8), "r.npy").queries.at(0).t_max == 8);
  const auto nine =
      queries_of<Ray>(npy_matrix({1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, -1}, 9), "r.npy");
  CHECK(nine.queries.at(0).direction == Vec3{4, 5, 6});
  CHECK(nine.ignore == std::vector<std::int64_t>{9, -1});
  CHECK(queries_of<Ray>(npy_matrix({1, 2, 3, 4, 5, 6}, 6), "r.npy").ignore.empty());
  CHECK(contains(query_error<Ray>(npy_matrix({1, 2, 3, 4, 5, 6, 7}, 7), "r.npy"),
                 "r.npy: the NPY array has 7 columns; rays have 6, 8, 9"));
  CHECK(contains(query_error<Ray>(npy_matrix({1, 2, 3, 4, 5, 6, 7, 8, 0.5}, 9), "r.npy"),
                 "r.npy:1: column 'ignore' is not an integer"));
  CHECK(contains(query_error<Ray>(npy_matrix({1, 2, 3, 4, 5, 6, 7, 8, NAN}, 9), "r.npy"),
                 "r.npy:1: column 'ignore' is not an integer"));
  CHECK(contains(query_error<Ray>(npy_matrix({1, 2, 3, 4, 5, 6, 1, 2, 3, 0, 0, 0}, 6), "r.npy"),
                 "r.npy:2: ray 1: direction is zero"));
  CHECK(queries_of<Observer>(npy_matrix({1, 2, 3, 0}, 4), "o.npy").queries.at(0).on == 0);
  CHECK(queries_of<Observer>(npy_matrix({1, 2, 3}, 3), "o.npy").queries.at(0).on == Observer::nowhere);
  CHECK(queries_of<Receiver>(npy_matrix({1, 2, 3, 0, 0, 1, 4}, 7), "r.npy").queries.at(0).observer.on == 4);
  CHECK(queries_of<Receiver>(npy_matrix({1, 2, 3, 0, 0, 1}, 6), "r.npy").queries.at(0).normal.z == 1);
  CHECK(queries_of<Vec3>(npy_matrix({1, 2, 3}, 3), "p.npy").queries.size() == 1);
  CHECK(queries_of<Ball>(npy_matrix({1, 2, 3, 4}, 4), "b.npy").queries.at(0).radius == 4);
  const std::vector<double> bullet{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  for (const std::size_t width : {6, 7, 9, 10}) {
    const auto b = queries_of<Bullet>(
        npy_matrix({bullet.begin(), bullet.begin() + static_cast<long>(width)}, width), "b.npy");
    CHECK(b.queries.at(0).radius == (width > 6 ? 7 : 0));
    CHECK(b.queries[0].start == (width > 7 ? 8 : 0));
    CHECK(b.queries[0].duration == (width > 7 ? 9 : HUGE_VAL));
    CHECK(b.ignore == (width > 9 ? std::vector<std::int64_t>{10} : std::vector<std::int64_t>{}));
  }
  CHECK(queries_of<Ray>(npy_matrix({}, 6), "r.npy").queries.empty());
}

namespace {

/// Rows of each number of columns, written and read in every format, are the same queries.
template <class Query>
void check_formats() {
  const files::QueryColumns& columns = files::query_columns<Query>();
  for (const std::size_t width : columns.npy_widths) {
    constexpr std::size_t rows = 3;
    std::vector<double> numbers(rows * width);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % width + i / width);
    std::vector<files::QueryChunk<Query>> chunks;
    for (const files::QueryFormat* format : files::query_formats) {
      std::string bytes = format->matrix->header(columns.names(width), rows);
      format->matrix->append(bytes, numbers, width);
      chunks.push_back(queries_of<Query>(bytes, "q" + format->extension()));
      REQUIRE(chunks.back().queries.size() == rows);
      CHECK(chunks.back().ignore == chunks.front().ignore);
      CHECK(std::memcmp(chunks.back().queries.data(), chunks.front().queries.data(), rows * sizeof(Query)) ==
            0);
    }
  }
}

}  // namespace

TEST_CASE("structured NPY queries: optional fields, kept ones, and misses", "[files]") {
  struct [[gnu::packed]] Row {
    double z;
    std::int64_t sphere;
    float y;
    std::int16_t on;
    double x;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::array<Row, 5> rows{{{3, 1'000'000'000'000'000, 0.5F, 7, 1},
                                 {nan, 4, 2, 7, 1},
                                 {1, -1, 2, 7, 1},
                                 {6, 9, 5, -1, 4},
                                 {6, 9, 5, 3, nan}}};
  const std::string file = npy_file(
      "{'descr': [('z', '<f8'), ('sphere', '<i8'), ('y', '<f4'), ('on', '<i2'), ('x', '<f8')], "
      "'fortran_order': False, 'shape': (5,), }",
      std::string(reinterpret_cast<const char*>(rows.data()), sizeof rows));
  files::QueryReader<Observer> reader(io::memory_source("o.npy", file),
                                      {.spheres = 8, .rows = {.kept = {"sphere", "y"}, .skip_misses = true}});
  files::QueryChunk<Observer> chunk;
  REQUIRE(reader.next(chunk, 10));
  REQUIRE(chunk.queries.size() == 2);
  CHECK(chunk.queries[0].position == Vec3{1, 0.5, 3});
  CHECK(chunk.queries[0].on == 7);
  CHECK(chunk.queries[1].position == Vec3{4, 5, 6});
  CHECK(chunk.queries[1].on == -1);
  CHECK(chunk.number(0) == 0);
  CHECK(chunk.number(1) == 3);
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < chunk.kept.size(); ++i) kept.emplace_back(chunk.kept[i]);
  CHECK(kept == std::vector<std::string>{"1000000000000000", "0.5", "9", "5"});
  CHECK(!reader.next(chunk, 10));
  CHECK(reader.skipped() == "o.npy: 3 rows are misses, skipped");
  CHECK(reader.read_so_far().count == 5);
  CHECK(contains(query_error<Observer>(file, "o.npy", 8), "o.npy:2: observer 1: "));
}

TEST_CASE("rays, points and balls have times, layers and a sphere to ignore of their own", "[files]") {
  const std::vector<std::string> layers{"people", "cars, parked", "cars"};
  const files::QueryReadOptions options{
      .spheres = 8,
      .rows = {.layer_names = layers, .epoch = io::parse_date("2024-04-08T18:00:00Z")},
      .time = 2.5};
  const auto read = [&]<class Query>(const std::string& text, Query) {
    files::QueryReader<Query> reader(io::memory_source("q.csv", text), options);
    files::QueryChunk<Query> chunk;
    reader.next(chunk, 100);
    CHECK(reader.take_warnings().empty());
    return chunk;
  };
  const auto points = read(
      "x,layers,t,y,z,ignore\n1,people,-7,2,3,4\n1,\"cars , people\",,2,3,\n1,,2024-04-08T18:01:00Z,2,3,-1\n",
      Vec3{});
  CHECK(points.queries == std::vector<Vec3>(3, {1, 2, 3}));
  CHECK(points.ignore == std::vector<std::int64_t>{4, -1, -1});
  CHECK(points.times == std::vector<double>{-7, 2.5, 60});
  CHECK(points.layers_each == std::vector<LayerMask>{1, 5, all_layers});
  CHECK(read("x,y,z,r,t\n1,2,3,4,5\n", Ball{}).times == std::vector<double>{5});
  CHECK(read("x,y,z,r\n1,2,3,4\n", Ball{}).times.empty());
  CHECK(read("x,y,z,r,ignore\n1,2,3,4,5\n", Ball{}).ignore == std::vector<std::int64_t>{5});
  CHECK(read("ox,oy,oz,dx,dy,dz,layers\n0,0,0,1,0,0,cars\n", Ray{}).layers_each == std::vector<LayerMask>{4});

  const auto error = [&](const std::string& text, files::QueryReadOptions with) {
    return error_of([&] {
      files::QueryReader<Vec3> reader(io::memory_source("q.csv", text), with);
      files::QueryChunk<Vec3> chunk;
      reader.next(chunk, 100);
    });
  };
  CHECK(
      contains(error("x,y,z,layers\n1,2,3,car\n", options),
               "q.csv:2: column 'layers': 'car' is not a list of layers with commas between them; the scene "
               "has 'people', 'cars, parked', 'cars'"));
  CHECK(contains(error("x,y,z,t\n1,2,3,inf\n", options), "q.csv:2: column 't' is not within 2^200"));
  CHECK(contains(error("x,y,z,t\n1,2,3,2024-01-01\n", {}), "'2024-01-01' is a date; give the scene an"));
  CHECK(contains(error("x,y,z,t\n", {.no_times = "not here"}), "q.csv:1: not here"));
  // A column `time` is that of a result, unless --columns says otherwise.
  const files::QueryReader<Vec3> result(io::memory_source("q.csv", "x,y,z,time\n1,2,3,4\n"), {});
  CHECK(!result.has_times());
  CHECK(contains(
      error("x,y,z,time\n1,2,3,4\n", {.rows = {.csv = {.columns = {{"t", "time"}}}}, .no_times = "not here"}),
      "not here"));
}

TEST_CASE("bad queries are skipped on demand, in parts as in the whole", "[files]") {
  Folder folder;
  const std::vector<std::string> bad{"1,2,\n", "1,2\n", "1,2,nan\n", "1,\"2\"x,3\n", "x,2,3\n"};
  std::string text = "x,y,z\n";
  std::vector<std::pair<double, std::uint64_t>> expected;
  constexpr std::uint64_t rows = 97;
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (row * row % 5 < 2) {
      text += bad[row % bad.size()];
      continue;
    }
    text += std::to_string(row) + ",0,0\n";
    expected.emplace_back(static_cast<double>(row), row);
  }
  const fs::path file = folder.write("p.csv", text);
  for (const std::uint64_t parts : {1, 2, 5, 97, 120}) {
    std::vector<std::pair<double, std::uint64_t>> read;
    std::uint64_t count = 0;
    for (std::uint64_t part = 1; part <= parts; ++part) {
      files::QueryReader<Vec3> reader(file, {.rows = {.skip_bad = true}, .shard = {part, parts}});
      files::QueryChunk<Vec3> chunk;
      while (reader.next(chunk, 3))
        for (std::size_t i = 0; i < chunk.queries.size(); ++i)
          read.emplace_back(chunk.queries[i].x, chunk.number(i));
      count += reader.read_so_far().count;
      CHECK(reader.read_so_far().total == rows);
      const std::vector<std::string> warnings = reader.take_warnings();
      if (parts == 1) {
        REQUIRE(warnings.size() == 6);
        CHECK(contains(warnings[0], "p.csv:2: column 'z': '' is empty"));
        CHECK(warnings[5] == std::to_string(rows - expected.size()) +
                                 " bad rows are skipped; the others keep their numbers");
      }
    }
    CHECK(read == expected);
    CHECK(count == rows);
  }
}

TEST_CASE("skipped misses leave gaps in the numbers, for any size of chunks", "[files]") {
  const std::string csv =
      "sphere,x,y,z\n-1,1,1,1\n0,,,\n5,1,0,0\n6,2,0,0\n-1,3,0,0\n7,4,0,NaN\n8,5,0,0\n9,,,\n";
  for (std::size_t limit = 1; limit <= 5; ++limit) {
    files::QueryReader<Vec3> reader(io::memory_source("p.csv", csv), {.rows = {.skip_misses = true}});
    files::QueryChunk<Vec3> chunk;
    std::vector<std::pair<double, std::uint64_t>> read;
    while (reader.next(chunk, limit)) {
      CHECK(chunk.queries.size() <= limit);
      for (std::size_t i = 0; i < chunk.queries.size(); ++i)
        read.emplace_back(chunk.queries[i].x, chunk.number(i));
    }
    CHECK(read == std::vector<std::pair<double, std::uint64_t>>{{1, 2}, {2, 3}, {5, 6}});
    CHECK(reader.skipped() == "p.csv: 5 rows are misses, skipped");
    CHECK(reader.take_warnings().empty());
  }
  CHECK(contains(query_error<Vec3>(csv, "p.csv"),
                 "p.csv:3: column 'x': '' is empty; write a number, or skip misses"));
}

TEST_CASE("queries are the same in every format, with any number of columns", "[files]") {
  std::apply([](const auto&... kind) { (check_formats<std::remove_cvref_t<decltype(kind)>>(), ...); },
             files::QueryKinds());
  CHECK(files::query_columns<Ray>().text() ==
        "ox,oy,oz,dx,dy,dz[,tmin,tmax[,ignore]] and perhaps t,layers,ignore_owner");
  CHECK(files::query_columns<Bullet>().text() ==
        "x,y,z,vx,vy,vz[,radius[,start,duration[,ignore]]] and perhaps ignore_owner");
  CHECK(files::query_columns<Observer>().text() == "x,y,z[,on]");
  CHECK(files::query_columns<files::Station>().text() == "longitude,latitude,on[,height]");
  CHECK(files::query_columns<Vec3>().text() == "x,y,z[,ignore] and perhaps t,layers,ignore_owner");
  for (const char* name : {"q.csv", "q", "-", "q.npy.csv", "q.csv.gz"})
    CHECK(&files::query_format(name) == &files::csv_queries);
  for (const char* name : {"q.npy", "q.npy.gz"}) CHECK(&files::query_format(name) == &files::npy_queries);
}

TEST_CASE("shards cover the file once and keep the numbers", "[files]") {
  Folder folder;
  for (const int rows : {0, 1, 2, 7, 100}) {
    std::string csv = "x,y,z\n";
    std::vector<double> values;
    for (int i = 0; i < rows; ++i) {
      csv += std::to_string(i) + ",\"0\",0\n" + (i % 3 ? "" : "\n");
      values.insert(values.end(), {static_cast<double>(i), 0, 0});
    }
    for (const fs::path& path : {folder.write("p.csv", csv), folder.write("p.npy", npy_matrix(values, 3))}) {
      for (const std::uint64_t count : {1, 2, 3, 7, 200}) {
        std::uint64_t next = 0;
        for (std::uint64_t index = 1; index <= count; ++index) {
          files::QueryReadOptions options;
          options.shard = {index, count};
          files::QueryReader<Vec3> reader(path, options);
          files::QueryChunk<Vec3> chunk;
          while (reader.next(chunk, 4)) {
            CHECK(chunk.first == next);
            for (const Vec3& point : chunk.queries) CHECK(point.x == static_cast<double>(next++));
          }
        }
        CHECK(next == static_cast<std::uint64_t>(rows));
      }
    }
  }
  for (const files::Shard shard :
       {files::Shard{0, 1}, files::Shard{2, 1}, files::Shard{1, 0}, files::Shard{1, files::max_shards + 1}}) {
    files::QueryReadOptions options;
    options.shard = shard;
    error_of([&] { files::QueryReader<Vec3>(folder / "p.csv", options); }, ErrorCode::invalid_argument);
  }
}

namespace {

/// The bytes of a file with this name and content: packed if the name ends in .gz.
std::string stored(const Folder& folder, const std::string& name, std::string_view content) {
  io::Output output(folder / ("stored " + name));
  output.write(content);
  output.commit();
  return contents(folder / ("stored " + name));
}

/// Puts other bytes in the place of a file.
void replace(const Folder& folder, const std::string& name, const std::string& bytes) {
  fs::rename(folder.write("new", bytes), folder / name);
}
void overwrite(const Folder& folder, const std::string& name, const std::string& bytes) {
  folder.write(name, bytes);
}

/// Reads part `index` of 2; calls change() between the two readings of the file.
void read_part(const fs::path& file, std::uint64_t index, const std::function<void()>& change) {
  bool changed = false;
  const auto progress = [&](double done) {
    if (done == 1 && !std::exchange(changed, true)) change();
  };
  files::QueryReader<Vec3> reader(file, {.shard = {index, 2}, .control = {.progress = progress}});
  files::QueryChunk<Vec3> chunk;
  while (reader.next(chunk, 1)) {
  }
  CHECK(changed);
}

}  // namespace

TEST_CASE("a reader knows which fraction of the queries it has returned", "[files]") {
  const Folder folder;
  constexpr std::size_t rows = 40'000;  // as CSV several chunks of a read
  std::string text = "x,y,z\n";
  std::vector<double> numbers;
  for (std::size_t i = 0; i < rows; ++i) {
    text += "0.25,12345,-1e9\n";  // rows of one length
    numbers.insert(numbers.end(), {0.25, 12345, -1e9});
  }
  const std::string name = GENERATE("p.csv", "p.csv.gz", "p.npy", "p.npy.gz");
  const std::uint64_t shards = GENERATE(1, 4);
  CAPTURE(name, shards);
  const bool is_npy = name.starts_with("p.npy");
  const fs::path file = folder.write(name, stored(folder, name, is_npy ? npy_matrix(numbers, 3) : text));
  files::QueryReader<Vec3> reader(file, {.shard = {shards == 1 ? 1u : 3u, shards}});
  files::QueryChunk<Vec3> chunk;
  // Bytes of CSV include the header's; packed ones are unpacked a chunk of 256 KiB ahead.
  const double tolerance = is_npy || shards > 1 ? 1e-12 : name == "p.csv" ? 1e-5 : 0.1;
  for (std::size_t returned = 0; reader.next(chunk, 1000);) {
    returned += chunk.queries.size();
    const double expected = static_cast<double>(returned * shards) / rows;
    REQUIRE(reader.fraction());
    REQUIRE(std::fabs(*reader.fraction() - expected) <= tolerance);
  }
  CHECK(*reader.fraction() == 1);
}

TEST_CASE("a shard's file that is replaced or written between its two readings is an error", "[files]") {
  const Folder folder;
  const std::string rows = "x,y,z\n1,0,0\n2,0,0\n3,0,0\n4,0,0\n";
  // The last two have the same first rows: only the bytes of the whole file tell.
  const auto later =
      GENERATE(std::string("x,y,z\n5,0,0\n6,0,0\n7,0,0\n8,0,0\n"),
               std::string("x,y,z\n1,0,0\n2,0,0\n3,0,0\n5,0,0\n"), std::string("x,y,z\n1,0,0\n2,0,0\n"));
  const std::string name = GENERATE("points.csv", "points.csv.gz");
  const auto put = GENERATE(&replace, &overwrite);
  const std::uint64_t index = GENERATE(1, 2);
  CAPTURE(later, name, put == &replace, index);
  const std::string before = stored(folder, name, rows), after = stored(folder, name, later);
  const fs::path file = folder.write(name, before);
  read_part(file, index, [&] { put(folder, name, before); });
  // What lies behind the packed bytes already read may be found to be damaged.
  const std::string error = error_of([&] { read_part(file, index, [&] { put(folder, name, after); }); });
  CAPTURE(error);
  CHECK((contains(error, "its bytes changed between two readings of this run") ||
         (put == &overwrite && contains(error, "the gzip data are damaged"))));
}

TEST_CASE("readers that share their passes must read the same bytes", "[files]") {
  const Folder folder;
  io::SameBytes passes;
  const auto read = [&](std::string_view bytes) {
    files::QueryReader<Vec3> reader(folder.write("p.csv", bytes), {.passes = &passes});
    files::QueryChunk<Vec3> chunk;
    CHECK(reader.next(chunk, 1));
    reader.end();
  };
  read("x,y,z\n1,0,0\n2,0,0\n");
  read("x,y,z\n1,0,0\n2,0,0\n");
  CHECK(contains(error_of([&] { read("x,y,z\n1,0,0\n3,0,0\n"); }), "p.csv: its bytes changed"));
}

TEST_CASE("nobody stands at a sphere's center", "[files]") {
  const std::vector<Sphere> grounds{{{1, 2, 3}, 1}, {{4, 5, 6}, 1}};
  const auto reader = [&](const std::string& rows) {
    return files::QueryReader<Observer>(io::memory_source("o.csv", rows), {.spheres = 2, .grounds = grounds});
  };
  files::QueryChunk<Observer> chunk;
  CHECK(reader("x,y,z,on\n1,2,3,1\n1,2,3,\n").next(chunk, 10));
  CHECK(contains(error_of([&] { reader("x,y,z,on\n0,0,0,0\n4,5,6,1\n").next(chunk, 10); }),
                 "o.csv:3: it is at the center of sphere 1"));
}
