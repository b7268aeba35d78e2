/// \file sphaera_bridge: spheres and walls in one Embree scene, in turns within one process. See its
/// --help.

#include <CLI/CLI.hpp>
#include <bench/bridge/method.hpp>
#include <bench/measure/median.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sphaera::bench {
namespace {

constexpr const char* description =
    R"(Walls and people in one Embree scene: what does a ray hit first (rtcIntersect1), does it hit anything (rtcOccluded1)?
One call a ray, one thread.

The methods take turns on the same rays; values are medians over rounds. "÷ apart" is the median over rounds of a
method's time ÷ (time of the walls alone + time of Scene::first_hit, or Scene::blocked, for the people alone, one ray
a call): the time of a caller who asks both and takes the nearer answer. The goal is 1.3 at 1e5 people, for
the first hit by the bridge with one primitive for all spheres and rays in doubles.

walls, then people: without the bridge, ray by ray, and people only up to the wall. scene, spheres: the bridge with one
primitive for all spheres, and with one a sphere; float rays, or rays in doubles in its query context. naive: user
geometry with a certified test in double. builtin: Embree's sphere points, in floats.
bytes per person in Embree: what Embree holds beyond the walls alone. outside: what is kept outside of Embree
(spheres in doubles and Sphaera's index, or points in floats). index: seconds to build what is outside.
commit: seconds for Embree's geometry and commit, walls included.
wrong: answers that differ from the nearer of walls alone and people alone. With float rays some differ,
because a rounded ray is another ray. The program ends with status 1 if an answer is wrong of the bridge with
doubles, of Search::embree, or of walls, then people.
The reference answers use Sphaera's index. Search::embree, the bridge with one primitive a sphere, and naive
use an index of Embree instead.)";

struct Options {
  std::vector<double> people{1e4, 1e5, 1e6};
  double rays = 200'000;
  int rounds = 7;
  std::uint64_t seed = 1;
};

enum class Asks : std::uint8_t { walls, people, both };

struct Entry {
  std::string name;
  Asks asks;
  bool must_be_right;
  std::unique_ptr<Method> (*make)();
};

using Primitives = BridgePrimitives;
const Entry entries[] = {
    {"walls alone", Asks::walls, false, make_walls_alone},
    {"our single query, people alone", Asks::people, false, make_single_query},
    {"Search::embree, people alone", Asks::people, true, make_embree_search},
    {"walls, then people, ray by ray", Asks::both, true, make_one_then_the_other},
    {"bridge: scene, floats", Asks::both, false,
     [] { return make_bridge(Primitives::scene, BridgeRays::floats); }},
    {"bridge: scene, doubles", Asks::both, true,
     [] { return make_bridge(Primitives::scene, BridgeRays::doubles); }},
    {"bridge: spheres, floats", Asks::both, false,
     [] { return make_bridge(Primitives::spheres, BridgeRays::floats); }},
    {"bridge: spheres, doubles", Asks::both, true,
     [] { return make_bridge(Primitives::spheres, BridgeRays::doubles); }},
    {"naive", Asks::both, false, make_naive_level},
    {"builtin", Asks::both, false, make_builtin_level},
};
constexpr std::size_t walls_alone = 0, single_query = 1, goal_entry = 5;
constexpr double goal = 1.3;

struct Result {
  std::unique_ptr<Method> method;
  double index_seconds = 0, commit_seconds = 0;
  std::vector<double> seconds{};  ///< of every round
  std::vector<FirstOfBoth> answers{};
};

using Question = void (Method::*)(std::span<const Ray>, std::span<FirstOfBoth>) const;

std::vector<Result> build_all(const Level& level, TimedArena& arena, std::size_t rays) {
  std::vector<Result> results;
  for (const Entry& entry : entries) {
    Result& result = results.emplace_back(Result{.method = entry.make()});
    result.index_seconds = arena.seconds_of([&] { result.method->index(level); });
    result.commit_seconds = arena.seconds_of([&] { result.method->commit(level); });
    result.answers.resize(rays);
  }
  return results;
}

/// The nearer of wall and sphere; at a tie the wall.
const FirstOfBoth& nearer(const FirstOfBoth& wall, const FirstOfBoth& sphere) {
  return sphere.t < wall.t ? sphere : wall;
}

FirstOfBoth right_answer(const std::vector<Result>& results, std::size_t i, Asks asks) {
  const FirstOfBoth &wall = results[walls_alone].answers[i], &sphere = results[single_query].answers[i];
  return asks == Asks::people ? sphere : nearer(wall, sphere);
}

