/// \file Rows that are not valid, in batches that skip them.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <cmath>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>
#include <tools/workload/workload.hpp>

namespace sphaera {
namespace {

using test::Bytes, test::Query, test::Questions, test::SceneKind, test::Random, test::nan, test::refusal;

/// Spoils some of the inputs, each in any way; the others keep their answers.
void check_skips(const Query& query, const Scene& scene, Questions questions, Random& random) {
  const std::vector<Bytes> before = query.rows(scene, questions);
  const Bytes miss = query.miss(questions);
  std::vector<bool> bad(before.size());
  const auto surely = static_cast<std::size_t>(random.below(static_cast<int>(before.size())));
  for (std::size_t i = 0; i < before.size(); ++i) {
    bad[i] = random.one_in(3) || i == surely;  // of two rows, none would be bad at times
    if (bad[i]) query.spoil(questions, i, random.bits() % query.faults());
  }
  CHECK(refusal([&] { query.ask(scene, questions); }).element ==
        std::find(bad.begin(), bad.end(), true) - bad.begin());
  for (const int threads : {0, 1}) {
    std::vector<RowStatus> rows(before.size());
    const std::vector<Bytes> found = query.rows(scene, questions, {.threads = threads, .statuses = rows});
    for (std::size_t i = 0; i < before.size(); ++i) {
      REQUIRE(rows[i] == (bad[i] ? RowStatus::skipped : RowStatus::ok));
      const bool same = found[i] == (bad[i] ? miss : before[i]);
      REQUIRE(same);
    }
  }
}

void check_all_skip(const Scene& scene, const Questions& questions, Random& random) {
  for (const Query* query : test::every_query()) {
    INFO(query->name);
    if (query->faults() > 0) check_skips(*query, scene, questions, random);
  }
}

}  // namespace

TEST_CASE("batches skip rows that are not valid if statuses are asked for", "[query]") {
  using workload::Kind;
  Random random(test::seed());
  constexpr std::size_t spheres = 30000;  // enough to sort batches
  const Scene scene = Scene::build(workload::spheres(Kind::crowd, spheres, test::seed()));
  const std::vector<Ray> rays =
      workload::rays(Kind::crowd, test::fewer_in_repeats(5000u), spheres, test::seed());
  check_all_skip(scene, test::questions_along(rays, rays.size() / 10), random);
}

TEST_CASE("batches at the edge of answers skip rows, too", "[query]") {
  Random random(test::seed());
  const auto spheres = test::make_spheres(SceneKind::crowd, 500, random);
  const std::size_t n = test::fewer_in_repeats(200u);
  check_all_skip(Scene::build(spheres), test::draw_questions(spheres, n, n, random), random);
}

TEST_CASE("a row is skipped for a bad id to ignore or a bad time, too", "[query]") {
  const Scene scene = Scene::build({{{0, 0, 0}, 1}});
  const std::vector<Ray> rays(3, Ray{{0, 0, -5}, {0, 0, 1}});
  const std::vector<std::int64_t> ignore{-1, 7, -1};
  const std::vector<double> times{0, 0, nan};
  std::vector<RowStatus> rows(3);
  const std::vector<Hit> hits = scene.first_hit(rays, {.ignore = ignore, .times = times, .statuses = rows});
  CHECK((hits[0].sphere == 0 && hits[1].sphere == -1 && hits[2].sphere == -1));
  CHECK((rows == std::vector{RowStatus::ok, RowStatus::skipped, RowStatus::skipped}));
  RowStatus row{};
  CHECK(scene.first_hit(Ray{{nan, 0, 0}, {1, 0, 0}}, {.statuses = {&row, 1}}).sphere == -1);
  CHECK(row == RowStatus::skipped);
  CHECK(scene.first_hit(rays[0], {.statuses = {&row, 1}}).sphere == 0);
  CHECK(row == RowStatus::ok);
  CHECK(refusal([&] { (void)scene.first_hit(rays, {.statuses = {&row, 1}}); }).code ==
        ErrorCode::invalid_argument);
}

TEST_CASE("an empty scene skips rows, too", "[query]") {
  std::vector<RowStatus> rows(2);
  const std::vector<Ray> rays{{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 1}}};
  (void)Scene().all_hits(rays, {.statuses = rows});
  CHECK((rows == std::vector{RowStatus::skipped, RowStatus::ok}));
}

}  // namespace sphaera
