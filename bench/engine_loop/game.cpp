#include <algorithm>
#include <bench/engine_loop/game.hpp>
#include <workload/random.hpp>
#include <workload/workload.hpp>

namespace sphaera::bench {
namespace {

constexpr double step = 1.3 / 60;  // meters that people walk in a frame
constexpr double range = 200;      // of shots, meters
constexpr std::uint64_t squad = 10, bystander_every = 10;

}  // namespace

Game::Game(const Rules& rules)
    : rules_(rules), start_(workload::spheres(workload::Kind::crowd, rules.people, rules.seed)) {
  for (std::size_t i = 0; i < start_.size(); ++i) {
    centers_.push_back(start_[i].center);
    steps_.push_back(step * workload::Random(rules.seed, workload::Purpose::group, ~i).heading());
    layers_.push_back(i % bystander_every == 0 ? 1 : 0);
    squads_.push_back(static_cast<std::uint32_t>(i / squad));
  }
  shots_.reserve(rules.shots);
  gone_.reserve(rules.respawns), born_.reserve(rules.respawns);
  born_layers_.reserve(rules.respawns), born_squads_.reserve(rules.respawns);
}

std::uint64_t Game::draw() {
  return workload::Random(rules_.seed, workload::Purpose::block, draws_++).bits();
}

void Game::advance() {
  ++frame_;
  for (std::size_t i = 0; i < centers_.size(); ++i) centers_[i] = centers_[i] + steps_[i];
  respawn();
  shoot();
}

void Game::respawn() {
  gone_.clear(), born_.clear(), born_layers_.clear(), born_squads_.clear();
  for (std::size_t i = 0; i < rules_.respawns; ++i)
    gone_.push_back(static_cast<std::int64_t>(draw() % rules_.people));
  std::sort(gone_.begin(), gone_.end());
  gone_.erase(std::unique(gone_.begin(), gone_.end()), gone_.end());
  for (const std::int64_t id : gone_) {
    const auto i = static_cast<std::size_t>(id);
    centers_[i] = start_[draw() % rules_.people].center + Vec3{0.3, -0.2, 0};
    born_.push_back({centers_[i], start_[i].radius});
    born_layers_.push_back(layers_[i]), born_squads_.push_back(squads_[i]);
  }
}

void Game::shoot() {
  shots_.clear();
  for (std::size_t i = 0; i < rules_.shots; ++i) {
    const std::size_t shooter = draw() % rules_.people;
    workload::Random random(rules_.seed, workload::Purpose::group, draw());
    const Vec3 muzzle = centers_[shooter] + Vec3{0, 0, 0.2};
    const LayerMask layers = i % 2 == 0 ? all_layers : ~LayerMask{2};
    // A shot looks back to frame 0 at most.
    const std::size_t lag = std::min(i * rules_.lags / rules_.shots, frame_);
    shots_.push_back({{muzzle, random.heading(), 0, range}, squads_[shooter], layers, lag});
  }
}

}  // namespace sphaera::bench
