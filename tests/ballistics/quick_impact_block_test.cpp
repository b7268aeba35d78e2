/// \file The numbers of impacts computed many at a time are those of single impacts, to the bit.

#include <ballistics/impact.hpp>
#include <ballistics/quick_impact_block.hpp>
#include <exact/curves/curve_piece.hpp>
#include <exact/predicates/filtered_predicate.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

using ballistics::QuickImpactBlock;

struct BulletAndSphere {
  exact::Flight flight;
  Sphere sphere;
  Vec3 velocity;
};

/// A bullet whose path passes through a sphere, at any depth or just below its surface.
BulletAndSphere shot_of(Random& random, bool moving) {
  const double size = random.log_uniform(1e-3, 1e9);
  const Sphere s{random.log_uniform(1e-3, 1e6) * size * random.in_cube(1), size};
  const Vec3 w =
      moving && !random.one_in(4) ? (size * random.log_uniform(1e-3, 10)) * random.in_cube(1) : Vec3{};
  const double radius = random.one_in(2) ? 0 : size * random.unit(), start = random.between(-1, 1),
               t = random.log_uniform(0.01, 1),
               miss = random.one_in(2) ? random.unit() : 1 - random.log_uniform(1e-15, 1e-3);
  const Vec3 d = (size * random.log_uniform(10, 1e6) / t) * random.in_cube(1),
             across = cross(d, random.in_cube(1)),
             aim = s.center + (start + t) * w +
                   (miss * (size + radius) / std::sqrt(dot(across, across))) * across;
  const Vec3 v = d + w, origin = aim - t * v;
  return {exact::Flight(exact::prepared({origin, v, {}, 0, random.one_in(4) ? t : infinity, 0, 0}), radius,
                        start),
          s, w};
}

struct Tally {
  int quick = 0, slow = 0, different = 0;
};

/// Fills a block with impacts and compares those that it computes with single impacts.
void compare_block(Random& random, bool moving, Tally& tally) {
  QuickImpactBlock block;
  std::array<BulletAndSphere, QuickImpactBlock::capacity> shots;
  const double restitution = random.one_in(2) ? 1 : random.unit();
  const auto pair_of = [&](const BulletAndSphere& shot) {
    return exact::InMotion(exact::Plain{}, shot.flight, shot.sphere, moving ? &shot.velocity : nullptr);
  };
  const auto count = static_cast<std::size_t>(random.whole(1, static_cast<int>(shots.size())));
  for (std::size_t i = 0; i < count;) {
    shots[i] = shot_of(random, moving);
    exact::Counts counts;
    const exact::InMotion pair = pair_of(shots[i]);
    if (exact::FilteredPredicate<exact::Plain, const exact::InMotion&>(pair, counts).contact() !=
        Contact::enters)
      continue;
    block.set(i, shots[i].flight, shots[i].sphere, moving ? &shots[i].velocity : nullptr);
    ++i;
  }
  block.compute(count, moving ? QuickImpactBlock::Targets::in_motion : QuickImpactBlock::Targets::at_rest,
                restitution);
  for (std::size_t i = 0; i < count; ++i) {
    double elapsed = 0;
    const Impact alone = ballistics::impact(pair_of(shots[i]), 0, Contact::enters, {restitution, 0}, elapsed);
    Impact impact;
    impact.sphere = alone.sphere, impact.contact = alone.contact;
    double time = 0;
    if (!block.write(i, impact, time)) {
      ++tally.slow;
      continue;
    }
    ++tally.quick;
    tally.different += same(impact, alone) && time == elapsed ? 0 : 1;
  }
}

/// The same under gravity.
void compare_curved_block(Random& random, bool moving, Tally& tally) {
  QuickImpactBlock block;
  struct Falling {
    BulletAndSphere shot;
    exact::PieceEntry entry;
  };
  std::vector<Falling> falling;
  const double restitution = random.one_in(2) ? 1 : random.unit(), strength = random.log_uniform(1e-6, 1);
  const Vec3 down = random.in_cube(1);
  // One gravity for the whole block, of the size of the first shot's sphere.
  const BulletAndSphere first = shot_of(random, moving);
  const double size = first.sphere.radius;
  const Vec3 gravity = (strength * size) * down;
  for (int i = 0; i < 200 && falling.size() < QuickImpactBlock::capacity; ++i) {
    BulletAndSphere shot = shot_of(random, moving);
    const double t = random.log_uniform(0.01, 10);
    const Vec3 d = shot.flight.path.direction, away = -t * (0.5 * t) * gravity;
    shot.flight.path.origin = shot.flight.path.origin + away;  // still meets the sphere if the flight takes t
    shot.flight = exact::Flight(exact::prepared({shot.flight.path.origin, d, {}, 0, infinity, 0, 0}),
                                shot.flight.radius, shot.flight.start);
    const exact::PieceEntry entry = exact::CurvePiece(shot.flight, gravity, 0, 2 * t)
                                        .entry(shot.sphere, moving ? &shot.velocity : nullptr);
    if (entry.contact == exact::PieceContact::enters) falling.push_back({shot, entry});
  }
  for (std::size_t i = 0; i < falling.size(); ++i) {
    const auto& [shot, entry] = falling[i];
    block.set(i, shot.flight, shot.sphere, moving ? &shot.velocity : nullptr);
    block.set_bounds(i, entry.low, entry.high);
  }
  const auto targets = moving ? QuickImpactBlock::Targets::in_motion : QuickImpactBlock::Targets::at_rest;
  block.compute_curved(falling.size(), targets, restitution, gravity);
  for (std::size_t i = 0; i < falling.size(); ++i) {
    const auto& [shot, entry] = falling[i];
    const exact::InMotion pair(exact::Plain{}, shot.flight, shot.sphere, moving ? &shot.velocity : nullptr);
    Impact alone, impact;
    double elapsed = 0, time = 0;
    const bool quick = ballistics::quick_curved_impact(pair, 0, Contact::enters, gravity, entry.low,
                                                       entry.high, {restitution, 0}, alone, elapsed);
    impact.sphere = 0, impact.contact = Contact::enters;
    if (!block.write(i, impact, time)) {
      ++tally.slow;
      continue;
    }
    ++tally.quick;
    tally.different += quick && same(impact, alone) && time == elapsed ? 0 : 1;
  }
}

}  // namespace

TEST_CASE("impacts computed many at a time are those computed one by one", "[ballistics]") {
  for (const bool moving : {false, true}) {
    INFO("moving: " << moving);
    Random random(seed(), 12);
    Tally tally;
    for (int i = 0; i < fewer_in_repeats(2'000); ++i) compare_block(random, moving, tally);
    CHECK(tally.different == 0);
    CHECK(tally.quick > tally.slow);
    CHECK(tally.slow > 100);
  }
}

TEST_CASE("impacts under gravity computed many at a time are those computed one by one", "[ballistics]") {
  for (const bool moving : {false, true}) {
    INFO("moving: " << moving);
    Random random(seed(), 13);
    Tally tally;
    for (int i = 0; i < fewer_in_repeats(600); ++i) compare_curved_block(random, moving, tally);
    CHECK(tally.different == 0);
    CHECK(tally.quick > fewer_in_repeats(2'000));
    CHECK(tally.slow > fewer_in_repeats(2'000));  // grazes, and starts on the surface
  }
}
