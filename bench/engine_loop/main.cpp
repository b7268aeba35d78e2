/// \file sphaera_engine_loop: the frames of a game over a living crowd, by Sphaera and by peers. See its
/// --help.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <bench/engine_loop/heap_calls.hpp>
#include <bench/engine_loop/jobs.hpp>
#include <bench/engine_loop/world.hpp>
#include <bench/measure/median.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>

namespace sphaera::bench {
namespace {

constexpr const char* description =
    R"(A game's frames, 1/60 s apart: all people of a crowd walk, some are shot and come back elsewhere, and some shoot. A
shot meets nobody of the shooter's squad, and every other shot meets no bystanders. It is asked on job threads.

frame: milliseconds for taking over the new places and answering the shots; p50, p99, max over all frames.
update, shots: the medians of the two parts. heap: calls of the heap in a frame by the game's threads, the one that updates
and the job threads; the median, then the number of frames with any, then the number after the first 60, in which lists grow.
others: frames in which other threads call the heap, that of a build in the background and oneTBB's. wrong: answers that
differ from those of a new exact scene, in every 50th frame; wrong from inside: those of them where the shot starts inside
the person that it hits.

Sphaera: SceneBuffer; its shots see the crowd as it was up to 15 frames ago, as their shooters saw it, and its index is
built again in the background. Bullet: btCollisionWorld over btDbvtBroadphase, rayTest on one thread, which is all
that it allows. Embree: sphere points in floats, in an index that is built again in each frame (quality low). The last
two know no past: their shots see the crowd as it is now.
Ends with status 1 if Sphaera is wrong.)";

constexpr std::size_t shots_of_job = 256;  // shots that a thread takes at a time
constexpr std::ptrdiff_t growing = 60;     // frames in which lists grow to their sizes

struct Options {
  Game::Rules rules;
  std::size_t frames = 600;
  unsigned jobs = 2;
  bool pause = true;
};

/// Numbers of hits that differ from those of a new exact scene: all, and those of shots that start inside the
/// person.
struct WrongHits {
  std::uint64_t all = 0, inside = 0;
};

/// Milliseconds, heap calls and wrong hits of a world's frames.
struct Times {
  std::vector<double> update, shots, frame;
  std::vector<HeapCalls> heap_calls;
  WrongHits wrong;
  std::uint64_t checked = 0;
};

/// Where the people were in the last frames; counts the wrong hits of shots at them.
class Past {
 public:
  void add(const Game& game) {
    centers_.emplace_front(game.centers().begin(), game.centers().end());
    if (centers_.size() > game.rules().lags) centers_.pop_back();
  }
  void count_wrong(const Game& game, bool remembers, std::span<const std::int64_t> hits,
                   WrongHits& wrong) const {
    const std::span<const Shot> shots = game.shots();
    for (std::size_t lag = 0; lag < (remembers ? centers_.size() : 1); ++lag) {
      std::vector<Sphere> then(game.start().begin(), game.start().end());
      for (std::size_t i = 0; i < then.size(); ++i) then[i].center = centers_[lag][i];
      const Scene scene = Scene::build(then, {.layers = game.layers(), .owners = game.squads()});
      for (std::size_t i = 0; i < shots.size(); ++i) {
        if (remembers && shots[i].lag != lag) continue;
        const QueryOptions who{.layers = shots[i].layers, .ignore_owners = {&shots[i].squad, 1}};
        const Hit right = scene.first_hit(shots[i].ray, who);
        if (right.sphere == hits[i]) continue;
        ++wrong.all;
        if (right.contact == Contact::starts_inside) ++wrong.inside;
      }
    }
  }

