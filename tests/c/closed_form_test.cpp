/// \file One path, star or pair of spheres, motions and contact times: C gives the bytes of C++.

#include <cmath>
#include <tests/answer_bytes.hpp>
#include <tests/c/c_scene.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/seed.hpp>

namespace sphaera::test {
namespace {

template <class Answer>
Bytes bytes_of(const Answer& answer) {
  Bytes out;
  out.put(answer);
  return out;
}

/// Checks one answer: ask(place) in C, a place of the C++ type, and what C++ says.
template <class Row, class Answer>
void check(const Answer& expected, const auto& ask) {
  Answer found{};
  succeeds(ask(reinterpret_cast<Row*>(&found)));
  CHECK((bytes_of(found) == bytes_of(expected)));
}
template <class Row, class Answer>
void check(const std::optional<Answer>& expected, const auto& ask) {
  Answer found{};
  std::int32_t is_found = -1;
  succeeds(ask(reinterpret_cast<Row*>(&found), &is_found));
  CHECK((is_found == 1) == expected.has_value());
  if (expected) CHECK((bytes_of(found) == bytes_of(*expected)));
}

/// The functions of C for a type of path.
template <class Path>
struct Functions;
template <>
struct Functions<Ray> {
  using Row = SphaeraRay;
  static constexpr auto meets = sphaera_meets_ray;
  static constexpr auto intersect = sphaera_intersect_ray;
  static constexpr auto contact = sphaera_contact_ray;
  static constexpr auto root_count = sphaera_root_count_ray;
  static constexpr auto closest_approach = sphaera_closest_approach_ray;
  static constexpr auto point_at = sphaera_point_at_ray;
  static constexpr auto pierce = sphaera_pierce_ray;
  static constexpr auto hit_point = sphaera_hit_point_ray;
};
template <>
struct Functions<Segment> {
  using Row = SphaeraSegment;
  static constexpr auto meets = sphaera_meets_segment;
  static constexpr auto intersect = sphaera_intersect_segment;
  static constexpr auto contact = sphaera_contact_segment;
  static constexpr auto root_count = sphaera_root_count_segment;
  static constexpr auto closest_approach = sphaera_closest_approach_segment;
  static constexpr auto point_at = sphaera_point_at_segment;
  static constexpr auto pierce = sphaera_pierce_segment;
  static constexpr auto hit_point = sphaera_hit_point_segment;
};

template <class Path>
void check_path(const Path& path, const Sphere& sphere) {
  using F = Functions<Path>;
  const auto* const p = reinterpret_cast<const typename F::Row*>(&path);
  const auto* const s = reinterpret_cast<const SphaeraSphere*>(&sphere);
  std::int32_t yes = -1;
  succeeds(F::meets(p, s, nullptr, &yes));
  CHECK((yes == 1) == meets(path, sphere));
  const SphaeraConvention hit_sphere{SPHAERA_TANGENT_MISSES, SPHAERA_END_OPEN, 0};
  succeeds(F::meets(p, s, &hit_sphere, &yes));
  CHECK((yes == 1) == meets(path, sphere, jhitsphere));
  check<SphaeraIntersection>(intersect(path, sphere), [&](auto* out) { return F::intersect(p, s, out); });
  check<std::uint8_t>(contact(path, sphere), [&](auto* out) { return F::contact(p, s, out); });
  check<std::int32_t>(root_count(path, sphere), [&](auto* out) { return F::root_count(p, s, out); });
  check<double>(closest_approach(path, sphere.center),
                [&](auto* out) { return F::closest_approach(p, &s->center, out); });
  check<SphaeraVec3>(point_at(path, 0.375), [&](auto* out) { return F::point_at(p, 0.375, out); });
  check<SphaeraPierce>(pierce(path, sphere), [&](auto*... out) { return F::pierce(p, s, out...); });
  check<SphaeraSurfacePoint>(hit_point(path, sphere),
                             [&](auto*... out) { return F::hit_point(p, s, out...); });
}

template <class Row, class Item>
const Row* row(const Item& item) {
  static_assert(sizeof(Row) == sizeof(Item));
  return reinterpret_cast<const Row*>(&item);
}

}  // namespace

TEST_CASE("one path and one sphere answer in C as in C++", "[c]") {
  Random random(seed(), 8);
  const std::vector<Sphere> spheres = make_spheres(SceneKind::uniform, 20, random);
  const std::vector<Ray> rays = make_rays(spheres, 200, random);
  const std::vector<Segment> segments = make_segments(spheres, 200, random);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    check_path(rays[i], spheres[i % 20]), check_path(segments[i], spheres[i % 20]);
    const Segment& segment = segments[i];
    const Sphere &sphere = spheres[i % 20], &other = spheres[i % 19];
    check<SphaeraClosestPoint>(closest_point(segment, sphere.center), [&](auto* out) {
      return sphaera_closest_point(row<SphaeraSegment>(segment), row<SphaeraVec3>(sphere.center), out);
    });
    check<SphaeraIntersectionCircle>(intersection_circle(sphere, other), [&](auto* out) {
      return sphaera_intersection_circle(row<SphaeraSphere>(sphere), row<SphaeraSphere>(other), out);
    });
    const Shot shot{other.center + Vec3{0, 0, 10 * sphere.radius}, sphere.center, 2};
    if (shot.from == shot.aim || meets(Segment{shot.from, shot.from}, sphere)) continue;
    check<SphaeraRicochet>(ricochet(shot, sphere), [&](auto*... out) {
      return sphaera_ricochet(row<SphaeraShot>(shot), row<SphaeraSphere>(sphere), out...);
    });
  }
  const SphaeraConvention unknown{7, 0, 0};
  std::int32_t yes = 0;
  CHECK(sphaera_meets_ray(row<SphaeraRay>(rays[0]), row<SphaeraSphere>(spheres[0]), &unknown, &yes) ==
        SPHAERA_INVALID_ARGUMENT);
}

