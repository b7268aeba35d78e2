#include <cmath>
#include <fstream>
#include <io/formats/dates.hpp>
#include <random>
#include <sphaera/error.hpp>
#include <sstream>
#include <string>

#include <tests/scratch_files.hpp>
#include <tests/seed.hpp>
#include <tests/skipped.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Seconds of TT since 2000-01-01T12:00:00 TT.
double seconds(std::string_view text) { return io::seconds_between({}, io::parse_date(text)); }

std::string refusal_of(std::string_view text) {
  try {
    (void)io::parse_date(text);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    return error.what();
  }
  return "accepted";
}

/// Days since 2000-01-01, counted year by year.
std::int64_t days_since_2000(int year, int month, int day) {
  const auto leap = [](int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; };
  std::int64_t days = 0;
  for (int y = 2000; y < year; ++y) days += leap(y) ? 366 : 365;
  for (int y = year; y < 2000; ++y) days -= leap(y) ? 366 : 365;
  const int lengths[] = {31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int m = 1; m < month; ++m) days += lengths[m - 1];
  return days + day - 1;
}

}  // namespace

TEST_CASE("dates: time scales", "[io]") {
  CHECK(seconds("2000-01-01T12:00:00 TT") == 0);
  CHECK(seconds("2000-01-01T12:00:00 TDB") == 0);
  CHECK(seconds("2000-01-01T11:59:27.816 TAI") == 0);
  CHECK(std::fabs(seconds("2000-01-01T11:58:55.816Z")) < 1e-12);  // as the definition of J2000 has it
  CHECK(std::fabs(seconds("2000-01-01T11:59:08.816 GPS")) < 1e-12);
  CHECK(seconds("JD2451545.0 TT") == 0);
  CHECK(seconds("JD2451545.25TDB") == 21600);
  CHECK(seconds("JD2451544.5 TT") == seconds("2000-01-01 TT"));
  CHECK(seconds("2000-001T12:00 TT") == 0);
  CHECK(seconds("2024-099T18:17Z") == seconds("2024-04-08T18:17:00Z"));
  CHECK(seconds("2024-04-08 18:17:18.989 UTC") == seconds("2024-04-08T18:17:18.989Z"));
  // Unix time 1712600238 (date -u), 37 s + 32.184 s behind TT; that of 2000-01-01T12:00:00 is 946728000.
  CHECK(seconds("2024-04-08T18:17:18Z") == Approx(1712600238 - 946728000 + 69.184).margin(1e-6));
  const io::Instant early = io::parse_date("1600-02-29T00:00:00 TT");
  CHECK(early.second == days_since_2000(1600, 2, 29) * 86400 - 43200);
  CHECK(io::parse_date("2024-04-08T18:10", io::TimeScale::tai).second ==
        io::parse_date("2024-04-08T18:10 TAI").second);
}

TEST_CASE("dates: leap seconds", "[io]") {
  const auto from = [](std::string_view a, std::string_view b) {
    return io::seconds_between(io::parse_date(a), io::parse_date(b));
  };
  CHECK(from("2016-12-31T23:59:59Z", "2017-01-01T00:00:00Z") == 2);
  CHECK(from("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z") == 1);
  CHECK(from("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00Z") == 0.5);
  CHECK(from("2015-06-30T23:59:59Z", "2015-07-01T00:00:00Z") == 2);
  CHECK(from("2017-12-31T23:59:59Z", "2018-01-01T00:00:00Z") == 1);
  CHECK(from("1972-01-01T00:00:00Z", "2017-01-01T00:00:00Z") == 16437.0 * 86400 + 27);
  // A Julian day of UTC is as long as its day.
  CHECK(from("JD2457754.5Z", "JD2457755.5Z") == 86400);
  CHECK(from("JD2457753.5Z", "JD2457754.5Z") == 86401);
  CHECK(from("2016-12-31T00:00:00Z", "JD2457754.0Z") == 43200.5);

  for (const char* text :
       {"2016-12-31T23:59:59.999Z", "2016-12-31T23:59:60.000Z", "2016-12-31T23:59:60.999Z",
        "2017-01-01T00:00:00.000Z", "1972-06-30T23:59:60.500Z", "1972-01-01T00:00:00.000Z",
        "1971-12-31T23:59:59.000 TT", "9999-12-30T23:59:59.000Z", "0001-01-03T00:00:00.000 TT"})
    CHECK(io::date_text(io::parse_date(text)) == text);
  CHECK(io::date_text(io::parse_date("2016-12-31T23:59:60.9996Z")) == "2017-01-01T00:00:00.000Z");
  CHECK(io::date_text(io::parse_date("2016-12-31T23:59:59.9996Z")) == "2016-12-31T23:59:60.000Z");
  CHECK(io::date_text(io::parse_date("2024-04-08T18:10:36.0425Z"), 9) == "2024-04-08T18:10:36.042500000Z");
}

TEST_CASE("dates: leap seconds are known until a date", "[io]") {
  const std::string end(io::leap_seconds_known_until);
  CHECK(io::leap_seconds_are_known(io::parse_date("1600-01-01 TT")));
  CHECK(io::leap_seconds_are_known(io::parse_date("2024-04-08T18:10Z")));
  CHECK(io::leap_seconds_are_known(io::parse_date(end + "T00:00:00Z")));
  CHECK(!io::leap_seconds_are_known(io::parse_date(end + "T00:00:00.001Z")));
  CHECK(!io::leap_seconds_are_known(io::parse_date("9999-01-01Z")));
}

