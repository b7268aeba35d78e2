/// \file sphaera_bridge: spheres beside walls in one Embree scene, in turns within one process. See its
/// --help.

#include <CLI/CLI.hpp>
#include <bench/arena.hpp>
#include <bench/level/contender.hpp>
#include <bench/median.hpp>
#include <bench/scenes.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sphaera::bench {
namespace {

constexpr const char* description =
    R"(Walls and people in one Embree scene: what does a ray hit first? One call a ray, one thread.

The contenders take turns on the same rays; values are medians over rounds. "÷ apart" is the median over rounds of a
contender's time ÷ (time of the walls alone + time of Scene::first_hit for the people alone, one ray a call): what a
caller would pay who asks both and takes the nearer. The bar for the bridge with doubles, granularity scene, is 1.3 at
1e5 people.

scene, spheres: the bridge with one primitive for all spheres, and with one a sphere; float rays, or rays in doubles in
its query context. naive: user geometry with a certified test in double. builtin: Embree's sphere points, in floats.
B/person: memory beyond that of the walls alone (of the bridge and of our query with Sphaera's spheres and index).
build: seconds for index, geometry and commit, walls included. wrong: answers that differ from the nearer of walls
alone and Scene::first_hit for the ray in doubles. With float rays some do: a ray that was rounded is another ray. Ends
with status 1 if the bridge is wrong with doubles.)";

struct Options {
  std::vector<double> people{1e4, 1e5, 1e6};
  double rays = 200'000;
  int rounds = 7;
  std::uint64_t seed = 1;
};

struct Entry {
  std::string name;
  bool must_be_right;
  std::unique_ptr<Contender> (*make)();
};

using Primitives = BridgePrimitives;
const Entry entries[] = {
    {"walls alone", false, make_walls_alone},
    {"our single query, people alone", false, make_single_query},
    {"bridge: scene, floats", false, [] { return make_bridge(Primitives::scene, BridgeRays::floats); }},
    {"bridge: scene, doubles", true, [] { return make_bridge(Primitives::scene, BridgeRays::doubles); }},
    {"bridge: spheres, floats", false, [] { return make_bridge(Primitives::spheres, BridgeRays::floats); }},
    {"bridge: spheres, doubles", true, [] { return make_bridge(Primitives::spheres, BridgeRays::doubles); }},
    {"naive", false, make_naive_level},
    {"builtin", false, make_builtin_level},
};
constexpr std::size_t walls_alone = 0, single_query = 1, bar_entry = 3;
constexpr double bar = 1.3;

struct Result {
  std::unique_ptr<Contender> contender;
  double build_seconds = 0;
  std::vector<double> seconds{};  ///< of every round
  std::vector<FirstOfBoth> answers{};
};

std::vector<Result> build_all(const Level& level, Arena& arena, std::size_t rays) {
  std::vector<Result> results;
  for (const Entry& entry : entries) {
    Result& result = results.emplace_back(Result{.contender = entry.make()});
    result.build_seconds = arena.seconds_of([&] { result.contender->build(level); });
    result.answers.resize(rays);
  }
  return results;
}

/// The nearer of wall and sphere; at a tie the wall.
FirstOfBoth nearer(const FirstOfBoth& wall, const FirstOfBoth& sphere) {
  return sphere.sphere >= 0 && sphere.t < wall.t ? sphere : wall;
}

std::size_t count_wrong(const std::vector<Result>& results, const Result& result) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const FirstOfBoth right = nearer(results[walls_alone].answers[i], results[single_query].answers[i]);
    const FirstOfBoth& answer = result.answers[i];
    wrong += answer.sphere != right.sphere || (answer.sphere < 0 && answer.t != right.t);
  }
  return wrong;
}

/// Time ÷ the sum of both questions asked apart, round by round.
double ratio_to_apart(const std::vector<Result>& results, const Result& result) {
  std::vector<double> apart(result.seconds.size());
  for (std::size_t round = 0; round < apart.size(); ++round)
    apart[round] = results[walls_alone].seconds[round] + results[single_query].seconds[round];
  return median_ratio(result.seconds, apart);
}

std::size_t print(const Level& level, const std::vector<Result>& results) {
  const auto people = static_cast<double>(level.people.size());
  const auto rays = static_cast<double>(results[0].answers.size());
  std::printf("\n%s people, %zu triangles\n", short_number(level.people.size()).c_str(),
              level.walls.triangles.size());
  std::printf("%-32s %8s %8s %9s %8s %7s\n", "", "ns/ray", "÷ apart ", "B/person", "build s", "wrong");
  std::size_t faults = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const Result& result = results[k];
    const bool both = k != walls_alone && k != single_query;
    const double bytes =
        result.contender->bytes() - (k == single_query ? 0 : results[walls_alone].contender->bytes());
    const std::size_t wrong = both ? count_wrong(results, result) : 0;
    if (entries[k].must_be_right) faults += wrong;
    std::printf("%-32s %8.0f ", entries[k].name.c_str(), 1e9 * median(result.seconds) / rays);
    if (both) {
      std::printf("%8.2f ", ratio_to_apart(results, result));
    } else {
      std::printf("%8s ", "");
    }
    std::printf("%9.1f %8.3f ", bytes / people, result.build_seconds);
    if (both) std::printf("%7zu", wrong);
    std::puts("");
  }
  const double reached = ratio_to_apart(results, results[bar_entry]);
  std::printf("%s: %.2f ÷ apart, the bar is %.1f\n", entries[bar_entry].name.c_str(), reached, bar);
  return faults;
}

/// Returns the number of wrong answers of the bridge.
std::size_t measure(std::uint64_t people, const Options& options) {
  const SceneSpec spec{workload::Kind::crowd, people};
  const Level level{make_walls(people, options.seed), make_spheres(spec, options.seed)};
  const auto rays = make_rays(spec, static_cast<std::size_t>(options.rays), Order::random, options.seed);
  Arena arena(1, Clock::cpu);
  std::vector<Result> results = build_all(level, arena, rays.size());
  for (int round = 0; round < options.rounds; ++round)
    for (Result& result : results)
      result.seconds.push_back(arena.seconds_of([&] { result.contender->ask(rays, result.answers); }));
  return print(level, results);
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
  app.add_option("--rounds", options.rounds, "turns that each contender takes")->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "of the crowd, the walls and the rays");
  CLI11_PARSE(app, argc, argv);
  try {
    return sphaera::bench::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sphaera_bridge: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
