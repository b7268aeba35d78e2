/// \file Time of one exact decision of a tie (sign 0): double-double is unsure, so integers decide.

#include <benchmark/benchmark.h>

#include <bench/measure/median.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <exact/predicates/later_stages.hpp>
#include <string>
#include <tools/workload/random.hpp>
#include <utility>
#include <vector>

namespace sphaera::bench::exact_decisions {
namespace {

using exact::Counts, exact::Relative;

constexpr int rounds = 15;

/// Two spheres that tie, or in `a` a sphere that its line touches or starts on.
struct Tie {
  Relative a, b;
};

double coordinate(workload::Random& random) { return random.between(-100, 100); }

Relative random_sphere(workload::Random& random) {
  Relative r;
  for (int i = 0; i < 3; ++i) {
    r.offset[i] = {coordinate(random), coordinate(random)};
    r.direction[i] = {coordinate(random)};
  }
  r.radius = {1.5};
  return r;
}

/// The sphere and its line with the axes permuted cyclically: all distances stay the same.
Relative turned(const Relative& r) {
  Relative t = r;
  for (int i = 0; i < 3; ++i) t.offset[i] = r.offset[(i + 1) % 3], t.direction[i] = r.direction[(i + 1) % 3];
  return t;
}

Tie on_two_lines(workload::Random& random) {
  const Relative r = random_sphere(random);
  return {r, turned(r)};
}

Tie on_one_line(workload::Random& random) {
  Relative r = random_sphere(random);
  r.direction[0] = r.direction[1] = {};
  Relative mirrored = r;
  std::swap(mirrored.offset[0], mirrored.offset[1]);
  return {r, mirrored};
}

/// The line touches the sphere: it passes the center at the distance of the radius.
Tie tangent(workload::Random& random) {
  Relative r = random_sphere(random);
  r.radius = {coordinate(random), coordinate(random)};
  r.offset[0] = {r.radius[0], r.radius[1]};
  r.offset[2] = {};
  r.direction[0] = r.direction[2] = {};
  return {r, r};
}

/// The line starts on the surface of the sphere.
Tie on_surface(workload::Random& random) {
  Tie tie = tangent(random);
  tie.a.offset[1] = {};
  return tie;
}

struct Case {
  const char* name;
  Tie (*make)(workload::Random&);
  int (*decide)(const Tie&, Counts&);
};

constexpr Case cases[] = {
    {"distances", on_two_lines,
     [](const Tie& t, Counts& n) { return exact::later_stages::distances(t.a, t.b, n); }},
    {"entries_of_two_lines", on_two_lines,
     [](const Tie& t, Counts& n) { return exact::later_stages::entries(t.a, t.b, n); }},
    {"entries_of_one_line", on_one_line,
     [](const Tie& t, Counts& n) { return exact::later_stages::entries(t.a, t.b, n); }},
    {"discriminant", tangent,
     [](const Tie& t, Counts& n) { return exact::later_stages::discriminant(t.a, n); }},
    {"power", on_surface, [](const Tie& t, Counts& n) { return exact::later_stages::power(t.a, {0, 0}, n); }},
};

void decide(benchmark::State& state, const Case& c) {
  workload::Random random(1, workload::Purpose::sphere, 0);
  std::vector<Tie> ties(sized(100'000));
  for (Tie& tie : ties) tie = c.make(random);
  TimedArena arena(1, Clock::cpu);
  std::vector<double> seconds;
  Counts counts;
  std::size_t untied = 0;
  while (state.KeepRunning()) {
    counts = {};
    seconds.push_back(arena.seconds_of([&] {
      for (const Tie& tie : ties) untied += c.decide(tie, counts) != 0 ? 1 : 0;
    }));
    state.SetIterationTime(seconds.back());
  }
  if (untied > 0) return wrong(state, "ties are decided as different");
  if (counts.exact != ties.size()) return wrong(state, "double-double decided a tie");
  state.counters["ns"] = 1e9 * median(seconds) / static_cast<double>(ties.size());
}

bool register_decisions() {
  for (const Case& c : cases)
    register_rounds(std::string("exact_decisions/") + c.name, rounds,
                    [&c](benchmark::State& state) { decide(state, c); });
  return true;
}

[[maybe_unused]] const bool registered = register_decisions();

}  // namespace
}  // namespace sphaera::bench::exact_decisions
