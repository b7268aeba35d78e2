/// \file The float filter of a leaf block never rejects a sphere that is touched, and is certain only of
/// spheres that are touched.

#include <bit>
#include <exact/predicates/decide.hpp>
#include <exact/predicates/in_motion.hpp>
#include <exact/roots/distance.hpp>
#include <index/boxes/leaf_block_fit.hpp>
#include <index/boxes/leaf_filter.hpp>
#include <index/boxes/scene_bounds.hpp>
#include <string>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using index::LeafBlock;

/// A frame of half-size 1 about a place far from 0, and leaf blocks of spheres of all sizes in it.
struct World {
  std::mt19937_64 random{test::seed()};
  Vec3 place{3e3, -5e4, 7};
  index::Frame frame{place, 0.999 * Vec3{1, 1, 1}};  // coordinates up to 1 in local units

  double along(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  Vec3 point() { return {along(-1, 1), along(-1, 1), along(-1, 1)}; }
  Sphere sphere() {
    const double r = std::exp2(along(-34, -1));
    return {place + 0.99 * (1 - r) * point(), r};
  }
  LeafBlock leaf(const std::vector<Sphere>& spheres) const {
    LeafBlock p;
    index::LeafBlockFit fit(frame);
    for (std::uint32_t i = 0; i < index::leaf_block_size; ++i) fit.set(i, spheres[i]);
    fit.write(p, {});
    return p;
  }
  /// A ray whose line passes the sphere's surface at the distance `gap` (negative: inside the sphere). It
  /// starts inside the frame or outside.
  Ray near_tangent(const Sphere& s, double gap) {
    Vec3 d = point(), n = cross(d, point());
    n = (1 / std::sqrt(dot(n, n))) * n;
    const double scale = std::exp2(along(-12, 12));
    const Vec3 touch = s.center + (s.radius + gap) * n;
    return {touch - along(0, 3) * d, scale * d, 0, along(0, 6) / scale};
  }
};

struct FilterTally {
  int met = 0, lost = 0, certain = 0, wrongly_certain = 0;
};

FilterTally tally(float slack, int leaves) {
  World w;
  FilterTally t;
  exact::Counts counts;
  for (int i = 0; i < leaves; ++i) {
    std::vector<Sphere> spheres(index::leaf_block_size);
    for (Sphere& s : spheres) s = w.sphere();
    const LeafBlock leaf = w.leaf(spheres);
    for (const Sphere& s : spheres) {
      const exact::Path path = exact::path_of(w.near_tangent(s, -std::exp2(w.along(-40, -1)) * s.radius));
      index::LocalRay local;
      if (!w.frame.clip(path, local)) continue;
      const index::LeafRay ray(local);
      const index::Approach closest(exact::Plain{}, leaf, ray, 1);
      const index::LaneHits touch = index::touched<exact::Plain>(leaf, ray, closest, slack);
      for (std::uint32_t lane = 0; lane < index::leaf_block_size; ++lane) {
        const bool met = exact::meets(path, spheres[lane], counts);
        t.met += met, t.lost += met && !(touch.maybe >> lane & 1);
        const bool certain = touch.surely >> lane & 1;
        t.certain += certain, t.wrongly_certain += certain && !met;
      }
    }
  }
  return t;
}

/// Counts bounds of entries, and wrong ones by exact decisions. Bounds are wrong if the path meets the sphere
/// before the lower bound, has not met it by the upper bound, or does not enter it.
struct EntryTally {
  int timed = 0, wrong = 0;
  double widest = 0;  ///< width of bounds, in local units along the path, for spheres met far from their limb
};

void add_entries(World& w, const std::vector<Sphere>& spheres, std::size_t aim, float share, EntryTally& t) {
  const double depth = std::exp2(w.along(-20, 0));  // of the closest approach, in radii below the surface
  const Ray sight = w.near_tangent(spheres[aim], -depth * spheres[aim].radius);
  const exact::Path path = exact::path_of(sight);
  index::LocalRay local;
  if (!w.frame.clip(path, local)) return;
  const LeafBlock leaf = w.leaf(spheres);
  const index::LeafRay ray(local);
  const index::Approach closest(exact::Plain{}, leaf, ray, 1);
  index::LeafEntries entries;
  index::LaneSet timed = index::touched<exact::Plain>(leaf, ray, closest).surely &
                         index::with_bounds<exact::Plain>(leaf, ray, closest, 1, entries, share);
  exact::Counts counts;
  for (; timed != 0; timed &= timed - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(timed));
    const float low = entries.low[lane], high = entries.high[lane];
    Ray before = sight, until = sight;
    before.t_max = local.from(low), until.t_max = local.to(high);
    const bool low_is_right =
                   before.t_max < sight.t_min || !exact::meets(exact::path_of(before), spheres[lane], counts),
               high_is_right =
                   until.t_max <= sight.t_max && exact::meets(exact::path_of(until), spheres[lane], counts),
               enters = exact::contact(path, spheres[lane], counts) == Contact::enters;
    ++t.timed, t.wrong += !(low_is_right && high_is_right && enters);
    if (depth > 0.5 && lane == aim)
      t.widest = std::max(t.widest, static_cast<double>(high - low) / std::sqrt(ray.inverse));
  }
}

