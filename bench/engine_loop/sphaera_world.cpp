#include <algorithm>
#include <bench/engine_loop/wall_level.hpp>
#include <bench/engine_loop/world.hpp>
#include <chrono>
#include <sphaera/scene_buffer.hpp>
#include <utility>

namespace sphaera::bench {
namespace {

constexpr UpdateOptions::Rebuild rebuild = UpdateOptions::Rebuild::in_background;

/// Working memory of one thread. It stays from frame to frame, so that no query calls the heap.
struct Job {
  Scratch scratch;
  std::vector<Hit> hits;
  ImpactLists impacts;
  NeighborLists neighbors;
  std::vector<std::uint32_t> owners;  // of `neighbors`
  std::vector<std::uint64_t> seen;    // for each person the number of the last list with that person
  std::uint64_t lists = 0;

  /// Writes the owners in the order in which they come first, as far as there is room; returns how many there
  /// are.
  std::size_t distinct(std::span<const std::uint32_t> of_list, std::span<std::uint32_t> out) {
    ++lists;
    std::size_t count = 0;
    for (const std::uint32_t owner : of_list) {
      if (std::exchange(seen[owner], lists) == lists) continue;
      if (count < out.size()) out[count] = owner;
      ++count;
    }
    return count;
  }
};

/// A SceneBuffer: each shot is tested against the snapshot that its shooter saw, on any thread. Other
/// questions are about the current one.
class SphaeraWorld final : public World {
 public:
  SphaeraWorld(const Game& game, unsigned jobs)
      : buffer_(game.bodies().start(), {.layers = game.layers(), .owners = game.bodies().owners()},
                {.keep = Rules::lags}),
        now_(buffer_.current()),
        level_(game.rules().people),
        jobs_(jobs),
        ids_(game.rules().respawns * game.bodies().size_of_person()) {
    for (Job& job : jobs_) {
      job.seen.resize(game.rules().people);
      job.impacts.items.reserve(game.rules().grenades * (grenade_flight().bounces + 1));
    }
    level_.follow(now_);
  }

  bool remembers() const override { return true; }
  bool has(System) const override { return true; }
  double worst_degradation() const override { return worst_degradation_; }
  double milliseconds_of_respawns() const override { return respawn_time_.count(); }

  void update(const Game& game) override {
    const UpdateResult result = buffer_.update(game.bodies().centers(), {}, {.rebuild = rebuild},
                                               [&](Scene& scene) { respawn(scene, game); });
    worst_degradation_ = std::max(worst_degradation_, result.degradation);
    now_ = buffer_.current();
  }
  void update_bridge() override { level_.follow(now_); }

  void answer(System system, const Questions& questions, Range range, Answers& answers,
              unsigned job) override {
    switch (system) {
      case System::shots:
        return shoot(questions.shots, range, answers, jobs_[job]);
      case System::sights:
        return look(questions.sights, range, answers, jobs_[job]);
      case System::grenades:
        return fly(questions.grenades, range, answers, jobs_[job]);
      case System::nearest:
        return find_nearest(questions.nearest, range, answers, jobs_[job]);
      case System::interest:
        return find_interest(questions.interest, range, answers, jobs_[job]);
      case System::walls:
        return shoot_among_walls(questions.walls, range, answers, jobs_[job]);
      default:
        return;
    }
  }

 private:
  void respawn(Scene& scene, const Game& game) {
    const auto start = std::chrono::steady_clock::now();
    const UpdateOptions options{.rebuild = rebuild};
    scene.erase(game.gone(), options);
    scene.insert(game.born(), std::span(ids_).first(game.born().size()),
                 {.layers = game.born_layers(), .owners = game.born_owners(), .update = options});
    respawn_time_ = std::chrono::steady_clock::now() - start;
  }

  /// Shots of one lag after the other: each lag is one batch.
  void shoot(const Shots& shots, Range range, Answers& answers, Job& job) const {
    job.hits.resize(range.size);
    for (std::size_t begin = range.begin, end = begin; begin < range.begin + range.size; begin = end) {
      while (end < range.begin + range.size && shots.lags[end] == shots.lags[begin]) ++end;
      const Range batch{begin, end - begin};
      const std::span hits = std::span(job.hits).first(batch.size);
      buffer_.past(shots.lags[begin])
          ->first_hit(batch.of(shots.rays), hits,
                      {.layers_each = batch.of(shots.layers),
                       .ignore_owners = batch.of(shots.shooters),
                       .threads = 1,
                       .scratch = &job.scratch});
      std::ranges::transform(hits, batch.of(answers.shots).begin(), &Hit::sphere);
    }
  }

  void look(const Sights& sights, Range range, Answers& answers, Job& job) const {
    now_->blocked(range.of(sights.lines), range.of(answers.blocked),
                  {.ignore_owners = range.of(sights.lookers),
                   .threads = 1,
                   .scratch = &job.scratch,
                   .also_ignore_owners = range.of(sights.targets)});
  }

  void fly(const Grenades& grenades, Range range, Answers& answers, Job& job) const {
    FlightOptions flight = grenade_flight();
    flight.ends = range.of(answers.ends);
    now_->all_impacts(range.of(grenades.bullets), job.impacts, flight,
                      {.ignore_owners = range.of(grenades.throwers), .threads = 1, .scratch = &job.scratch});
    const std::span struck = range.of(answers.struck);
    for (std::size_t i = 0; i < range.size; ++i)
      struck[i] = job.impacts[i].empty() ? -1 : job.impacts[i].front().sphere;
  }

  void find_nearest(const Nearest& nearest, Range range, Answers& answers, Job& job) const {
    const std::span neighbors = range.of(answers.neighbors, Rules::neighbors);
    now_->nearest(range.of(nearest.points), Rules::neighbors, neighbors,
                  {.layers = people_layers,
                   .ignore_owners = range.of(nearest.askers),
                   .threads = 1,
                   .scratch = &job.scratch});
    now_->owners_of(neighbors, range.of(answers.owners, Rules::neighbors));
  }

  void find_interest(const Interest& interest, Range range, Answers& answers, Job& job) const {
    now_->neighbors_within(range.of(interest.balls), job.neighbors,
                           {.layers = people_layers,
                            .ignore_owners = range.of(interest.askers),
                            .threads = 1,
                            .scratch = &job.scratch});
    const NeighborLists& lists = job.neighbors;
    job.owners.resize(lists.items.size());
    now_->owners_of(lists.items, job.owners);
    const std::span names = range.of(answers.names, Rules::interest_names);
    for (std::size_t i = 0; i < range.size; ++i)
      answers.people_near[range.begin + i] =
          job.distinct(std::span(job.owners).subspan(lists.offsets[i], lists[i].size()),
                       names.subspan(i * Rules::interest_names, Rules::interest_names));
  }

  void shoot_among_walls(const WallShots& shots, Range range, Answers& answers, Job& job) const {
    job.hits.resize(range.size);
    level_.first(range.of(shots.rays), range.of(shots.shooters), job.hits, range.of(answers.walls));
  }

  SceneBuffer buffer_;
  std::shared_ptr<const Scene> now_;
  WallLevel level_;
  std::vector<Job> jobs_;
  std::vector<std::int64_t> ids_;
  double worst_degradation_ = 1;
  std::chrono::duration<double, std::milli> respawn_time_{};
};

}  // namespace

std::unique_ptr<World> make_sphaera_world(const Game& game, unsigned jobs) {
  return std::make_unique<SphaeraWorld>(game, jobs);
}

}  // namespace sphaera::bench