 private:
  std::deque<std::vector<Vec3>> centers_;  // the latest frame first
};

/// Plays the game in a world.
Times play(const Options& options, std::unique_ptr<World> (*make)(const Game&, unsigned)) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  count_as_game();
  Game game(options.rules);
  const std::unique_ptr<World> world = make(game, options.jobs);
  Jobs jobs(std::min(options.jobs, world->max_jobs()));
  std::vector<std::int64_t> hits(options.rules.shots);
  std::atomic<std::size_t> asked{0};
  const auto shoot = [&](unsigned job) {
    for (std::size_t begin; (begin = asked.fetch_add(shots_of_job)) < hits.size();) {
      const std::size_t size = std::min(shots_of_job, hits.size() - begin);
      world->shoot(game, game.shots().subspan(begin, size), std::span(hits).subspan(begin, size), job);
    }
  };
  Times times;
  Past past;
  past.add(game);
  constexpr std::chrono::microseconds frame_time{16'667};
  Clock::time_point next = Clock::now();
  for (std::size_t i = 0; i < options.frames; ++i) {
    next = std::max(next + frame_time, Clock::now());
    if (options.pause) std::this_thread::sleep_until(next);
    game.advance();
    const HeapCalls before = heap_calls();
    const Clock::time_point start = Clock::now();
    world->advance(game);
    const double update = since(start);
    asked = 0;
    jobs.run(shoot);
    const double frame = since(start);
    const HeapCalls after = heap_calls();
    times.heap_calls.push_back({after.game - before.game, after.others - before.others});
    times.update.push_back(update), times.shots.push_back(frame - update), times.frame.push_back(frame);
    past.add(game);
    if (i % 50 != 49) continue;
    past.count_wrong(game, world->remembers(), hits, times.wrong);
    times.checked += hits.size();
  }
  return times;
}

void print(const char* name, const Times& times) {
  std::vector<double> calls;
  for (const HeapCalls& frame : times.heap_calls) calls.push_back(static_cast<double>(frame.game));
  const auto any = [](double n) { return n > 0; };
  const auto late = calls.begin() + std::min<std::ptrdiff_t>(growing, std::ssize(calls));
  const auto others =
      std::ranges::count_if(times.heap_calls, [](const HeapCalls& frame) { return frame.others > 0; });
  std::printf(
      "| %-7s | %6.2f | %6.2f | %6.2f | %6.2f | %6.2f | %5.0f | %td | %td | %td | %llu | %llu/%llu |\n", name,
      quantile(times.frame, 0.5), quantile(times.frame, 0.99), quantile(times.frame, 1),
      quantile(times.update, 0.5), quantile(times.shots, 0.5), quantile(calls, 0.5),
      std::ranges::count_if(calls, any), std::count_if(late, calls.end(), any), others,
      static_cast<unsigned long long>(times.wrong.inside), static_cast<unsigned long long>(times.wrong.all),
      static_cast<unsigned long long>(times.checked));
}

int run(int argc, const char** argv) {
  CLI::App app(description);
  Options options;
  double people = 1e5, shots = 1e4;
  std::vector<std::string> worlds{"Sphaera", "Bullet", "Embree"};
  app.add_option("--people", people, "people, one sphere each")->capture_default_str();
  app.add_option("--respawns", options.rules.respawns, "people who come back elsewhere, a frame")
      ->capture_default_str();
  app.add_option("--shots", shots, "shots a frame")->capture_default_str();
  app.add_option("--frames", options.frames, "frames")->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--jobs", options.jobs, "job threads")->capture_default_str()->check(CLI::Range(1u, 64u));
  app.add_option("--world", worlds, "who plays")->delimiter(',')->check(CLI::IsMember(worlds));
  app.add_flag("!--no-pause", options.pause, "begin each frame when the last one ends");
  CLI11_PARSE(app, argc, argv);
  options.rules.people = static_cast<std::uint64_t>(people);
  options.rules.shots = static_cast<std::size_t>(shots);

  std::printf("%.0f people, %zu respawns and %.0f shots a frame, %zu frames, %u job threads\n\n", people,
              options.rules.respawns, shots, options.frames, options.jobs);
  std::puts(
      "| ms a frame | p50 | p99 | longest | update | shots | heap calls | frames with any | late ones | "
      "frames "
      "with any elsewhere | wrong from inside | wrong |");
  std::puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  bool right = true;
  for (const std::string& name : worlds) {
    const auto make = name == "Sphaera"  ? make_sphaera_world
                      : name == "Bullet" ? make_bullet_physics_world
                                         : make_embree_world;
    const Times times = play(options, make);
    print(name.c_str(), times);
    std::fflush(stdout);
    if (name == "Sphaera") right = times.wrong.all == 0 && times.checked > 0;
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace sphaera::bench

int main(int argc, const char** argv) { return sphaera::bench::run(argc, argv); }