EntryTally tally_entries(float share, int leaves) {
  World w;
  EntryTally t;
  for (int i = 0; i < leaves; ++i) {
    std::vector<Sphere> spheres(index::leaf_block_size);
    for (Sphere& s : spheres) s = w.sphere();
    for (std::size_t aim = 0; aim < spheres.size(); ++aim) add_entries(w, spheres, aim, share, t);
  }
  return t;
}

/// Eight spheres that stay in the frame from time 0 to 1, some of them at rest, and a flight of a ball that
/// meets one of them.
struct FlightCase {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  LeafBlock leaf;
  index::LeafVelocities leaf_velocities;
  exact::Flight flight;
  double margin;

  explicit FlightCase(World& w) {
    index::LeafVelocityFit fit;
    for (std::uint32_t lane = 0; lane < index::leaf_block_size; ++lane) {
      const Sphere s = w.sphere(), later = {w.place + 0.99 * (1 - s.radius) * w.point(), s.radius};
      const Vec3 v = w.along(0, 1) < 0.2 ? Vec3{} : std::exp2(w.along(-20, 0)) * (later.center - s.center);
      spheres.push_back(s), velocities.push_back(v);
      index::Lanes local;
      index::load<exact::Plain>(local, w.frame.scale() * v);
      fit.set(lane, local);
    }
    fit.write(leaf_velocities);
    leaf = w.leaf(spheres);
    margin = w.along(0, 1) < 0.3 ? 0 : std::exp2(w.along(-30, 0));
    aim(w);
  }

 private:
  void aim(World& w) {
    const double start = w.along(0, 0.9), duration = w.along(0, 1 - start), t = w.along(0, duration);
    const std::size_t lane = w.random() % spheres.size();
    const Sphere& s = spheres[lane];
    Vec3 out = w.point();
    out = ((s.radius + margin) * (1 - std::exp2(w.along(-20, 0))) / std::sqrt(dot(out, out))) * out;
    const Vec3 velocity = std::exp2(w.along(-3, 6)) * w.point(),
               there = s.center + (start + t) * velocities[lane] + out;
    flight = exact::Flight(exact::prepared({there - t * velocity, velocity, {}, 0, duration, 0, 0}), margin,
                           start);
  }
};

