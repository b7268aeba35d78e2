#include <cmath>
#include <fstream>
#include <io/ephemeris/ephemeris_formats.hpp>
#include <map>
#include <sstream>

#include <tests/inputs/daf_bytes.hpp>
#include <tests/scratch_files.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const io::Instant epoch = io::parse_date("JD2457084.5 TDB");

io::EphemerisOptions in_km(std::string target = {}, std::string center = {}) {
  return {.epoch = epoch, .unit = "km", .target = std::move(target), .center = std::move(center)};
}

Motion motion_of(std::string_view bytes, const io::EphemerisOptions& options = in_km()) {
  return io::read_ephemeris(io::memory_source("e", bytes), options);
}

std::string unread(std::string_view bytes, const io::EphemerisOptions& options = in_km()) {
  try {
    (void)motion_of(bytes, options);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_file);
    return error.what();
  }
  return "accepted";
}

double distance(const Vec3& a, const Vec3& b) {
  const Vec3 d = a - b;
  return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

std::string bytes_of(const std::string& name) {
  std::ifstream file(data(name), std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The same kernel with its numbers in the other byte order.
std::string swapped(std::string bytes) {
  const auto turn = [&](std::size_t at, std::size_t size) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
  };
  const auto integer = [&](std::size_t at) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  const std::size_t first = (integer(76) - 1) * 1024;
  double summaries;
  std::memcpy(&summaries, bytes.data() + first + 16, sizeof summaries);
  std::size_t data_begin = bytes.size(), data_end = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(summaries); ++i) {
    const std::size_t at = first + 24 + 40 * i;
    data_begin = std::min(data_begin, 8 * (std::size_t{integer(at + 32)} - 1));
    data_end = std::max(data_end, 8 * std::size_t{integer(at + 36)});
    turn(at, 8), turn(at + 8, 8);
    for (std::size_t word = at + 16; word < at + 40; word += 4) turn(word, 4);
  }
  for (std::size_t at = data_begin; at < data_end; at += 8) turn(at, 8);
  for (const std::size_t at : {first, first + 8, first + 16}) turn(at, 8);
  for (const std::size_t at : {8, 12, 76, 80, 84}) turn(at, 4);
  std::memcpy(bytes.data() + 88, "BIG-IEEE", 8);
  return bytes;
}

/// A circle of radius 7000 km in 6000 s, sampled.
MotionSample circle_at(double t) {
  const double w = 2 * 3.141592653589793 / 6000, r = 7000;
  return {t,
          {r * std::cos(w * t), r * std::sin(w * t), 10},
          {-r * w * std::sin(w * t), r * w * std::cos(w * t), 0}};
}

/// States at these times as a segment of type 13.
SpkArray states(const std::vector<double>& times) {
  SpkArray array{times.front(), times.back(), {7, 399, 1, 13}, {}};
  for (const double t : times) {
    const auto [_, p, v] = circle_at(t);
    for (const double x : {p.x, p.y, p.z, v.x, v.y, v.z}) array.words.push_back(x);
  }
  array.words.insert(array.words.end(), times.begin(), times.end());
  for (std::size_t i = 100; i < times.size(); i += 100) array.words.push_back(times[i - 1]);
  array.words.push_back(3), array.words.push_back(static_cast<double>(times.size()));
  return array;
}

/// x = t^3 for |t| ≤ 100, as Chebyshev polynomials.
SpkArray cubic() {
  SpkArray array{-100, 100, {1, 0, 1, 2}, {0, 100}};
  array.words.insert(array.words.end(), {0, 0.75e6, 0, 0.25e6, 0, 0, 0, 0, 0, 0, 0, 0, -100, 200, 14, 1});
  return array;
}

std::string kernel_of(SpkArray array) { return daf_bytes({std::move(array)}, false); }

}  // namespace

