/// \file Rays that share an end point at a star, or the direction of a star at infinity. Compares the index
/// of the star (kept from earlier batches, built in the same call, or not used) and the peers, each in the
/// fastest of its ways, in turns, on the same rays in random order.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/measure/measure.hpp>
#include <bench/measure/median.hpp>
#include <bench/suite_size.hpp>
#include <functional>
#include <sphaera/sphaera.hpp>
#include <string>
#include <tools/workload/workload.hpp>
#include <vector>

namespace sphaera::bench::star_ways {
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

/// The places of the methods in the list of `measure`.
struct MethodIndex {
  enum : std::size_t { kept, with_build, scene_index, naive, builtin };
};

bool agree(std::uint8_t a, std::uint8_t b) { return a == b; }
bool agree(const Hit& a, const Hit& b) { return a.sphere == b.sphere; }

/// True if the exact methods have the answers of the scene's index, without that of a star.
template <class Answer>
bool all_agree(std::span<const Method<Answer>> methods, benchmark::State& state) {
  for (const auto& method : methods)
    if (method.exact && !std::ranges::equal(method.answers, methods[MethodIndex::scene_index].answers,
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
  using Index = MethodIndex;
  const auto times = [&](std::size_t other, std::size_t own) {
    return median_ratio(methods[other].seconds, methods[own].seconds);
  };
  state.counters["x_builtin"] = times(Index::builtin, Index::kept);
  state.counters["x_naive"] = times(Index::naive, Index::kept);
  state.counters["x_builtin_with_build"] = times(Index::builtin, Index::with_build);
  state.counters["x_naive_with_build"] = times(Index::naive, Index::with_build);
  state.counters["x_in_space"] = times(Index::scene_index, Index::kept);
  state.counters["x_in_space_with_build"] = times(Index::scene_index, Index::with_build);
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
void measure(benchmark::State& state, const Setup& setup, Query query, const Ask& ask,
             const AskPeer& ask_peer) {
  const std::size_t count = sized(1'000'000);
  const SceneSpec spec{setup.kind, sized(setup.spheres)};
  const HugeVector<Sphere> bodies = make_spheres(spec, seed);
  const HugeVector<Ray> rays = rays_of(spec, setup.at_infinity, count);
  TimedArena arena(setup.threads, Clock::cpu);
  Scene kept = Scene::build(bodies), fresh = Scene::build(bodies), unindexed = Scene::build(bodies);
  const auto naive = make_naive(), builtin = make_builtin();
  naive->build(bodies), builtin->build(bodies);
  const std::vector<std::int64_t> one{0};
  const auto drop_index = [&] { fresh.set_radii(one, std::vector{bodies[0].radius}); };
  Scratch scratch;                   // a batch with a Scratch builds no viewpoint index
  std::vector<ViewpointIndex> held;  // for a star at infinity: batches of rays do not build its index
  const auto hold = [&](const Scene& scene) {
    if (setup.at_infinity) held.assign(1, scene.viewpoint_index(Star::at_infinity(rays[0].direction, 0)));
  };
  const auto ours = [&](const Scene& scene, bool by_scene_index, const std::function<void()>& before = {}) {
    return [&, by_scene_index, before](std::span<const Ray> asked, std::span<Answer> out) {
      if (before) before();
      QueryOptions options{.scratch = by_scene_index ? &scratch : nullptr};
      if (!by_scene_index) options.viewpoint_indexes = held;
      ask(scene, asked, out, options);
    };
  };
  const auto peer = [&](const Engine& engine) {
    return [&, best = at_its_best(engine, query, rays, true, arena)](
               std::span<const Ray> asked, std::span<Answer> out) { ask_peer(*best.engine, asked, out); };
  };
  // In the order of MethodIndex.
  Method<Answer> methods[] = {{"kept", [&] { hold(kept); }, ours(kept, false)},
                              {"with_build", drop_index, ours(fresh, false, [&] { hold(fresh); })},
                              {"in_space", [] {}, ours(unindexed, true)},
                              {"naive", [] {}, peer(*naive)},
                              {"builtin", [] {}, peer(*builtin), false}};
  for (auto& method : methods) {
    method.answers.resize(count);
    method.prepare();
    arena.seconds_of([&] { method.answer(rays, method.answers); });  // warm-up; builds the index for "kept"
  }
  while (state.KeepRunning()) {
    for (auto& method : methods) {
      method.prepare();
      method.seconds.push_back(arena.seconds_of([&] { method.answer(rays, method.answers); }));
    }
    state.SetIterationTime(methods[MethodIndex::kept].seconds.back());
  }
  if (!all_agree<Answer>(methods, state)) return;
  put_times<Answer>(methods, state);
  hold(kept);
  const std::uint64_t bytes = setup.at_infinity ? held[0].bytes() : kept.info().viewpoint_index_bytes;
  state.counters["bytes_a_body"] = static_cast<double>(bytes) / static_cast<double>(bodies.size());
}

void blocked(benchmark::State& state, const Setup& setup) {
  measure<std::uint8_t>(
      state, setup, Query::blocked,
      [](const Scene& scene, std::span<const Ray> rays, std::span<std::uint8_t> out,
         const QueryOptions& options) { scene.blocked(rays, out, options); },
      [](const Engine& engine, std::span<const Ray> rays, std::span<std::uint8_t> out) {
        engine.blocked(rays, out);
      });
}
void first_hit(benchmark::State& state, const Setup& setup) {
  measure<Hit>(
      state, setup, Query::first_hit,
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
                                 [setup, ways = run](benchmark::State& state) { ways(state, setup); })
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
}  // namespace sphaera::bench::star_ways