/// Tallies the bounds of a flight's entries into the spheres that the filter is certain of.
void add_flight_entries(World& w, const FlightCase& c, float share, EntryTally& t) {
  index::LocalRay local;
  if (!w.frame.clip_grown(c.flight.path, c.margin, local)) return;
  const index::LeafRay ray(local);
  const index::WalkTime time(c.flight.start + local.s0, local.length);
  const index::ApproachInMotion closest(exact::Plain{}, c.leaf, c.leaf_velocities, ray, time, 1);
  const auto margin = static_cast<float>(c.margin * w.frame.scale());
  index::LeafLanes length = closest.length_square;
  index::take_roots<exact::Plain>(length);
  const index::LeafLanes r = index::lanes(c.leaf.radius) + margin,
                         inner = r - index::moving_slack * (1 + margin);
  index::LeafEntries entries;
  index::LaneSet timed =
      index::lanes_of<exact::Plain>((inner >= index::LeafLanes{}) & (closest.square <= inner * inner)) &
      index::bound_entries<exact::Plain>(r, closest, 1 / length, 1, share * (1 + margin), entries);
  exact::Counts counts;
  const auto contact_until = [&](double end, std::size_t lane) {
    exact::Flight flight = c.flight;
    flight.end_at({end, 0});
    if (!(flight.path.t_min <= end)) return Contact::miss;
    return exact::contact(exact::InMotion(exact::Plain{}, flight, c.spheres[lane], &c.velocities[lane]),
                          counts);
  };
  for (; timed != 0; timed &= timed - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(timed));
    const double low = local.from(entries.low[lane]), high = local.to(entries.high[lane]);
    const bool low_is_right = contact_until(low, lane) == Contact::miss,
               high_is_right = high <= c.flight.path.t_max && contact_until(high, lane) == Contact::enters;
    ++t.timed, t.wrong += !(low_is_right && high_is_right);
  }
}

EntryTally tally_flight_entries(float share, int flights) {
  World w;
  EntryTally t;
  for (int i = 0; i < flights; ++i) add_flight_entries(w, FlightCase(w), share, t);
  return t;
}

}  // namespace