TEST_CASE("dates: leap seconds do not contradict the system's table", "[io]") {
  std::ifstream table("/usr/share/zoneinfo/leap-seconds.list");  // of tzdata, after IERS Bulletin C
  if (!table) return skipped("no leap-seconds.list on this machine");
  const auto day_of = [](std::int64_t second) {  // of UTC since 1900
    constexpr std::int64_t day_1900 = 2415020;   // JD at the noon before
    return "JD" + std::to_string(day_1900 + second / 86400) + ".5";
  };
  const auto behind_tai = [](const std::string& day) {
    return io::seconds_between(io::parse_date(day + "TAI"), io::parse_date(day + "UTC"));
  };
  std::int64_t rows = 0, before = 0, expires = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("#@")) REQUIRE(std::istringstream(line.substr(2)) >> expires);
    std::int64_t start = 0, behind = 0;  // seconds of UTC since 1900, TAI − UTC from then on
    if (line.starts_with('#') || !(std::istringstream(line) >> start >> behind)) continue;
    INFO(line);
    REQUIRE(start % 86400 == 0);
    const std::string day = day_of(start);
    if (!io::leap_seconds_are_known(io::parse_date(day + "UTC"))) break;  // the system's table is newer
    CHECK(behind_tai(day) == static_cast<double>(behind));
    if (rows++ > 0) CHECK(behind_tai(day_of(start - 86400)) == static_cast<double>(before));
    before = behind;
  }
  CHECK(rows >= 28);
  REQUIRE(expires > 0);
  // Up to the end of the older table ours has no leap second that the system's lacks.
  const bool is_older = io::leap_seconds_are_known(io::parse_date(day_of(expires) + "UTC"));
  CHECK(behind_tai(is_older ? day_of(expires) : std::string(io::leap_seconds_known_until) + ' ') ==
        static_cast<double>(before));
}

TEST_CASE("dates: what is written is read, at any time", "[io]") {
  std::mt19937_64 random(seed());
  const io::Instant epoch = io::parse_date("2024-04-08T18:17:18.989Z");
  for (int i = 0; i < 20000; ++i) {
    const double t = std::uniform_real_distribution<>(-2e9, 2e9)(random);
    const auto then = io::later(epoch, t);
    REQUIRE(then);
    CHECK(std::fabs(io::seconds_between(epoch, *then) - t) < 1e-6);
    CHECK(std::fabs(io::seconds_between(*then, io::parse_date(io::date_text(*then)))) <= 0.0005 + 1e-9);
    CHECK(std::fabs(io::seconds_between(*then, io::parse_date(io::date_text(*then, 9)))) <= 1e-9);
    const double et = std::uniform_real_distribution<>(-1e9, 1e9)(random);
    CHECK(std::fabs(io::seconds_between({}, io::Instant::since_2000(et, io::TimeScale::tdb)) - et) < 1e-6);
  }
  CHECK(!io::later(epoch, 1e12));
  CHECK(!io::later(epoch, -1e300));
  CHECK(!io::later(epoch, std::nan("")));
}

TEST_CASE("dates: what is none is refused with the reason", "[io]") {
  for (const auto& [text, why] : std::initializer_list<std::pair<const char*, const char*>>{
           {"2024-13-01T00:00:00Z", "date '2024-13-01T00:00:00Z': there is no month 13; give 1 to 12"},
           {"2024-00-01Z", "there is no month 0"},
           {"2023-02-29Z", "that month has 28 days"},
           {"2024-02-30Z", "that month has 29 days"},
           {"2024-04-31Z", "that month has 30 days"},
           {"2024-04-32Z", "there is no day 32"},
           {"2023-366Z", "there is no such day of the year; it has 365"},
           {"0000-01-01Z", "there is no year 0"},
           {"24-01-01Z", "the year is missing or has not 4 digits"},
           {"2024-1-1Z", "the month is missing or has not 2 digits"},
           {"2024-04-08T24:00:00Z", "there is no hour 24; give 0 to 23"},
           {"2024-04-08T18:60Z", "there is no minute 60"},
           {"2024-04-08T18Z", "behind the hour there is no ':'"},
           {"2024-04-08T18:10:61Z", "there is no second 61"},
           {"2024-04-08T18:10:60Z", "there is no leap second then"},
           {"2024-12-31T23:59:60Z", "there is no leap second then"},
           {"1971-12-31T23:59:60Z", "UTC has seconds of one length since 1972 only"},
           {"2016-12-31T23:59:60 TT", "there is no leap second then"},
           {"2024-04-08T18:10:36", "it names no time scale; put Z behind it for UTC"},
           {"2024-04-08", "it names no time scale"},
           {"2024-04-08T18:10:36+02:00", "'+02:00' behind it is no time scale"},
           {"2024-04-08T18:10:36 EST", "'EST' behind it is no time scale"},
           {"1969-07-20T20:17:40Z",
            "UTC has seconds of one length since 1972 only; give an earlier date in TT"},
           {"JD", "the Julian day is missing"},
           {"JD24604090.5 TT", "the Julian day is missing or has not 7 digits"},
           {"JD100 TT", "it is outside the years 1 to 9999"},
           {"JD9000000 TT", "it is outside the years 1 to 9999"},
           {"", "the year is missing"},
       })
    CHECK(contains(refusal_of(text), why));
  CHECK(io::looks_like_date(" 2024-04"));
  CHECK(io::looks_like_date("JD1"));
  for (const char* number : {"2024", "1e-5", "12345-6", "-2024-01-01", "", "inf"})
    CHECK(!io::looks_like_date(number));
}