std::size_t count_wrong(const std::vector<Result>& results, std::size_t k) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < results[k].answers.size(); ++i) {
    const FirstOfBoth right = right_answer(results, i, entries[k].asks), &answer = results[k].answers[i];
    wrong += answer.sphere != right.sphere || (answer.sphere < 0 && answer.t != right.t);
  }
  return wrong;
}

/// Median over rounds of the method's time ÷ (time of the walls alone + time of the people alone).
double ratio_to_apart(const std::vector<Result>& results, const Result& result) {
  std::vector<double> apart(result.seconds.size());
  for (std::size_t round = 0; round < apart.size(); ++round)
    apart[round] = results[walls_alone].seconds[round] + results[single_query].seconds[round];
  return median_ratio(result.seconds, apart);
}

/// Prints one line of the table. Returns the number of wrong answers of a method that must be right, else 0.
std::size_t print_line(const Level& level, const std::vector<Result>& results, std::size_t k) {
  const Result& result = results[k];
  const auto people = static_cast<double>(level.people.size());
  const Asks asks = entries[k].asks;
  const double walls = asks == Asks::people ? 0 : results[walls_alone].method->embree_bytes(),
               embree = result.method->embree_bytes() - walls;
  std::printf("| %-32s | %7.0f | ", entries[k].name.c_str(),
              1e9 * median(result.seconds) / static_cast<double>(result.answers.size()));
  if (asks == Asks::both) {
    std::printf("%7.2f | ", ratio_to_apart(results, result));
  } else {
    std::printf("%7s | ", "");
  }
  std::printf("%7.1f | %6.1f | %7.3f | %7.3f | ", embree / people, result.method->own_bytes() / people,
              result.index_seconds, result.commit_seconds);
  const bool reference = k == walls_alone || k == single_query;
  const std::size_t wrong = reference ? 0 : count_wrong(results, k);
  std::puts(reference ? "|" : (std::to_string(wrong) + " |").c_str());
  return entries[k].must_be_right ? wrong : 0;
}

std::size_t print(const Level& level, const std::vector<Result>& results, const char* question) {
  std::printf("\n%s: %s people, %zu triangles\n\n", question, short_number(level.people.size()).c_str(),
              level.walls.triangles.size());
  std::puts(
      "| | ns per ray | ÷ apart | bytes per person in Embree | outside | index, s | commit, s | wrong |");
  std::puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
  std::size_t faults = 0;
  for (std::size_t k = 0; k < results.size(); ++k) faults += print_line(level, results, k);
  return faults;
}

/// Measures one question by all methods, in turns.
void ask_all(std::vector<Result>& results, Question question, std::span<const Ray> rays, int rounds,
             TimedArena& arena) {
  for (Result& result : results) result.seconds.clear();
  for (int round = 0; round < rounds; ++round)
    for (Result& result : results)
      result.seconds.push_back(arena.seconds_of([&] { (*result.method.*question)(rays, result.answers); }));
}

/// Returns the number of wrong answers of all methods that must be right.
std::size_t measure(std::uint64_t people, const Options& options) {
  const SceneSpec spec{workload::Kind::crowd, people};
  const Level level{make_walls(people, options.seed), make_spheres(spec, options.seed)};
  const auto rays = make_rays(spec, static_cast<std::size_t>(options.rays), Order::random, options.seed);
  TimedArena arena(1, Clock::cpu);
  std::vector<Result> results = build_all(level, arena, rays.size());
  ask_all(results, &Method::first, rays, options.rounds, arena);
  std::size_t faults = print(level, results, "first hit");
  std::printf("\n%s: %.2f ÷ apart, the goal is %.1f\n", entries[goal_entry].name.c_str(),
              ratio_to_apart(results, results[goal_entry]), goal);
  ask_all(results, &Method::any, rays, options.rounds, arena);
  faults += print(level, results, "any hit");
  return faults;
}

int run(const Options& options) {
  std::printf("seed %llu, %.0f rays, %d rounds, processor time of one thread\n",
              static_cast<unsigned long long>(options.seed), options.rays, options.rounds);
  std::size_t faults = 0;
  for (const double people : options.people) {
    faults += measure(static_cast<std::uint64_t>(people), options);
    std::fflush(stdout);
  }
  return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace sphaera::bench

int main(int argc, char** argv) {
  sphaera::bench::Options options;
  CLI::App app(sphaera::bench::description);
  app.add_option("--people", options.people, "sizes of the crowd: 1e4,1e5,1e6")
      ->delimiter(',')
      ->check(CLI::Range(100.0, 1e8));
  app.add_option("--rays", options.rays, "rays of a round")->check(CLI::Range(1.0, 1e8));
  app.add_option("--rounds", options.rounds, "turns that each method takes")->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "of the crowd, the walls and the rays");
  CLI11_PARSE(app, argc, argv);
  try {
    return sphaera::bench::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sphaera_bridge: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