TEST_CASE("SPK: positions as jplephem computes them, in both byte orders", "[io]") {
  std::ifstream table(data("spk_positions.csv"));
  std::string line;
  std::getline(table, line);
  double worst = 0, fastest = 0;
  std::size_t rows = 0;
  std::map<std::string, Motion> motions;
  while (std::getline(table, line)) {
    std::stringstream fields(line);
    std::string file, target, center, number;
    std::getline(fields, file, ','), std::getline(fields, target, ','), std::getline(fields, center, ',');
    std::vector<double> v;
    while (std::getline(fields, number, ',')) v.push_back(std::stod(number));
    REQUIRE(v.size() == 7);
    for (const bool other : {false, true}) {
      const std::string key = file + target + ' ' + center + (other ? "b" : "l");
      if (!motions.contains(key)) {
        const std::string bytes = other ? swapped(bytes_of(file)) : bytes_of(file);
        motions.emplace(key, motion_of(bytes, in_km(target, center)));
      }
      const Motion& motion = motions.at(key);
      const double t = (v[0] - 2457084.5) * 86400, h = 1;
      worst = std::max(worst, distance(motion.at(t), {v[1], v[2], v[3]}));
      const Vec3 speed = (0.5 / h) * (motion.at(t + h) - motion.at(t - h));
      fastest = std::max(fastest, distance(speed, {v[4], v[5], v[6]}));
    }
    ++rows;
  }
  CHECK(rows == 81);
  CAPTURE(worst, fastest);
  CHECK(worst < 3 * 0.001);  // chains of up to three bodies, each off by a meter at most
  CHECK(fastest < 1e-5);
}

TEST_CASE("SPK: the scene's unit and time", "[io]") {
  const std::string bytes = bytes_of("de430_2015_03.bsp");
  io::EphemerisOptions options = in_km("301", "399");
  const Motion km = motion_of(bytes, options);
  options.unit = "";
  const Motion m = motion_of(bytes, options);
  CHECK(distance(m.at(777), 1000 * km.at(777)) < 1e-3);
  options.unit = "au";
  CHECK(distance(149597870.7 * motion_of(bytes, options).at(777), km.at(777)) < 1e-3);
  options.unit = "ly";
  CHECK(contains(unread(bytes, options), "e: its lengths are in km, and the scene's unit is 'ly'; give the"));
  options.unit = "km";
  options.from = io::parse_date("2015-03-02T12:00 TDB"), options.to = io::parse_date("2015-03-03T12:00 TDB");
  const Motion day = motion_of(bytes, options);
  CHECK(day.samples().front().time == io::seconds_between(epoch, *options.from));
  CHECK(day.samples().back().time == io::seconds_between(epoch, *options.to));
  CHECK(day.samples().size() < km.samples().size());
  CHECK(distance(day.at(777), km.at(777)) < 0.002);
  options.from = io::parse_date("2016-01-01 TDB"), options.to.reset();
  CHECK(contains(unread(bytes, options), "body 301 has no positions from \"from\" to \"to\""));
  options.from.reset(), options.epoch.reset();
  CHECK(contains(unread(bytes, options), "its times are dates; give the scene an \"epoch\""));
}

TEST_CASE("SPK: which body", "[io]") {
  const std::string bytes = bytes_of("de430_2015_03.bsp");
  CHECK(contains(unread(bytes),
                 "it has several bodies, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 199, 299, 301, 399; give"));
  CHECK(contains(unread(bytes, in_km("499")), "it has no body 499, but 1, 2, 3"));
  CHECK(contains(unread(bytes, in_km("Moon")), "\"target\" is 'Moon'; give the number that NAIF has"));
  CHECK(contains(unread(bytes, in_km("301", "77")), "bodies 301 and 77 have no common center in it"));
  CHECK(contains(unread(bytes, in_km("301", "301")), "\"target\" and \"center\" are one body"));
  // Without a center, the one of the kernel.
  CHECK(motion_of(bytes, in_km("301")).at(5) == motion_of(bytes, in_km("301", "3")).at(5));
  // A body of the kernel relative to one that moves about it.
  CHECK(distance(motion_of(bytes, in_km("3", "301")).at(5),
                 -1.0 * motion_of(bytes, in_km("301", "3")).at(5)) < 1e-9);
}

