/// \file A living scene that is queried while it changes: times of changes through a SceneBuffer, compared
/// with those of a Scene.

#include <benchmark/benchmark.h>

#include <bench/measure/median.hpp>
#include <bench/measure/timing.hpp>
#include <bench/measure/walking_crowd.hpp>
#include <bench/suite_size.hpp>
#include <functional>
#include <sphaera/sphaera.hpp>
#include <string>
#include <vector>

namespace sphaera::bench::living_buffer {
namespace {

constexpr std::size_t kept = 8, replaced = 50;
constexpr int frames = 100;
const UpdateOptions refit{.rebuild = UpdateOptions::Rebuild::never};

using Ids = std::vector<std::int64_t>;
using Edit = std::function<void(Scene&)>;  ///< one change of a scene

/// People who leave, and newcomers elsewhere who take their ids.
struct Replacement {
  Ids ids;
  std::vector<Sphere> strangers;

  explicit Replacement(People& people) {
    for (std::size_t i = 0; i < replaced; ++i) ids.push_back(static_cast<std::int64_t>(people.anyone()));
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const std::int64_t id : ids) {
      const auto i = static_cast<std::size_t>(id);
      people.put(i, people.elsewhere());
      strangers.push_back({people.centers()[i], people.start()[i].radius});
    }
  }
  void apply(Scene& scene) const {
    scene.erase(ids, refit);
    scene.insert(strangers, {.update = refit});
  }
};

/// Times of one kind of change: of a Scene, of a buffer that keeps no past, and of one that keeps `kept`
/// snapshots.
struct Times {
  std::vector<double> scene, buffer, keeping;

  void report(benchmark::State& state, const std::string& name) const {
    const double ms = 1e3 * median(scene);
    state.counters[name + "_ms"] = ms;
    state.counters["x_" + name] = 1e3 * median(buffer) / ms;
    state.counters["x_" + name + "_max"] = 1e3 * quantile(buffer, 1) / ms;
    state.counters["x_" + name + "_keep"] = 1e3 * median(keeping) / ms;
  }
};

/// A Scene, a buffer without a past and a buffer that keeps `kept` snapshots, which undergo the same changes.
class Lives {
 public:
  Lives(std::uint64_t n, int threads)
      : people_(n),
        arena_(threads, Clock::cpu),
        scene_(Scene::build(people_.start())),
        buffer_(people_.start()),
        keeping_(people_.start(), {}, {.keep = kept}) {}

  People& people() { return people_; }
  double seconds_of(const std::function<void()>& work) { return arena_.seconds_of(work); }
  /// Milliseconds of a build.
  double build_ms() {
    return 1e3 * arena_.seconds_of([&] { (void)Scene::build(people_.start()); });
  }
  /// Milliseconds of a buffer's first change, for which it copies the scene into new memory.
  double first_ms() {
    people_.walk();
    return 1e3 * arena_.seconds_of([&] { buffer_.update(people_.centers(), {}, refit); });
  }
  /// Milliseconds of a change for which the buffer copies the scene into memory that it has used before.
  double copy_ms() {
    std::vector<double> seconds;
    for (int i = 0; i < 9; ++i) {
      buffer_.adopt(Scene::build(scene_.spheres()));
      seconds.push_back(arena_.seconds_of([&] { buffer_.set_layers(Ids{0}, std::vector<std::uint8_t>{0}); }));
    }
    return 1e3 * median(seconds);
  }
  /// Times of the change that `draw` returns for each frame.
  Times run(const std::function<Edit()>& draw) {
    return times_of([&] {
      const Edit edit = draw();
      return FrameSeconds{arena_.seconds_of([&] { edit(scene_); }),
                          arena_.seconds_of([&] { buffer_.change(edit); }),
                          arena_.seconds_of([&] { keeping_.change(edit); })};
    });
  }
  /// As `run`, but all people move before each change; the time includes this update.
  Times walk(const std::function<Edit()>& draw) {
    return times_of([&] {
      people_.walk();
      const Edit edit = draw();
      const std::span<const Vec3> centers = people_.centers();
      return FrameSeconds{arena_.seconds_of([&] { scene_.update(centers, {}, refit), edit(scene_); }),
                          arena_.seconds_of([&] { buffer_.update(centers, {}, refit, edit); }),
                          arena_.seconds_of([&] { keeping_.update(centers, {}, refit, edit); })};
    });
  }
  bool agree() const {
    const HugeVector<Ray> rays =
        make_rays({workload::Kind::crowd, people_.start().size()}, sized(20'000), Order::random, people_seed);
    const std::vector<std::uint8_t> expected = scene_.blocked(rays);
    return buffer_.current()->blocked(rays) == expected && keeping_.current()->blocked(rays) == expected;
  }

 private:
  struct FrameSeconds {
    double scene, buffer, keeping;
  };

  /// Times of `frames` frames, each measured by frame(). The first `kept` + 4 frames do not count, so that no
  /// memory is new.
  template <class Frame>
  static Times times_of(const Frame& frame) {
    Times times;
    for (int i = -static_cast<int>(kept) - 4; i < frames; ++i) {
      const FrameSeconds seconds = frame();
      if (i < 0) continue;
      times.scene.push_back(seconds.scene);
      times.buffer.push_back(seconds.buffer);
      times.keeping.push_back(seconds.keeping);
    }
    return times;
  }

  People people_;
  TimedArena arena_;
  Scene scene_;
  SceneBuffer buffer_, keeping_;
};

void live(benchmark::State& state, std::uint64_t n, int threads) {
  for (auto _ : state) {
    Lives lives(sized(n), threads);
    People& people = lives.people();
    state.counters["build_ms"] = lives.build_ms();
    state.counters["first_ms"] = lives.first_ms();
    const auto nothing = []() -> Edit { return [](Scene&) {}; };
    const auto replace = [&]() -> Edit {
      return [edit = Replacement(people)](Scene& scene) { edit.apply(scene); };
    };
    lives.walk(nothing).report(state, "walk");
    lives.run(replace).report(state, "replace");
    lives.walk(replace).report(state, "walk_replace");
    lives
        .run([&]() -> Edit {
          people.walk();
          return [&people, edit = Replacement(people)](Scene& scene) {
            edit.apply(scene);
            scene.update(people.centers(), {}, refit);
          };
        })
        .report(state, "replace_walk");
    if (!lives.agree()) wrong(state, "a buffer answers otherwise than a scene");
    state.counters["copy_ms"] = lives.copy_ms();
  }
}

bool register_lives() {
  for (const std::uint64_t n : {100'000, 1'000'000})
    for (const int threads : {1, 2}) {
      const std::string name =
          "buffer/" + label({workload::Kind::crowd, n}) + "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { live(state, n, threads); })
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}

[[maybe_unused]] const bool registered = register_lives();

}  // namespace
}  // namespace sphaera::bench::living_buffer