TEST_CASE("one star and one observer answer in C as in C++", "[c]") {
  const std::vector<Sphere> bodies{{{0, 0, 5}, 1}, {{0.5, 0, 4}, 0.25}};
  const LimbDarkening law = LimbDarkening::quadratic(0.3, 0.2);
  const Observer observer{{0.25, 0.5, 0}};
  for (const Star& star : {Star::at({0, 0, 20}, 3, law), Star::at_infinity({0, 0, 1}, 0.1, law)})
    check<SphaeraVisibility>(starlight(star, observer, bodies), [&](auto* out) {
      return sphaera_starlight(row<SphaeraStar>(star), row<SphaeraObserver>(observer),
                               c_rows<SphaeraSphere>(bodies), bodies.size(), out);
    });
  const Source source{Star::at({0, 0, 20}, 3, law), 100};
  const Receiver receiver{observer, {0, 1, 2}};
  check<double>(irradiance(source, receiver, 0.5), [&](auto* out) {
    return sphaera_irradiance(row<SphaeraSource>(source), row<SphaeraReceiver>(receiver), 0.5, out);
  });
  check<double>(normal_irradiance(source, observer.position, 0.5), [&](auto* out) {
    return sphaera_normal_irradiance(row<SphaeraSource>(source), row<SphaeraVec3>(observer.position), 0.5,
                                     out);
  });
  check<double>(law.intensity(0.3), [&](auto* out) {
    return sphaera_limb_darkening_intensity(row<SphaeraLimbDarkening>(law), 0.3, out);
  });
}