TEST_CASE("SPK: polynomials and states", "[io]") {
  for (const bool big : {false, true}) {
    io::EphemerisOptions options = in_km();
    options.epoch = io::parse_date("2000-01-01T12:00 TDB");
    const Motion line = motion_of(daf_bytes({cubic()}, big), options);
    for (const double t : {-100.0, -33.3, 0.0, 71.0, 100.0})
      CHECK(std::fabs(line.at(t).x - t * t * t) < 1e-8);
    CHECK(line.samples().size() == 2);  // a cubic is one

    std::vector<double> times;
    for (int i = 0; i < 333; ++i) times.push_back(i * 20.0 - 10 + i % 3);
    const Motion circle = motion_of(daf_bytes({states(times)}, big), options);
    CHECK(circle.samples().size() == times.size());
    for (const double t : times) CHECK(distance(circle.at(t), circle_at(t).position) < 1e-9);
    CHECK(distance(circle.at(55.5), circle_at(55.5).position) < 1e-5);
    // Two segments, one after the other.
    const std::vector<double> early(times.begin(), times.begin() + 100),
        late(times.begin() + 99, times.end());
    const Motion joined = motion_of(daf_bytes({states(late), states(early)}, big), options);
    CHECK(joined.samples().size() == times.size());
    CHECK(contains(unread(daf_bytes({states(early), states({times.end() - 9, times.end()})}, big), options),
                   "body 7 has no positions for some time after 1"));
  }
}

TEST_CASE("SPK: what is not supported or damaged is said", "[io]") {
  const auto changed = [](const auto& change) {
    SpkArray array = cubic();
    change(array);
    return unread(kernel_of(array));
  };
  CHECK(contains(changed([](SpkArray& a) { a.target_center_frame_type[3] = 21; }),
                 "e: segment of body 1: it is of type 21; supported are 2, 3 and 13"));
  CHECK(contains(changed([](SpkArray& a) { a.target_center_frame_type[2] = 17; }),
                 "it is in frame 17; supported"));
  CHECK(contains(changed([](SpkArray& a) { a.words.back() = 2; }), "its records do not fill it"));
  CHECK(
      contains(changed([](SpkArray& a) { a.words.back() = 1e300; }), "its records have no length or number"));
  CHECK(contains(changed([](SpkArray& a) { a.words[a.words.size() - 3] = std::nan(""); }),
                 "its records do not cover"));
  CHECK(contains(changed([](SpkArray& a) { a.to = 101; }), "its records do not cover its times"));
  CHECK(contains(changed([](SpkArray& a) { a.from = 200; }), "a segment's end is not after its begin"));
  CHECK(contains(changed([](SpkArray& a) { a.words[1] = 0; }), "a record has no middle or radius"));
  CHECK(contains(changed([](SpkArray& a) { a.words[5] = std::nan(""); }), "t,x,y,z are not all finite"));
  CHECK(
      contains(changed([](SpkArray& a) { a.words[2] = 1e70; }), "t,x,y,z are not all finite, or too large"));
  CHECK(contains(changed([](SpkArray& a) { a.target_center_frame_type = {1, 1, 1, 2}; }), "accepted"));
  SpkArray unsorted = states({0, 1, 2});
  unsorted.words[19] = 3;
  CHECK(contains(unread(kernel_of(unsorted)), "the times of its states do not grow"));
  const std::string whole = kernel_of(cubic());
  for (std::size_t n = 0; n < whole.size(); n += 7) CHECK(unread(whole.substr(0, n)) != "accepted");
  CHECK(contains(unread(whole.substr(0, 1500)),
                 "e: it is no whole SPK kernel: a record of summaries is behind"));
  CHECK(contains(unread(whole.substr(0, whole.size() - 8)),
                 "a segment is not inside it; it may have been cut"));
}

namespace {

constexpr std::string_view oem_head = R"(CCSDS_OEM_VERS = 2.0
CREATION_DATE = 2015-03-01T00:00:00
ORIGINATOR = TEST

META_START
OBJECT_NAME = PROBE
OBJECT_ID = 2015-001A
CENTER_NAME = EARTH
REF_FRAME = ICRF
TIME_SYSTEM = TDB
START_TIME = 2015-03-03T00:00:00
STOP_TIME = 2015-03-03T00:02:00
META_STOP
COMMENT states
)";

std::string oem(std::string_view rows) { return std::string(oem_head) + std::string(rows); }

