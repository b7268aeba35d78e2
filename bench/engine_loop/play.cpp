#include <algorithm>
#include <atomic>
#include <bench/engine_loop/heap_calls.hpp>
#include <bench/engine_loop/jobs.hpp>
#include <bench/engine_loop/play.hpp>
#include <bench/measure/timing.hpp>
#include <chrono>
#include <thread>

namespace sphaera::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t check_every = 50;  // frames
constexpr std::size_t shares_of_job = 8, smallest_share = 16;

/// What has been used up to now.
struct Reading {
  double milliseconds = 0, processor = 0;
  std::uint64_t calls_of_game = 0, calls_of_others = 0;

  static Reading now() {
    const std::chrono::duration<double, std::milli> time = SteadyClock::now().time_since_epoch();
    const HeapCalls calls = heap_calls();
    return {time.count(), 1e3 * processor_time(), calls.game, calls.others};
  }
  Reading& operator+=(const Reading& other) {
    milliseconds += other.milliseconds, processor += other.processor;
    calls_of_game += other.calls_of_game, calls_of_others += other.calls_of_others;
    return *this;
  }
  Reading operator-(const Reading& before) const {
    return {milliseconds - before.milliseconds, processor - before.processor,
            calls_of_game - before.calls_of_game, calls_of_others - before.calls_of_others};
  }
};

void add(Measured& to, const Reading& used) {
  to.milliseconds.push_back(used.milliseconds), to.processor.push_back(used.processor);
  to.heap_calls.push_back(used.calls_of_game);
}

/// A game, the world in which it is played, and the threads that ask.
class Match {
 public:
  Match(const Options& options, MakeWorld make)
      : game_(options.rules),
        world_(make(game_, options.jobs)),
        jobs_(std::min(options.jobs, world_->max_jobs())),
        answers_(options.rules),
        checks_(game_) {}

  void play_frame(Played& played) {
    game_.walk();
    Reading frame;
    frame += measure(played, System::update, [&] { world_->update(game_); });
    if (world_->has(System::respawns))
      of(played, System::respawns).milliseconds.push_back(world_->milliseconds_of_respawns());
    if (world_->has(System::bridge))
      frame += measure(played, System::bridge, [&] { world_->update_bridge(); });
    game_.ask();
    for (const System system : asking_systems)
      if (world_->has(system)) frame += measure(played, system, [&] { ask(system); });
    add(played.frame, frame);
    played.frames_with_other_heap_calls += frame.calls_of_others > 0;
    checks_.remember();
    if (game_.frame() % check_every == 0) checks_.check(*world_, answers_, played.answers);
    if (world_->has(System::grenades)) game_.follow_grenades(answers_.ends);
    played.worst_degradation = world_->worst_degradation();
  }

 private:
  template <class Work>
  static Reading measure(Played& played, System system, const Work& work) {
    const Reading before = Reading::now();
    work();
    const Reading used = Reading::now() - before;
    add(of(played, system), used);
    return used;
  }
  static Measured& of(Played& played, System system) { return played.systems[index_of(system)]; }

  /// All questions of a system, on all job threads: each takes the next share until none is left.
  void ask(System system) {
    const std::size_t size = game_.questions().size(system);
    const std::size_t share = std::max(smallest_share, size / (shares_of_job * jobs_.size()) + 1);
    std::atomic<std::size_t> asked{0};
    jobs_.run([&](unsigned job) {
      for (std::size_t begin; (begin = asked.fetch_add(share)) < size;)
        world_->answer(system, game_.questions(), {begin, std::min(share, size - begin)}, answers_, job);
    });
  }

  Game game_;
  std::unique_ptr<World> world_;
  Jobs jobs_;
  Answers answers_;
  Checks checks_;
};

}  // namespace

Played play(const Options& options, MakeWorld make) {
  constexpr std::chrono::microseconds frame_time{16'667};
  count_as_game();
  Match match(options, make);
  Played played;
  SteadyClock::time_point next = SteadyClock::now();
  for (std::size_t i = 0; i < options.frames; ++i) {
    next = std::max(next + frame_time, SteadyClock::now());
    if (options.pause) std::this_thread::sleep_until(next);
    match.play_frame(played);
  }
  return played;
}

}  // namespace sphaera::bench