TEST_CASE("motions and contact times are in C those of C++", "[c]") {
  const std::vector<MotionSample> samples{{0, {500, -10, 0}, {0, 1, 0}}, {20, {500, 10, 0}, {0, 1, 0}}};
  const Vec3 moon{500, -15, 0}, pace{0, 1, 0}, aside{0, 0, 0.5};
  const Spin spin{{0, 0, 1}, 1000};
  OwnedMotion sampled, linear, beside, fixed, rest;
  succeeds(sphaera_motion_create(c_rows<SphaeraMotionSample>(samples), 2, &sampled));
  succeeds(sphaera_motion_create_linear(row<SphaeraVec3>(moon), row<SphaeraVec3>(pace), &linear));
  succeeds(sphaera_motion_create_linear(row<SphaeraVec3>(Vec3{}), nullptr, &rest));
  succeeds(sphaera_motion_create_beside(sampled, row<SphaeraVec3>(aside), &beside));
  succeeds(sphaera_motion_create_fixed_in(rest, row<SphaeraSpin>(spin), row<SphaeraVec3>(aside), &fixed));
  const Motion motions[]{Motion(samples), Motion::linear(moon, pace), Motion::beside(Motion(samples), aside),
                         Motion::fixed_in(Motion::at_rest({}), spin, aside)};
  const SphaeraMotion* const handles[]{sampled, linear, beside, fixed};
  for (std::size_t i = 0; i < 4; ++i)
    check<SphaeraVec3>(motions[i].at(7.25),
                       [&](auto* out) { return sphaera_motion_at(handles[i], 7.25, out); });

  const MovingStar star{Star::at({1000, 0, 0}, 1), Motion::linear({1000, 0, 0}, {0, 0.01, 0})};
  const MovingObserver observer{motions[3]};
  const std::vector<MovingSphere> bodies{{motions[1], 1}, {motions[2], 0.5}};
  OwnedMotion of_star;
  succeeds(sphaera_motion_create_linear(row<SphaeraVec3>(star.star.center),
                                        row<SphaeraVec3>(Vec3{0, 0.01, 0}), &of_star));
  const SphaeraMovingStar c_star{*row<SphaeraStar>(star.star), of_star};
  const SphaeraMovingObserver c_observer{fixed, -1};
  const SphaeraMovingSphere c_bodies[]{{linear, 1}, {beside, 0.5}};
  SphaeraContactOptions options = initialized(sphaera_contact_options_init);
  options.resolution = 0.01;
  OwnedLists lists;
  succeeds(sphaera_lists_create(&lists));
  const std::uint64_t* offsets = nullptr;
  size_t count = 0;

  succeeds(sphaera_contact_times(&c_star, &c_observer, c_bodies, 2, 0, 40, &options, lists));
  const SphaeraContactTime* contacts = nullptr;
  succeeds(sphaera_lists_contact_times(lists, &contacts, &count));
  const auto expected = contact_times(star, observer, bodies, 0, 40, {.resolution = 0.01});
  CHECK(expected.size() > 4);
  const auto* const first = reinterpret_cast<const ContactTime*>(contacts);
  CHECK(std::vector(first, first + count) == expected);

  succeeds(sphaera_phase_changes(&c_star, &c_observer, c_bodies, 2, 0, 40, &options, lists));
  const SphaeraPhaseChange* changes = nullptr;
  succeeds(sphaera_lists_phase_changes(lists, &changes, &count));
  const auto* const first_change = reinterpret_cast<const PhaseChange*>(changes);
  CHECK(std::vector(first_change, first_change + count) ==
        phase_changes(star, observer, bodies, 0, 40, {.resolution = 0.01}));
  succeeds(sphaera_lists_offsets(lists, &offsets, &count));
  CHECK(count == 1);
}