std::string with(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("CCSDS OEM", "[io]") {
  const std::string text =
      oem("2015-03-03T00:00:00 1 2 3 0.1 0.2 0.3\n2015-062T00:01:00.5 2 3 4 0 0 0 9 9 9\r\n\n"
          "COVARIANCE_START\nEPOCH = 2015-03-03T00:00:00\n1\n2 3\nCOVARIANCE_STOP\n");
  const Motion motion = motion_of(text);
  REQUIRE(motion.samples().size() == 2);
  CHECK(motion.samples()[0].time == 0);
  CHECK(motion.samples()[0].position == Vec3{1, 2, 3});
  CHECK(motion.samples()[0].velocity == Vec3{0.1, 0.2, 0.3});
  CHECK(motion.samples()[1].time == 60.5);
  CHECK(motion_of(with(text, "= TDB", "= UTC")).samples()[0].time == Approx(67.184));
  io::EphemerisOptions meters = in_km("PROBE");
  meters.unit = "m";
  CHECK(motion_of(text, meters).samples()[0].position == Vec3{1000, 2000, 3000});
  CHECK(motion_of(text, in_km("2015-001A", "EARTH")).samples().size() == 2);
  // Blocks of one object; the second begins where the first ends.
  const std::string more = with(oem("2015-03-03T00:01:00.5 2 3 4 0 0 0\n2015-03-03T00:02 5 5 5 0 0 0\n"),
                                "CCSDS_OEM_VERS = 2.0", "");
  CHECK(motion_of(text + more).samples().size() == 3);
  const std::string other = with(more, "2015-001A", "2015-002B");
  CHECK(contains(unread(text + other), "it has several objects, 'PROBE', 'PROBE'; give the \"target\""));
  CHECK(motion_of(text + other, in_km("2015-001A")).samples().size() == 2);

  CHECK(contains(unread(text, in_km("MOON")), "it has no states of 'MOON'; its objects are 'PROBE'"));
  CHECK(contains(unread(text, in_km("PROBE", "MARS")), "e:13: the center is 'EARTH', not 'MARS'"));
  CHECK(contains(unread(with(text, "= TDB", "= UT1")), "e:10: TIME_SYSTEM is 'UT1'; supported are UTC"));
  CHECK(contains(unread(with(text, "TIME_SYSTEM = TDB\n", "")), "e:12: the metadata lack 'TIME_SYSTEM'"));
  CHECK(contains(unread(oem("2015-02-29T00:00:00 1 2 3 4 5 6\n")),
                 "e:15: date '2015-02-29T00:00:00': that month"));
  CHECK(
      contains(unread(oem("2015-03-03T00:00:00 1 2 3 4 5\n")), "e:15: a state needs a date and six numbers"));
  CHECK(contains(unread(oem("2015-03-03T00:00:00 1 2 3 4 5 x\n")), "e:15: 'x' is no number"));
  CHECK(contains(unread(oem("2015-03-03T00:00:00 1 2 3 4 5 nan\n")), "e:15: the velocity is not finite"));
  CHECK(contains(unread(oem("2015-03-03T00:00:00 1 2 3 4 5 6\n2015-03-03T00:00:00 1 2 3 4 5 6\n")),
                 "e:16: t does not grow from row to row"));
  CHECK(contains(unread(oem("")), "an ephemeris needs at least one row"));
  CHECK(contains(unread("CCSDS_OEM_VERS = 2.0\n1 2 3\n"), "e:2: this is no line of an OEM"));
  CHECK(contains(unread("CCSDS_OEM_VERS = 2.0\nMETA_START\n"), "the file ends inside a block"));
}

namespace {

std::string horizons(std::string_view units, std::string_view table) {
  return std::string("*******************************************************************************\n") +
         "Ephemeris / WWW_USER Tue Mar  3 00:00:00 2015 Pasadena, USA      / Horizons\n" +
         "Output units    : " + std::string(units) + "\n" +
         "JDTDB\n   X     Y     Z\n   VX    VY    VZ\n$$SOE\n" + std::string(table) + "$$EOE\n*******\n";
}

constexpr std::string_view vectors = R"(2457084.500000000 = A.D. 2015-Mar-03 00:00:00.0000 TDB 
 X =-1.000000000000000E+00 Y = 2.5E+00 Z =-3.000000000000000E+00
 VX= 1.000000000000000E-01 VY=-2.0E-01 VZ= 3.000000000000000E-01
 LT= 1.297E+00 RG= 3.8E+05 RR=-3.2E-02
2457085.500000000 = A.D. 2015-Mar-04 00:00:00.0000 TDB 
 X = 4 Y = 5 Z = 6
 VX= 7 VY= 8 VZ= 9
)";

}  // namespace

