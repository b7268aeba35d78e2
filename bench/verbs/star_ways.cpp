/// \file Rays that share an end point at a star, or the direction of a star at infinity. Compares the index
/// of the star (kept from earlier batches, built in the same call, or not used) and the peers, in turns, on
/// the same rays in random order.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/measure/engine.hpp>
#include <bench/measure/median.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <functional>
#include <sphaera/sphaera.hpp>
#include <string>
#include <vector>
#include <workload/workload.hpp>

namespace sphaera::bench {
namespace {

constexpr std::uint64_t seed = 1;

/// One way to answer, its answers and times.
template <class Answer>
struct Method {
  const char* name;
  std::function<void()> prepare;  ///< not timed
  std::function<void(std::span<const Ray>, std::span<Answer>)> answer;
  bool exact = true;
  std::vector<Answer> answers{};
  std::vector<double> seconds{};
};

bool agree(std::uint8_t a, std::uint8_t b) { return a == b; }
bool agree(const Hit& a, const Hit& b) { return a.sphere == b.sphere; }

/// True if the exact methods have the answers of methods[2], which uses no star's index.
template <class Answer>
bool all_agree(std::span<const Method<Answer>> methods, benchmark::State& state) {
  for (const auto& method : methods)
    if (method.exact && !std::ranges::equal(method.answers, methods[2].answers,
                                            [](const Answer& a, const Answer& b) { return agree(a, b); })) {
      wrong(state, std::string(method.name) + " has another answer");
      return false;
    }
  return true;
}

template <class Answer>
void put_times(std::span<const Method<Answer>> methods, benchmark::State& state) {
  for (const auto& method : methods)
    state.counters[std::string(method.name) + "_ns"] =
        1e9 * median(method.seconds) / static_cast<double>(method.answers.size());
  const auto times = [&](std::size_t other, std::size_t own) {
    return median_ratio(methods[other].seconds, methods[own].seconds);
  };
  state.counters["x_builtin"] = times(4, 0), state.counters["x_naive"] = times(3, 0);
  state.counters["x_builtin_with_build"] = times(4, 1), state.counters["x_naive_with_build"] = times(3, 1);
  state.counters["x_in_space"] = times(2, 0), state.counters["x_in_space_with_build"] = times(2, 1);
}

struct Setup {
  workload::Kind kind;
  std::uint64_t spheres;
  bool at_infinity;
  int threads;
};

/// Rays to the star; from the same places in one direction, if the star is at infinity.
HugeVector<Ray> rays_of(const SceneSpec& spec, bool at_infinity, std::size_t count) {
  HugeVector<Ray> rays = make_rays(spec, count, Order::random, seed);
  if (at_infinity)
    for (Ray& ray : rays) ray = {ray.origin, {0.3, 0.2, 0.9}};
  return rays;
}

template <class Answer, class Ask, class AskPeer>
void measure(benchmark::State& state, const Setup& setup, const Ask& ask, const AskPeer& ask_peer) {
  const std::size_t ways = sized(1'000'000);
  const SceneSpec spec{setup.kind, sized(setup.spheres)};
  const HugeVector<Sphere> bodies = make_spheres(spec, seed);
  const HugeVector<Ray> rays = rays_of(spec, setup.at_infinity, ways);
  TimedArena arena(setup.threads, Clock::cpu);
  Scene kept = Scene::build(bodies), fresh = Scene::build(bodies), none = Scene::build(bodies);
  const auto naive = make_naive(), builtin = make_builtin();
  naive->build(bodies), builtin->build(bodies);
  const std::vector<std::int64_t> one{0};
  const auto drop = [&] { fresh.set_radii(one, std::vector{bodies[0].radius}); };
  const auto nothing = [] {};
  Scratch scratch;              // a batch with a Scratch builds no star index
  std::vector<StarIndex> held;  // for a star at infinity: batches of rays do not build its index
  const auto hold = [&](const Scene& scene) {
    if (setup.at_infinity) held.assign(1, scene.star_index(Star::at_infinity(rays[0].direction, 0)));
  };
  const auto ours = [&](const Scene& scene, bool in_space, const std::function<void()>& before = {}) {
    return [&, in_space, before](std::span<const Ray> asked, std::span<Answer> out) {
      if (before) before();
      QueryOptions options{.scratch = in_space ? &scratch : nullptr};
      if (!in_space) options.star_indexes = held;
      ask(scene, asked, out, options);
    };
  };
  const auto peer = [&](const Engine& engine) {
    return [&](std::span<const Ray> asked, std::span<Answer> out) { ask_peer(engine, asked, out); };
  };
  Method<Answer> methods[] = {{"kept", [&] { hold(kept); }, ours(kept, false)},
                              {"with_build", drop, ours(fresh, false, [&] { hold(fresh); })},
                              {"in_space", nothing, ours(none, true)},
                              {"naive", nothing, peer(*naive)},
                              {"builtin", nothing, peer(*builtin), false}};
  for (auto& method : methods) {
    method.answers.resize(ways);
    method.prepare();
    arena.seconds_of([&] { method.answer(rays, method.answers); });  // warm-up; builds the index for "kept"
  }
  while (state.KeepRunning()) {
    for (auto& method : methods) {
      method.prepare();
      method.seconds.push_back(arena.seconds_of([&] { method.answer(rays, method.answers); }));
    }
    state.SetIterationTime(methods[0].seconds.back());
  }
  if (!all_agree<Answer>(methods, state)) return;
  put_times<Answer>(methods, state);
  hold(kept);
  const std::uint64_t bytes = setup.at_infinity ? held[0].bytes() : kept.info().star_index_bytes;
  state.counters["bytes_a_body"] = static_cast<double>(bytes) / static_cast<double>(bodies.size());
}

void blocked(benchmark::State& state, const Setup& setup) {
  measure<std::uint8_t>(
      state, setup,
      [](const Scene& scene, std::span<const Ray> rays, std::span<std::uint8_t> out,
         const QueryOptions& options) { scene.blocked(rays, out, options); },
      [](const Engine& engine, std::span<const Ray> rays, std::span<std::uint8_t> out) {
        engine.blocked(rays, out);
      });
}
void first_hit(benchmark::State& state, const Setup& setup) {
  measure<Hit>(
      state, setup,
      [](const Scene& scene, std::span<const Ray> rays, std::span<Hit> out, const QueryOptions& options) {
        scene.first_hit(rays, out, options);
      },
      [](const Engine& engine, std::span<const Ray> rays, std::span<Hit> out) {
        engine.first_hit(rays, out);
      });
}

void add(const Setup& setup) {
  const std::string spec = std::string(setup.at_infinity ? "/parallel/" : "/") +
                           label({setup.kind, setup.spheres}) + "/threads:" + std::to_string(setup.threads);
  for (const auto& [name, run] :
       {std::pair{"star_ways/blocked", &blocked}, std::pair{"star_ways/first_hit", &first_hit}})
    benchmark::RegisterBenchmark((name + spec).c_str(),
                                 [=, run = run](benchmark::State& state) { run(state, setup); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

bool register_all() {
  for (const std::uint64_t n : {10'000, 100'000, 1'000'000})
    for (const int threads : {1, 2})
      for (const bool at_infinity : {false, true}) add({workload::Kind::hard_belt, n, at_infinity, threads});
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::uniform})
    add({kind, 1'000'000, true, 1});
  return true;
}

[[maybe_unused]] const bool registered = register_all();

}  // namespace
}  // namespace sphaera::bench
