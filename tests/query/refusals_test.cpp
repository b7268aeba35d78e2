/// \file Options with invalid values are refused. Of several bad elements the first is named, whatever is
/// wrong with it.

#include <limits>
#include <sphaera/closed_form/ray_sphere.hpp>
#include <sphaera/contact_times.hpp>
#include <sphaera/scene_buffer.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>

namespace sphaera {
namespace {

using test::Query, test::Questions, test::refusal, test::Refusal, test::nan;

const std::vector<Sphere> two{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}};
const std::vector<Vec3> places{{0, 0, 0}, {5, 0, 0}};

/// Refused, naming the option and its value, and no element.
template <class Work>
void check_option(const Work& work, const std::string& option, const std::string& value) {
  const Refusal r = refusal(work);
  INFO(r.message);
  CHECK(r.code == ErrorCode::invalid_argument);
  CHECK(r.element == Error::no_element);
  CHECK(r.message.find(option + " is " + value + "; give ") != std::string::npos);
}

template <class Work>
void check_element(const Work& work, std::int64_t element, const std::string& words) {
  const Refusal r = refusal(work);
  INFO(r.message);
  CHECK(r.code == ErrorCode::invalid_argument);
  CHECK(r.element == element);
  CHECK(r.message.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("a value outside the range of an option is refused, with the range", "[query]") {
  Scene scene = Scene::build(two, {});
  SceneBuffer buffer(two);
  const auto quality = static_cast<BuildQuality>(9);
  const auto rebuild = static_cast<UpdateOptions::Rebuild>(4);
  const auto search = static_cast<Search>(3);
  const auto start_inside = static_cast<StartInside>(7);
  check_option([&] { (void)Scene::build(two, {.quality = quality}); }, "quality", "9");
  check_option([&] { (void)Scene::build({}, {.quality = quality}); }, "quality", "9");
  check_option([&] { (void)Scene::build(two, {.threads = -5}); }, "threads", "-5");
  check_option([&] { SceneBuffer(two, {.threads = -5}); }, "threads", "-5");
  check_option([&] { scene.update(places, {}, {.threads = -1}); }, "threads", "-1");
  check_option([&] { scene.update(places, {}, {.rebuild = rebuild}); }, "rebuild", "4");
  check_option([&] { buffer.update(places, {}, {.rebuild = rebuild}); }, "rebuild", "4");

  const Questions questions = test::questions_along({{{-3, 0, 0}, {1, 0, 0}}}, 1);
  for (const QueryOptions& bad : {QueryOptions{.threads = -5}, QueryOptions{.search = search}}) {
    const std::string option = bad.threads < 0 ? "threads" : "search", value = bad.threads < 0 ? "-5" : "3";
    for (const Query* query : test::every_query()) {
      INFO(query->name);
      check_option([&] { query->ask(scene, questions, bad); }, option, value);
      check_option([&] { query->ask_alone(scene, questions, 0, bad); }, option, value);
      check_option([&] { query->place(scene, questions)->ask(scene, questions, bad); }, option, value);
      check_option([&] { query->place(scene, questions)->ask_alone(scene, questions, 0, bad); }, option,
                   value);
    }
  }
  const Bullet bullet{{-3, 0, 0}, {1, 0, 0}};
  check_option([&] { (void)scene.first_impact(bullet, {.start_inside = start_inside}); }, "start_inside",
               "7");
  check_option([&] { (void)scene.all_impacts(std::vector{bullet}, {.start_inside = start_inside}); },
               "start_inside", "7");
}

TEST_CASE("enumerators that do not exist are refused: a star's distance and law, a convention", "[query]") {
  const Scene scene = Scene::build(two, {});
  Star far = Star::at({9, 9, 9}, 1), dark = far;
  far.distance = static_cast<Star::Distance>(2);
  dark.limb_darkening.law = static_cast<LimbDarkening::Law>(6);
  check_option([&] { (void)starlight(far, {{2, 0, 0}}, two); }, "distance", "2");
  check_option([&] { (void)scene.starlight(dark, {{2, 0, 0}}); }, "limb darkening's law", "6");
  check_option([&] { (void)normal_irradiance({far, 1}, {0, 0, 0}); }, "distance", "2");
  check_option([&] { (void)contact_times({dark}, {Motion::at_rest({2, 0, 0})}, {}, 0, 1); }, "law", "6");
  Convention convention;
  convention.start = static_cast<Convention::Start>(4);
  check_option([&] { (void)meets(Ray{{0, 0, 0}, {1, 0, 0}}, two[0], convention); }, "value", "4");
}

TEST_CASE("the largest memory limit is no limit", "[query]") {
  CHECK(Scene::build(two, {.memory_limit = std::numeric_limits<std::uint64_t>::max()}).info().spheres == 2);
}

TEST_CASE("the first bad sphere is named, whether its place, its layer or its velocity is bad", "[query]") {
  std::vector<Sphere> spheres(6, Sphere{{0, 0, 0}, 1});
  std::vector<std::uint8_t> layers(6);
  std::vector<Vec3> velocities(6);
  const auto build = [&] {
    (void)Scene::build(spheres, {.layers = layers, .velocities = velocities, .horizon = {0, 1}});
  };
  layers[5] = 64;
  check_element(build, 5, "layer 64");
  spheres[4].radius = nan;
  check_element(build, 4, "radius");
  velocities[3].x = 0x1p201;
  check_element(build, 3, "velocity");
  layers[2] = 200;
  check_element(build, 2, "layer 200");
  spheres[2].center.y = nan;
  check_element(build, 2, "center.y");
}

TEST_CASE("the first bad sphere of an update is named, whether its place or its velocity is bad", "[query]") {
  const std::vector<Vec3> at_rest(2);
  Scene scene = Scene::build(two, {.velocities = at_rest, .horizon = {0, 1}});
  const std::vector<Vec3> bad{{0, 0, 0}, {nan, 0, 0}}, velocities{{nan, 0, 0}, {0, 0, 0}};
  check_element([&] { scene.update(bad, velocities, {}); }, 0, "velocity");
  check_element([&] { scene.update(bad, at_rest, {}); }, 1, "center.x");
}

TEST_CASE("the first bad query is named, whether it or the id that it ignores is bad", "[query]") {
  const Scene scene = Scene::build(two, {});
  const std::vector<Ray> rays{{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};
  const std::vector<std::int64_t> late{-1, -1, 7}, early{7, -1, -1}, same{-1, 7, -1};
  const auto ask = [&](const std::vector<std::int64_t>& ignore) {
    return [&] { (void)scene.first_hit(rays, {.ignore = ignore}); };
  };
  check_element(ask(late), 1, "direction");
  check_element(ask(early), 0, "ignores sphere 7");
  check_element(ask(same), 1, "direction");
}

TEST_CASE("the first bad observer is named, whether its place, its ground or the id that it ignores is bad",
          "[query]") {
  const Scene scene = Scene::build(two, {});
  const std::vector<Star> stars{Star::at({9, 9, 9}, 1)};
  const std::vector<Observer> observers{{{1, 0, 0}, 0}, {{nan, 0, 0}}, {{1, 0, 0}, 2}, {{0, 0, 0}, 0}};
  const std::vector<std::int64_t> first{2, -1, -1, -1}, last{-1, -1, -1, 2};
  const auto look = [&](std::size_t from, const std::vector<std::int64_t>& ignore) {
    return [&, from] {
      const auto some = std::span(observers).subspan(from);
      (void)scene.starlight(stars, some, {.ignore = std::span(ignore).subspan(from)});
    };
  };
  check_element(look(0, last), 1, "position.x");
  check_element(look(0, first), 0, "ignores sphere 2");
  check_element(look(2, last), 0, "on is 2");
  check_element(look(3, last), 0, "center of the sphere");

  std::vector<Receiver> receivers;
  for (const Observer& o : observers) receivers.push_back({o, {0, 0, 1}});
  receivers[1].observer.position = {1, 0, 0}, receivers[1].normal = {0, 0, 0};
  const std::vector<Source> sources{{stars[0], 1}};
  check_element([&] { (void)scene.irradiance(sources, receivers); }, 1, "normal");
  check_element([&] { (void)scene.irradiance(sources, std::span(receivers).subspan(2)); }, 0, "on is 2");
}

TEST_CASE("an error of a span, of one query or of options has subject, reason and element as data",
          "[query]") {
  const auto check_parts = [](const auto& work, const std::string& subject, const std::string& reason,
                              std::int64_t element) {
    try {
      work();
      FAIL_CHECK("nothing was refused");
    } catch (const Error& error) {
      CHECK(error.subject() == subject);
      CHECK(error.reason() == reason);
      CHECK(error.element() == element);
    }
  };
  const Scene scene = Scene::build(two, {});
  const Ray still{{0, 0, 0}, {0, 0, 0}};
  const std::vector<Ray> rays{{{0, 0, 0}, {1, 0, 0}}, still};
  const std::string zero = "direction is zero; give any non-zero direction";
  check_parts([&] { (void)scene.blocked(rays); }, "ray 1", zero, 1);
  check_parts([&] { (void)scene.blocked(still); }, "ray", zero, Error::no_element);
  check_parts([&] { (void)scene.blocked(rays, {.threads = -1}); }, "",
              "threads is -1; give 0 for the caller's arena, or the number of threads", Error::no_element);

  const std::vector<Star> stars{Star::at({9, 9, 9}, 1)};
  const std::vector<Observer> observers{{{1, 0, 0}}, {{1, 0, 0}, 2}};
  const std::string on = "on is 2; give -1 for none or the id of one of the 2 spheres";
  check_parts([&] { (void)scene.starlight(stars, observers); }, "observer 1", on, 1);
  check_parts([&] { (void)starlight(stars[0], observers[1], two); }, "observer", on, Error::no_element);

  const std::vector<double> resistances{1, -1};
  const std::vector<Bullet> bullets{{{-3, 0, 0}, {1, 0, 0}}};
  check_parts([&] { (void)scene.first_impact(bullets, {.resistances = resistances}); }, "sphere 1",
              "resistance is -1; give 0 or more, or inf", 1);
  const std::vector<Vec3> velocities{{0, 0, 0}, {nan, 0, 0}};
  check_parts([&] { (void)Scene::build(two, {.velocities = velocities, .horizon = {0, 1}}); }, "sphere 1",
              "velocity is not finite or carries it beyond 2^200 within the horizon; give a smaller one or a "
              "shorter horizon",
              1);

  const MovingStar star{stars[0]};
  const std::vector<MovingSphere> bodies{{Motion::at_rest({5, 5, 5}), 1},
                                         {Motion(std::vector<MotionSample>()), 1}};
  check_parts([&] { (void)contact_times(star, {Motion::at_rest({})}, bodies, 0, 1); }, "body 1",
              "its motion has no samples; give one at least", 1);
  check_parts([&] { (void)contact_times(star, {Motion::at_rest({})}, {}, 1, 0); }, "interval",
              "empty or not finite; give a finite begin before a finite end", Error::no_element);
}

}  // namespace sphaera
