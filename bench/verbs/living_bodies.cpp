/// \file A living scene of people who are several spheres each, on flat ground or on a planet. In every frame
/// all walk, some jump to other places, and some are erased and inserted elsewhere.

#include <bench/measure/bodies.hpp>
#include <bench/verbs/living.hpp>

namespace sphaera::bench::living::bodies {
namespace {

/// What a row of the table measures. In every frame `jumps` people jump by `update`, and `replaced` ones are
/// erased and inserted elsewhere.
struct Life {
  std::uint64_t people;
  int parts;
  bool on_planet;
  int jumps, replaced;
  UpdateOptions::Rebuild rebuild;
  int frames;
  bool with_owners = true;
};

class LivingScene {
 public:
  explicit LivingScene(const Life& life, std::uint64_t people)
      : life_(life),
        bodies_(people, life.parts, life.on_planet),
        scene_(Scene::build(bodies_.start(),
                            life.with_owners ? BuildOptions{.owners = bodies_.owners()} : BuildOptions{})) {}

  /// All walk, some jump or are chosen to be replaced. Not measured.
  void prepare() {
    bodies_.walk();
    for (int i = 0; i < life_.jumps; ++i) bodies_.jump(bodies_.anyone());
    chosen_.clear(), ids_.clear(), strangers_.clear(), owners_.clear();
    for (int i = 0; i < life_.replaced; ++i) chosen_.push_back(bodies_.anyone());
    std::ranges::sort(chosen_);
    chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
    for (const std::size_t person : chosen_) {
      bodies_.jump(person), bodies_.add_ids(person, ids_);
      // insert uses the ids again, ascending
      bodies_.add_spheres(person, bodies_.center(person), strangers_, owners_);
    }
    back_.resize(ids_.size());
  }
  /// The changes of a frame. True if the index was built anew.
  bool change() {
    const UpdateOptions options{.rebuild = life_.rebuild};
    if (!ids_.empty()) {
      scene_.erase(ids_, options);
      InsertOptions insertion{.update = options};
      if (life_.with_owners) insertion.owners = owners_;
      scene_.insert(strangers_, back_, insertion);
    }
    const UpdateResult result = scene_.update(bodies_.centers(), {}, options);
    worst_ = std::max(worst_, result.degradation);
    return result.rebuilt;
  }

  const Scene& scene() const { return scene_; }
  double worst_degradation() const { return worst_; }

 private:
  const Life& life_;
  Bodies bodies_;
  Scene scene_;
  std::vector<std::size_t> chosen_;
  std::vector<std::int64_t> ids_, back_;
  std::vector<Sphere> strangers_;
  std::vector<std::uint32_t> owners_;
  double worst_ = 1;
};

void live(benchmark::State& state, const Life& life) {
  const std::uint64_t people = sized(life.people);
  TimedArena arena(2, Clock::wall);
  std::vector<double> seconds, processor_seconds;
  std::size_t rebuilds = 0;
  double slower = 0, worst = 1;
  for (auto _ : state) {
    LivingScene living(life, people);
    each_frame(life.frames, people > tiny, [&](int) {
      living.prepare();
      const double before = processor_time();
      seconds.push_back(arena.seconds_of([&] { rebuilds += living.change(); }));
      processor_seconds.push_back(processor_time() - before);
    });
    slower = slowdown(living.scene(), people, state);
    worst = living.worst_degradation();
  }
  count_frames(state, seconds);
  state.counters["cpu_ms"] = 1e3 * median(processor_seconds);
  state.counters["rebuilds"] = static_cast<double>(rebuilds);
  state.counters["x_first_hit"] = slower;
  state.counters["degradation"] = worst;
}

std::string name_of(const Life& life) {
  std::string name = "living/bodies/" + short_number(life.people) + 'x' + std::to_string(life.parts);
  name += life.on_planet ? "/planet" : "/flat";
  if (life.replaced > 0) name += "/replaced:" + std::to_string(life.replaced);
  name += "/jumps:" + std::to_string(life.jumps);
  if (life.rebuild == UpdateOptions::Rebuild::in_background) name += "/background";
  if (!life.with_owners) name += "/no_owners";
  return name + "/frames:" + std::to_string(life.frames);
}

void add(const Life& life) {
  register_once(name_of(life), [=](benchmark::State& state) { live(state, life); });
}

bool register_lives() {
  constexpr auto when_degraded = UpdateOptions::Rebuild::when_degraded,
                 in_background = UpdateOptions::Rebuild::in_background;
  constexpr int frames = 120, many_frames = 600;
  constexpr std::pair<std::uint64_t, int> crowds[] = {
      {150'000, 1}, {50'000, 3}, {20'000, 10}, {5'000, 30}, {200'000, 1}};
  for (const auto& [people, parts] : crowds) {
    for (const bool planet : {false, true}) {
      for (const int jumps : {0, 50, 500}) add({people, parts, planet, jumps, 0, when_degraded, frames});
      add({people, parts, planet, 50, 0, in_background, frames});
      add({people, parts, planet, 2, 150, when_degraded, frames});
      add({people, parts, planet, 2, 150, in_background, frames});
      if (parts != 3) continue;
      add({people, parts, planet, 50, 0, when_degraded, frames, false});
      add({people, parts, planet, 1, 0, when_degraded, frames});
      for (const auto rebuild : {when_degraded, in_background}) {
        add({people, parts, planet, 50, 0, rebuild, many_frames});
        add({people, parts, planet, 2, 150, rebuild, many_frames});
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_lives();

}  // namespace
}  // namespace sphaera::bench::living::bodies