TEST_CASE("contacts of a ball with shadows are in C those of C++", "[c]") {
  // The ball passes the shadows of a large body, in front of the star, and of a small one.
  const MovingStar star{Star::at({1000, 0, 0}, 10), Motion::linear({1000, 0, 0}, {0, 0.01, 0})};
  const MovingSphere ball{Motion::linear({0, -20, 0}, {0, 1, 0}), 0.5};
  const std::vector<MovingSphere> bodies{{Motion::at_rest({200, 0, 0}), 5},
                                         {Motion::linear({50, -2, 0}, {0, 0.1, 0}), 0.25}};
  const Vec3 at_star{1000, 0, 0}, drift{0, 0.01, 0}, at_ball{0, -20, 0}, pace{0, 1, 0};
  const Vec3 large{200, 0, 0}, small{50, -2, 0}, slow{0, 0.1, 0};
  OwnedMotion of_star, of_ball, of_large, of_small;
  succeeds(sphaera_motion_create_linear(row<SphaeraVec3>(at_star), row<SphaeraVec3>(drift), &of_star));
  succeeds(sphaera_motion_create_linear(row<SphaeraVec3>(at_ball), row<SphaeraVec3>(pace), &of_ball));
  succeeds(sphaera_motion_create_linear(row<SphaeraVec3>(large), nullptr, &of_large));
  succeeds(sphaera_motion_create_linear(row<SphaeraVec3>(small), row<SphaeraVec3>(slow), &of_small));
  const SphaeraMovingStar c_star{*row<SphaeraStar>(star.star), of_star};
  SphaeraMovingSphere c_ball{of_ball, 0.5};
  const SphaeraMovingSphere c_bodies[]{{of_large, 5}, {of_small, 0.25}};
  SphaeraContactOptions options = initialized(sphaera_contact_options_init);
  options.resolution = 0.01;
  OwnedLists lists;
  succeeds(sphaera_lists_create(&lists));
  const SphaeraShadowChange* changes = nullptr;
  const std::uint64_t* offsets = nullptr;
  size_t count = 0;
  succeeds(sphaera_shadow_contacts(&c_star, &c_ball, c_bodies, 2, 0, 40, &options, lists));
  succeeds(sphaera_lists_shadow_changes(lists, &changes, &count));
  const auto* const first = reinterpret_cast<const ShadowChange*>(changes);
  CHECK(count >= 10);  // all eight of the large body, the penumbra of the small one
  CHECK(std::vector(first, first + count) ==
        shadow_contacts(star, ball, bodies, 0, 40, {.resolution = 0.01}));
  succeeds(sphaera_lists_offsets(lists, &offsets, &count));
  CHECK(count == 1);

  const auto refused = [&](const SphaeraMovingSphere* asked, const char* subject) {
    CHECK(sphaera_shadow_contacts(&c_star, asked, c_bodies, 2, 0, 40, nullptr, lists) ==
          SPHAERA_INVALID_ARGUMENT);
    CHECK(sphaera_error_subject() == std::string(subject));
    succeeds(sphaera_lists_offsets(lists, &offsets, &count));
    CHECK(count == 0);
  };
  refused(nullptr, "ball");
  c_ball.radius = 10;  // as large as the star
  refused(&c_ball, "ball");
  c_ball.motion = nullptr;
  refused(&c_ball, "motion");
}

TEST_CASE("contacts with a star that is not seen have a status in C", "[c]") {
  const SphaeraVec3 at_star{100, 0, 0}, away{0, 0, 0};
  OwnedMotion inside, outside;
  succeeds(sphaera_motion_create_linear(&at_star, nullptr, &inside));
  succeeds(sphaera_motion_create_linear(&away, nullptr, &outside));
  const SphaeraMovingStar star{{0, at_star, 10, {0, 0, 0}, 0, {}}, nullptr};
  const SphaeraMovingObserver in_star{inside, -1}, apart{outside, -1};
  SphaeraUnseenStar unseen{7, 7, 7};
  SphaeraContactOptions options = initialized(sphaera_contact_options_init);
  CHECK(options.unseen == nullptr);
  OwnedLists lists;
  succeeds(sphaera_lists_create(&lists));
  CHECK(sphaera_contact_times(&star, &in_star, nullptr, 0, 2, 3, &options, lists) ==
        SPHAERA_INVALID_ARGUMENT);
  options.unseen = &unseen;
  succeeds(sphaera_contact_times(&star, &in_star, nullptr, 0, 2, 3, &options, lists));
  CHECK((unseen.status == SPHAERA_INSIDE_STAR && unseen.time == 2 && unseen.body == -1));
  succeeds(sphaera_contact_times(&star, &apart, nullptr, 0, 2, 3, &options, lists));
  CHECK((unseen.status == SPHAERA_STAR_OK && std::isnan(unseen.time)));
  options.size = offsetof(SphaeraContactOptions, unseen);  // of a program that was built before
  CHECK(sphaera_contact_times(&star, &in_star, nullptr, 0, 2, 3, &options, lists) ==
        SPHAERA_INVALID_ARGUMENT);
}