TEST_CASE("Horizons: tables of vectors", "[io]") {
  const Motion motion = motion_of(horizons("KM-S", vectors));
  REQUIRE(motion.samples().size() == 2);
  CHECK(motion.samples()[0].time == 0);
  CHECK(motion.samples()[0].position == Vec3{-1, 2.5, -3});
  CHECK(motion.samples()[0].velocity == Vec3{0.1, -0.2, 0.3});
  CHECK(motion.samples()[1].time == 86400);
  CHECK(motion_of(horizons("KM-D", vectors)).samples()[1].velocity.x == 7.0 / 86400);
  const MotionSample au = motion_of(horizons("AU-D", vectors)).samples()[1];
  CHECK(au.position.x == Approx(4 * 149597870.7));
  CHECK(au.velocity.z == Approx(9 * 149597870.7 / 86400));
  const Motion csv =
      motion_of(horizons("KM-S", "2457084.75, A.D. 2015-Mar-03 06:00:00.0000, 1, 2, 3, 4, 5, 6, 7,\n"));
  CHECK(csv.samples()[0].time == 21600);
  CHECK(csv.samples()[0].velocity == Vec3{4, 5, 6});
  const Motion bare =
      motion_of(horizons("KM-S", "2457084.5 = A.D. 2015-Mar-03 TDB\n 1 2 3\n 4 5 6\n 7 8 9\n"));
  CHECK(bare.samples()[0].velocity == Vec3{4, 5, 6});

  CHECK(contains(unread(horizons("PC-S", vectors)), "e:3: the output units are 'PC-S'; supported are KM-S"));
  CHECK(contains(unread(horizons("KM-S", "2457084.5 = A.D. 2015 TDB\n X = 1 Y = 2 Z = 3\n")),
                 "a state lacks X, Y, Z, VX, VY or VZ; ask Horizons for both"));
  CHECK(contains(unread(horizons("KM-S", "2457084.5 = A.D. 2015 TDB\n X = 1 Z = 3\n")), "here should be Y"));
  CHECK(contains(unread(horizons("KM-S", "2457084.5 = A.D. 2015 TDB\n X = one\n")), "'one' is no number"));
  CHECK(contains(unread(horizons("KM-S", "A.D. = A.D. 2015 TDB\n")), "the Julian day is missing"));
  CHECK(contains(unread(horizons("KM-S", "2457084.5, A.D. 2015, 1, 2\n")),
                 "a row needs X, Y, Z, VX, VY and VZ"));
  CHECK(contains(unread(horizons("KM-S", "")), "an ephemeris needs at least one row"));
  CHECK(contains(unread("*****\nno table\n"), "the line '$$SOE' is missing"));
  CHECK(contains(unread("$$SOE\n$$EOE\n"), "the line 'Output units' is missing before $$SOE"));
  const std::string whole = horizons("KM-S", vectors);
  CHECK(contains(unread(whole.substr(0, whole.find("$$EOE"))),
                 "the file ends before $$EOE; it may have been cut"));
}

TEST_CASE("CSV: velocities by difference", "[io]") {
  // The parabola through three samples: exact for one, with steps of any length.
  const auto place = [](double t) { return Vec3{3 * t * t - t, 2 - t, 0.5 * t * t}; };
  const auto velocity = [](double t) { return Vec3{6 * t - 1, -1, t}; };
  std::ostringstream text;
  text.precision(17);
  text << "t,x,y,z\n";
  for (const double t : {-4.0, -3.5, 0.0, 1.0, 8.0}) {
    const Vec3 p = place(t);
    text << t << ',' << p.x << ',' << p.y << ',' << p.z << '\n';
  }
  const Motion motion = motion_of(text.str(), {});
  constexpr double rounding = 1e-12;
  for (const MotionSample& sample : motion.samples())
    CHECK(distance(sample.velocity, velocity(sample.time)) < rounding);
  for (double t = -4; t <= 8; t += 0.125) CHECK(distance(motion.at(t), place(t)) < rounding);
  CHECK(motion_of("t,x,y,z\n0,1,2,3\n", {}).samples()[0].velocity == Vec3{});
  CHECK(motion_of("t,x,y,z\n0,1,2,3\n2,1,2,4\n", {}).samples()[1].velocity == Vec3{0, 0, 0.5});
  CHECK(unread("t,x,y,z\n0,0,0,0\n1e-300,1e60,0,0\n", {}) ==
        "e:3: a velocity by difference is beyond 2^200; give vx,vy,vz");
}
