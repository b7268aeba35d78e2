/// \file Spheres in groups: each once, no group too large, near each other, whatever the scene and the
/// threads.

#include <algorithm>
#include <cmath>
#include <index/grouping.hpp>
#include <index/parallel.hpp>
#include <sphaera/error.hpp>
#include <vector>

#include "catch.hpp"
#include "effort.hpp"
#include "seed.hpp"

namespace sphaera {
namespace {

using index::GroupedBox;

GroupedBox box_of(std::uint32_t id, const std::array<float, 3>& c, float r) {
  return {{c[0] - r, c[1] - r, c[2] - r}, id, {-c[0] - r, -c[1] - r, -c[2] - r}, 7};
}

/// `count` boxes at place(i), the ids in an order that says nothing.
template <class Place>
std::vector<GroupedBox> boxes_at(std::size_t count, const Place& place, float radius) {
  std::vector<GroupedBox> boxes;
  for (std::size_t i = 0; i < count; ++i)
    boxes.push_back(box_of(static_cast<std::uint32_t>((i * 7919) % count), place(i), radius));
  return boxes;
}

std::size_t grouped(std::vector<GroupedBox>& boxes, const index::BuildControl& control, int threads) {
  std::size_t groups = 0;
  index::in_arena(threads, [&] { groups = index::group(boxes, {&control}); });
  return groups;
}

/// Every id once, and groups of 1 … 8.
void check_partition(const std::vector<GroupedBox>& boxes, std::size_t groups) {
  std::vector<int> seen(boxes.size());
  std::size_t starts = 0, run = 0, largest = 0;
  for (const GroupedBox& box : boxes) {
    ++seen.at(box.id);
    REQUIRE(box.starts <= 1);
    starts += box.starts;
    run = box.starts ? 1 : run + 1;
    largest = std::max(largest, run);
  }
  CHECK(std::ranges::count(seen, 1) == static_cast<std::ptrdiff_t>(boxes.size()));
  CHECK(boxes.front().starts == 1);
  CHECK(starts == groups);
  CHECK(largest <= index::packet_size);
}

/// The half-areas of the groups' hulls, summed.
double areas(const std::vector<GroupedBox>& boxes) {
  double sum = 0;
  for (std::size_t begin = 0, end = 0; begin < boxes.size(); begin = end) {
    index::Hull hull(boxes[begin]);
    for (end = begin + 1; end < boxes.size() && !boxes[end].starts; ++end) hull.add(index::Hull(boxes[end]));
    sum += static_cast<double>(hull.area());
  }
  return sum;
}

constexpr BuildQuality qualities[] = {BuildQuality::fast, BuildQuality::balanced, BuildQuality::compact};

}  // namespace

TEST_CASE("groups hold every sphere once, whatever the scene, the quality and the threads", "[index]") {
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto somewhere = [&](std::size_t) {
    return std::array{uniform(random), uniform(random), uniform(random)};
  };
  const auto flat = [&](std::size_t) { return std::array{uniform(random), uniform(random), 0.25f}; };
  const auto one_place = [](std::size_t) { return std::array{0.5f, -0.5f, 0.f}; };
  // Each half as far as the one before: a cut takes few away, and the last are denormal.
  const auto geometric = [](std::size_t i) {
    const float x = std::ldexp(1.f, -static_cast<int>(i % 149));
    return std::array{x, x * x, -x};
  };
  // All but one in one place.
  const auto outlier = [](std::size_t i) { return std::array{i == 77 ? 1.f : -1.f, 0.f, 0.f}; };
  for (const std::size_t count : {1u, 2u, 8u, 9u, 32u, 33u, 100u, 5'000u, test::fewer_if_sanitized(30'000u)})
    for (const auto& boxes :
         {boxes_at(count, somewhere, 0.01f), boxes_at(count, flat, 0.f), boxes_at(count, one_place, 0.1f),
          boxes_at(count, geometric, 1e-6f), boxes_at(count, outlier, 0.5f)})
      for (const BuildQuality quality : qualities) {
        INFO(count << " boxes, quality " << static_cast<int>(quality));
        const index::BuildControl control{.quality = quality};
        std::vector<GroupedBox> one = boxes, two = boxes;
        const std::size_t groups = grouped(one, control, 1);
        check_partition(one, groups);
        CHECK(grouped(two, control, 2) == groups);
        CHECK(std::ranges::equal(one, two, {}, &GroupedBox::id, &GroupedBox::id));
        CHECK(std::ranges::equal(one, two, {}, &GroupedBox::starts, &GroupedBox::starts));
      }
}

TEST_CASE("groups are near neighbours", "[index]") {
  // Clumps of eight, far apart: each is a group, or less.
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<float> uniform(-1, 1);
  constexpr std::size_t clumps = 2'000, of = index::packet_size;
  std::vector<GroupedBox> boxes;
  for (std::uint32_t i = 0; i < clumps; ++i) {
    const std::array<float, 3> c{uniform(random), uniform(random), uniform(random)};
    for (std::uint32_t j = 0; j < of; ++j) {
      const auto off = [&] { return 1e-4f * uniform(random); };
      boxes.push_back(box_of(i * of + j, {c[0] + off(), c[1] + off(), c[2] + off()}, 1e-4f));
    }
  }
  std::ranges::shuffle(boxes, random);
  constexpr double clump = 3 * 4e-4 * 4e-4;  // no hull of one is larger
  for (const BuildQuality quality : qualities) {
    std::vector<GroupedBox> copy = boxes;
    const std::size_t groups = grouped(copy, {.quality = quality}, 0);
    INFO("quality " << static_cast<int>(quality) << ", " << groups << " groups");
    // Fast and compact builds may put some of two clumps into a group; by chance neighbours are 0.06 apart.
    const double limit = quality == BuildQuality::balanced ? 1 : 100;
    CHECK(areas(copy) < limit * static_cast<double>(groups) * clump);
  }
}

TEST_CASE("groups are as near where ids keep time with the sample that cuts are chosen by", "[index]") {
  // Every 64th of 2^16 in one clump: a sample of every 64th box, 1,024 of them, would see nothing else.
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto place = [&](std::size_t i) {
    return i % 64 == 0 ? std::array{0.5f, 0.5f, 0.5f}
                       : std::array{uniform(random), uniform(random), uniform(random)};
  };
  std::vector<GroupedBox> in_time = boxes_at(1 << 16, place, 1e-3f), shuffled = in_time;
  std::ranges::shuffle(shuffled, random);
  (void)grouped(in_time, {}, 0), (void)grouped(shuffled, {}, 0);
  CHECK(areas(in_time) < 1.05 * areas(shuffled));
}

TEST_CASE("grouping tells how far it is, and stops when told", "[index]") {
  std::vector<GroupedBox> boxes =
      boxes_at(20'000, [](std::size_t i) { return std::array{static_cast<float>(i) / 2e4f, 0.f, 0.f}; }, 0);
  std::vector<double> shares;
  (void)grouped(boxes, {.progress = [&](double share) { shares.push_back(share); }}, 1);
  CHECK(shares.size() > 10);
  CHECK(std::ranges::is_sorted(shares));
  CHECK(shares.back() == 1);

  std::stop_source stop;
  int reports = 0;
  const index::BuildControl stopping{.stop = stop.get_token(), .progress = [&](double) {
                                       if (++reports == 3) stop.request_stop();
                                     }};
  REQUIRE_THROWS_AS(grouped(boxes, stopping, 1), Error);
  CHECK(reports < 10);
}

}  // namespace sphaera
