#include <bench/engine_loop/world.hpp>
#include <sphaera/scene_buffer.hpp>

namespace sphaera::bench {
namespace {

/// A SceneBuffer: each shot is tested against the snapshot that its shooter saw, on any thread.
class SphaeraWorld final : public World {
 public:
  SphaeraWorld(const Game& game, unsigned jobs)
      : buffer_(game.start(), {.layers = game.layers(), .owners = game.squads()},
                {.keep = game.rules().lags}),
        jobs_(jobs),
        ids_(game.rules().respawns) {}

  bool remembers() const override { return true; }

  void advance(const Game& game) override {
    constexpr auto in_background = UpdateOptions::Rebuild::in_background;
    buffer_.update(game.centers(), {}, {.rebuild = in_background},
                   [&](Scene& scene) { respawn(scene, game); });
  }

  void shoot(const Game&, std::span<const Shot> shots, std::span<std::int64_t> hits, unsigned job) override {
    for (std::size_t begin = 0, end = 0; begin < shots.size(); begin = end) {
      while (end < shots.size() && shots[end].lag == shots[begin].lag) ++end;
      const std::shared_ptr<const Scene> then = buffer_.past(shots[begin].lag);
      jobs_[job].ask(*then, shots.subspan(begin, end - begin), hits.subspan(begin, end - begin));
    }
  }

 private:
  /// Working memory of one thread.
  struct Job {
    std::vector<Ray> rays;
    std::vector<std::int64_t> squads;
    std::vector<LayerMask> layers;
    std::vector<Hit> hits;
    Scratch scratch;

    void ask(const Scene& scene, std::span<const Shot> shots, std::span<std::int64_t> found) {
      rays.clear(), squads.clear(), layers.clear(), hits.resize(shots.size());
      for (const Shot& shot : shots)
        rays.push_back(shot.ray), squads.push_back(shot.squad), layers.push_back(shot.layers);
      scene.first_hit(rays, hits,
                      {.layers_each = layers, .ignore_owners = squads, .threads = 1, .scratch = &scratch});
      for (std::size_t i = 0; i < hits.size(); ++i) found[i] = hits[i].sphere;
    }
  };

  void respawn(Scene& scene, const Game& game) {
    const UpdateOptions in_background{.rebuild = UpdateOptions::Rebuild::in_background};
    scene.erase(game.gone(), in_background);
    scene.insert(game.born(), std::span(ids_).first(game.born().size()),
                 {.layers = game.born_layers(), .owners = game.born_squads(), .update = in_background});
  }

  SceneBuffer buffer_;
  std::vector<Job> jobs_;
  std::vector<std::int64_t> ids_;
};

}  // namespace

std::unique_ptr<World> make_sphaera_world(const Game& game, unsigned jobs) {
  return std::make_unique<SphaeraWorld>(game, jobs);
}

}  // namespace sphaera::bench
