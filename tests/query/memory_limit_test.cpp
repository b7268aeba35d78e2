/// \file Lists of a batch within a limit of memory: whole, or an Error that says to ask fewer queries.

#include <memory>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <string>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/queries/every_query.hpp>

namespace sphaera {
namespace {

const std::size_t queries = test::fewer_in_repeats(300u);

/// Spheres about the origin, each within the next.
Scene shells(int count) {
  std::vector<Sphere> spheres;
  for (int i = 0; i < count; ++i) spheres.push_back({{0, 0, 0}, 1 + 0.001 * i});
  return Scene::build(spheres);
}

void check_limit(const test::Query& query, const Scene& scene, const test::Questions& questions) {
  const std::unique_ptr<test::AnswerPlace> lists = query.place(scene, questions);
  lists->ask(scene, questions, {});
  const std::size_t items = lists->items(), bytes = items * query.item_bytes;
  REQUIRE(items >= query.count(scene, questions) * 500);
  lists->ask(scene, questions, {.memory_limit = 2 * bytes});
  CHECK(lists->items() == items);
  try {
    lists->ask(scene, questions, {.memory_limit = bytes / 4});
    FAIL("the lists are longer than the limit");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::out_of_memory);
    CHECK(std::string(error.what()).find("ask fewer queries") != std::string::npos);
  }
}

}  // namespace

TEST_CASE("lists of a batch keep to a limit of memory", "[query][sized]") {
  const Scene scene = shells(test::smaller() ? 1200 : 5000);
  test::Questions questions =
      test::questions_along(std::vector<Ray>(queries, Ray{{-10, 0, 0}, {1, 0, 0}}), queries / 6);
  for (Ball& ball : questions.balls) ball = {{0, 0, 0}, 1};
  questions.balls.resize(queries, questions.balls[0]);
  questions.bullets.resize(queries / 6);
  questions.flight = {.pierces = 499};
  for (const test::Query* query : test::every_query()) {
    INFO(query->name);
    if (query->lists) check_limit(*query, scene, questions);
  }
}

}  // namespace sphaera