TEST_CASE("sums of chords are in C those of C++", "[c]") {
  Random random(seed(), 9);
  const std::vector<Sphere> spheres = make_spheres(SceneKind::uniform, 500, random);
  std::vector<Ray> rays = make_rays(spheres, 300, random);
  const HitLists hits = Scene::build(spheres).all_hits(rays);
  std::vector<ChordSums> sums(rays.size());
  const auto ask = [&](const std::vector<std::size_t>& offsets) {
    return sphaera_chord_sums(c_rows<SphaeraRay>(rays), rays.size(), c_rows<SphaeraHit>(hits.items),
                              c_rows<std::uint64_t>(offsets), c_rows<SphaeraChordSums>(sums));
  };
  succeeds(ask(hits.offsets));
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    CHECK((bytes_of(sums[i]) == bytes_of(chord_sums(rays[i], hits[i]))));
    most = std::max(most, sums[i].hits);
  }
  CHECK(most > 1);
  succeeds(sphaera_chord_sums(nullptr, 0, nullptr, c_rows<std::uint64_t>(hits.offsets), nullptr));

  const std::vector<ChordSums> before(sums.size(), {7, 7, 7});
  sums = before;
  std::vector<std::size_t> descending = hits.offsets;
  descending[3] = descending.back() + 1;
  CHECK(ask(descending) == SPHAERA_INVALID_ARGUMENT);
  CHECK(sphaera_error_subject() == std::string("offsets"));
  rays[5].direction = {};
  CHECK(ask(hits.offsets) == SPHAERA_INVALID_ARGUMENT);
  CHECK(sphaera_error_element() == 5);
  CHECK(sphaera_error_subject() == std::string("ray 5"));
  CHECK(std::ranges::all_of(sums, [](const ChordSums& s) { return s.hits == 7 && s.inside == 7; }));
}

TEST_CASE("motions that C++ would not check are refused in C", "[c]") {
  SphaeraMotion* motion = nullptr;
  SphaeraMotionSample samples[]{{1, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0}, {0, 0, 0}}};
  CHECK(sphaera_motion_create(samples, 2, &motion) == SPHAERA_INVALID_ARGUMENT);
  CHECK(sphaera_error_element() == 1);
  CHECK(sphaera_motion_create(samples, 0, &motion) == SPHAERA_INVALID_ARGUMENT);
  samples[0].position.y = std::nan("");
  CHECK(sphaera_motion_create(samples, 1, &motion) == SPHAERA_INVALID_ARGUMENT);
  OwnedMotion rest;
  const SphaeraVec3 origin{0, 0, 0};
  succeeds(sphaera_motion_create_linear(&origin, nullptr, &rest));
  for (const SphaeraSpin& spin : {SphaeraSpin{{0, 0, 0}, 1}, SphaeraSpin{{0, 0, 1}, 0},
                                  SphaeraSpin{{0, 0, std::nan("")}, 1}, SphaeraSpin{{0, 0, 1}, 0x1p300}})
    CHECK(sphaera_motion_create_fixed_in(rest, &spin, &origin, &motion) == SPHAERA_INVALID_ARGUMENT);
  SphaeraVec3 place;
  CHECK(sphaera_motion_at(rest, INFINITY, &place) == SPHAERA_INVALID_ARGUMENT);
  CHECK(motion == nullptr);
  const SphaeraMovingStar star{{0, {9, 0, 0}, 1, {0, 0, 0}, 0, {}}, nullptr};
  const SphaeraMovingObserver nowhere{nullptr, -1};
  OwnedLists lists;
  succeeds(sphaera_lists_create(&lists));
  CHECK(sphaera_contact_times(&star, &nowhere, nullptr, 0, 0, 1, nullptr, lists) == SPHAERA_INVALID_ARGUMENT);
  CHECK(sphaera_contact_times(nullptr, &nowhere, nullptr, 0, 0, 1, nullptr, lists) ==
        SPHAERA_INVALID_ARGUMENT);
}

}  // namespace sphaera::test