TEST_CASE("a leaf's filter bounds the entries of flights into spheres that may move", "[index]") {
  const EntryTally t = tally_flight_entries(index::flight_share, test::fewer_in_repeats(300'000));
  INFO("timed " << t.timed);
  CHECK(t.timed > test::fewer_in_repeats(50'000));
  CHECK(t.wrong == 0);
}

TEST_CASE("with a fiftieth of their slacks some entries of flights lie out of bounds", "[index][plain]") {
  const EntryTally t = tally_flight_entries(0.02F * index::flight_share, 300'000);
  std::printf("entry slacks of flights/50: %d of %d wrong\n", t.wrong, t.timed);
  CHECK(t.wrong > 0);
}

TEST_CASE("a leaf's filter bounds the entries into the spheres that it is certain of", "[index]") {
  const EntryTally t = tally_entries(1, 50000);
  INFO("timed " << t.timed << ", widest " << t.widest);
  CHECK(t.timed > 10000);
  CHECK(t.wrong == 0);
  CHECK(t.widest < 512 * 0x1p-24);
}

TEST_CASE("with a tenth of their slacks some entries lie out of bounds", "[index][plain]") {
  const EntryTally t = tally_entries(0.1F, 100000);
  std::printf("entry slacks/10: %d of %d wrong\n", t.wrong, t.timed);
  CHECK(t.wrong > 0);
}

TEST_CASE("a leaf's filter loses no sphere and is certain of none that is missed", "[index]") {
  const FilterTally t = tally(index::leaf_slack, 20000);
  INFO("met " << t.met << ", certain " << t.certain);
  CHECK(t.met > 50000);
  CHECK(t.certain > 5000);
  CHECK(t.lost == 0);
  CHECK(t.wrongly_certain == 0);
}

TEST_CASE("with a tenth of its slack it loses some: the test has teeth", "[index][plain]") {
  const FilterTally t = tally(index::leaf_slack / 10, 100000);
  std::printf("slack/10: %d of %d lost, %d of %d wrongly certain\n", t.lost, t.met, t.wrongly_certain,
              t.certain);
  CHECK(t.lost > 0);
}

TEST_CASE("a path that is wider than its limits makes the filter certain of nothing", "[index]") {
  World w;
  const Sphere s{w.place, 0.5};
  index::LocalRay local;
  REQUIRE(w.frame.clip(exact::path_of(Ray{w.place + Vec3{1e20, 0, 0}, {-1, 0, 0}}),
                       local));  // the origin is moved closer in steps
  const LeafBlock leaf = w.leaf(std::vector<Sphere>(index::leaf_block_size, s));
  const index::LeafRay ray(local);
  const index::Approach closest(exact::Plain{}, leaf, ray, 1);
  CHECK(index::touched<exact::Plain>(leaf, ray, closest).surely == 0);
}

TEST_CASE("a leaf's filter loses no sphere within the search radius of a point", "[index]") {
  World w;
  exact::Counts counts;
  int within = 0, lost = 0, passed = 0, all = 0;
  for (int i = 0; i < 100000; ++i) {
    std::vector<Sphere> spheres(index::leaf_block_size);
    for (Sphere& s : spheres) s = w.sphere();
    const Sphere& s = spheres.front();
    Ball ball{w.place + std::exp2(w.along(-3, 30)) * w.point(), 0};
    const Vec3 away = ball.center - s.center;
    ball.radius = std::max(0.0, (std::sqrt(dot(away, away)) - s.radius) * (1 + w.along(-1e-7, 1e-7)));
    const auto local = w.frame.local(ball.center);
    REQUIRE(local);
    index::LeafLanes square;
    const index::LaneSet reached = index::reached<exact::Plain>(w.leaf(spheres), local->position,
                                                                local->local_radius(ball.radius), square);
    for (std::uint32_t lane = 0; lane < index::leaf_block_size; ++lane) {
      const bool touches = exact::sign_gap(ball, {spheres[lane].center, spheres[lane].radius}, counts) <= 0;
      within += touches, lost += touches && !(reached >> lane & 1);
      passed += reached >> lane & 1, ++all;
    }
  }
  INFO("within " << within << ", passed " << passed << " of " << all);
  CHECK(within > 30000);
  CHECK(lost == 0);
  CHECK(passed < all);
}

TEST_CASE("a leaf's bounds hold the distances from a point", "[index]") {
  World w;
  exact::Counts counts;
  int wrong = 0, certain = 0, certain_by_square = 0, wrongly_certain = 0, near = 0;
  double widest = 0;
  for (int i = 0; i < 50000; ++i) {
    std::vector<Sphere> spheres(index::leaf_block_size);
    for (Sphere& s : spheres) s = w.sphere();
    Ball ball{w.place + std::exp2(w.along(-3, 30)) * w.point(), 0};
    const Vec3 away = ball.center - spheres.front().center;
    ball.radius = std::max(0.0, (std::sqrt(dot(away, away)) - spheres.front().radius) *
                                    (1 + w.along(-1, 1) * std::exp2(w.along(-26, -10))));
    const auto local = w.frame.local(ball.center);
    REQUIRE(local);
    const index::LeafBlock leaf = w.leaf(spheres);
    index::LeafLanes square;
    index::reached<exact::Plain>(leaf, local->position, 1, square);
    index::LeafDistances distances;
    const index::LaneSet within = index::measure<exact::Plain>(
        leaf, square, static_cast<float>(local->margin), index::inner_radius(*local, ball.radius), distances);
    const index::LaneSet by_square = index::reached_surely<exact::Plain>(
        leaf, square, static_cast<float>(local->margin), index::inner_radius(*local, ball.radius));
    for (std::uint32_t lane = 0; lane < index::leaf_block_size; ++lane) {
      const double distance = exact::signed_distance(ball.center, spheres[lane]) * local->scale;
      const auto low = static_cast<double>(distances.low[lane]),
                 high = static_cast<double>(distances.high[lane]);
      wrong += !(low <= distance && distance <= high);
      widest = std::max(widest, (high - low) / (1 + std::fabs(distance) + 0x1p23 * local->margin));
      const bool touches = exact::sign_gap(ball, {spheres[lane].center, spheres[lane].radius}, counts) <= 0;
      certain += within >> lane & 1, certain_by_square += by_square >> lane & 1, near += touches;
      wrongly_certain += !touches && ((within | by_square) >> lane & 1);
    }
  }
  INFO("certain " << certain << " of " << near << ", widest " << widest);
  CHECK(wrong == 0);
  CHECK(wrongly_certain == 0);
  CHECK(certain > near / 2);
  CHECK(certain_by_square > near / 2);
  CHECK(widest < 0x1p-18);
}

}  // namespace sphaera
