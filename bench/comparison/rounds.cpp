#include <algorithm>
#include <bench/comparison/rounds.hpp>
#include <bench/comparison/wrong_answers.hpp>
#include <cmath>
#include <limits>

namespace sphaera::bench {
namespace {

/// Rays for counts of node visits and decisions; times use all rays of a trial.
constexpr std::size_t sampled_rays = 10'000;

}  // namespace

bool Effort::takes_part(const EngineEntry& entry, std::uint64_t spheres) const {
  return spheres <= entry.max_spheres && std::ranges::min(threads) <= entry.max_threads &&
         (engines.empty() || std::ranges::count(engines, entry.name));
}

Comparison::Comparison(const Effort& effort, const Machine& machine, const SceneSpec& scene)
    : effort_(effort), machine_(machine), scene_(scene) {
  for (const int threads : effort.threads) arenas_.try_emplace(threads, threads, effort.clock);
  for (const SceneSpec& spec : {scene, at_origin(scene)}) {
    if (spheres_.contains(spec.place)) continue;
    spheres_[spec.place] = make_spheres(spec, effort.seed);
    rays_[{spec.place, Order::random}] = make_rays(spec, effort.rays, Order::random, effort.seed);
  }
  const Place origin = at_origin(scene).place;
  const HugeVector<Ray>& rays = rays_.at({origin, Order::random});
  limit_ = std::make_unique<LowerLimitModel>(spheres_.at(origin), effort.queries,
                                             RaySample(rays.size(), sampled_rays).of(rays));
  enter_all();
  build_all();
}

void Comparison::enter_all() {
  for (const EngineEntry& entry : engines())
    if (effort_.takes_part(entry, scene_.spheres)) contenders_.push_back({&entry, scene_});
  const EngineEntry& ours = engines().front();
  if (is_moved(scene_.kind) && effort_.takes_part(ours, scene_.spheres))
    contenders_.push_back({&ours, at_origin(scene_)});
}

void Comparison::build_all() {
  double spent = 0;
  const std::size_t n = contenders_.size();
  for (int round = 0; round < effort_.builds && spent < effort_.build_seconds; ++round)
    for (const int threads : effort_.threads)
      for (std::size_t turn = 0; turn < n; ++turn) {
        Contender& contender = contenders_[(turn + static_cast<std::size_t>(round)) % n];
        if (threads > contender.entry->max_threads || builder_for(contender) != nullptr) continue;
        contender.engine.reset();
        contender.engine = contender.entry->make();
        const double seconds =
            build(*contender.engine, spheres_.at(contender.scene.place), arenas_.at(threads));
        contender.build_seconds[threads].push_back(seconds);
        spent += seconds;
      }
  for (Contender& contender : contenders_)
    if (const Contender* builder = builder_for(contender))
      contender.engine = builder->engine, contender.build_seconds = builder->build_seconds;
}

/// The contender that builds what a contender with Role::at_its_best asks; null: it builds for itself.
const Comparison::Contender* Comparison::builder_for(const Contender& contender) const {
  if (contender.entry->role != Role::at_its_best) return nullptr;
  const auto found = std::ranges::find_if(contenders_, [&](const Contender& other) {
    return &other != &contender && other.entry->make == contender.entry->make;
  });
  return found == contenders_.end() ? nullptr : &*found;
}

bool Comparison::is_asked(const Contender& contender, Query query) const {
  if (contender.entry->role == Role::at_its_best) return query != Query::all_hits;
  return contender.entry->role == Role::full || first_question_ || !effort_.engines.empty();
}

std::vector<Comparison::Trial> Comparison::trials(Query query, Order order) {
  std::vector<Trial> all;
  for (Contender& contender : contenders_) {
    if (!is_asked(contender, query)) continue;
    HugeVector<Ray>& batch = rays_[{contender.scene.place, order}];
    if (batch.empty()) batch = make_rays(contender.scene, effort_.rays, order, effort_.seed);
    for (const auto& [threads, seconds] : contender.build_seconds) {
      const bool chooses = contender.entry->role == Role::at_its_best;
      const std::shared_ptr<const Engine> asked =
          chooses ? contender.engine->in_way(Way::one_by_one, order == Order::random) : contender.engine;
      const std::size_t n = affordable_rays(*asked, query, batch, effort_.max_seconds, arenas_.at(threads));
      Trial& trial =
          all.emplace_back(&contender, threads, RaySample(batch.size(), n).of(batch), contender.engine);
      if (!chooses) continue;
      AtItsBest best = at_its_best(*contender.engine, query, trial.rays, order == Order::random,
                                   arenas_.at(threads), effort_.batch);
      trial.engine = std::move(best.engine), trial.way = std::move(best.way);
    }
  }
  return all;
}

/// In the first order of a query, compares contenders' answers with those of the first contender (Sphaera,
/// unless --engine leaves it out), on the smaller of both samples of rays. Takes only contenders that are
/// asked, on the scene at its own place.
void Comparison::count_wrong(Query query, std::span<const Trial> trials) {
  std::vector<double>& wrong = wrong_[query];
  if (!wrong.empty() || contenders_.empty()) return;
  wrong.assign(contenders_.size(), std::numeric_limits<double>::quiet_NaN());
  if (!is_asked(contenders_.front(), query)) return;
  const Engine& reference = *contenders_.front().engine;
  Answers reference_answers, answers;
  for (std::size_t k = 1; k < contenders_.size(); ++k) {
    if (contenders_[k].scene != scene_ || !is_asked(contenders_[k], query)) continue;
    const auto trial_of = [&](const Contender& contender) -> const Trial& {
      return *std::ranges::find(trials, &contender, &Trial::contender);
    };
    const HugeVector<Ray>&a = trial_of(contenders_.front()).rays, &b = trial_of(contenders_[k]).rays;
    const HugeVector<Ray>& rays = a.size() < b.size() ? a : b;
    const Engine& peer = *trial_of(contenders_[k]).engine;
    ask(reference, query, rays, arenas_.rbegin()->second, reference_answers);
    ask(peer, query, rays, arenas_.at(contenders_[k].build_seconds.rbegin()->first), answers);
    const WrongAnswers wrong_answers =
        judge(query, spheres_.at(scene_.place), rays, {reference, reference_answers}, {peer, answers});
    const double share = 1e6 / static_cast<double>(rays.size());
    wrong[k] = share * static_cast<double>(wrong_answers.peer);
    wrong[0] = std::fmax(wrong[0], share * static_cast<double>(wrong_answers.reference));
  }
}

Record Comparison::record(Trial& trial, Query query, Order order) {
  const Contender& contender = *trial.contender;
  const auto which = static_cast<std::size_t>(&contender - contenders_.data());
  const std::span<const Ray> rays = trial.rays;
  return {
      {contender.scene, query, order, trial.threads, std::string(contender.entry->name)},
      trial.way,
      rays.size(),
      std::move(trial.rates),
      contender.engine->bytes() / static_cast<double>(scene_.spheres),
      contender.engine->peak_bytes(),
      contender.build_seconds.at(trial.threads),
      wrong_.at(query)[which],
      limit_->limit(query, static_cast<double>(effort_.rays), trial.threads, machine_),
      limit_->visits(query),
      contender.engine->count(query, RaySample(rays.size(), std::min(rays.size(), sampled_rays)).of(rays))};
}

std::vector<Record> Comparison::run(Query query, Order order) {
  std::vector<Trial> all = trials(query, order);
  count_wrong(query, all);
  first_question_ = false;
  Answers answers;
  for (int round = 0; round < effort_.rounds; ++round)
    for (std::size_t turn = 0; turn < all.size(); ++turn) {
      Trial& trial = all[(turn + static_cast<std::size_t>(round)) % all.size()];
      const double seconds =
          ask(*trial.engine, query, trial.rays, arenas_.at(trial.threads), answers, effort_.batch);
      trial.rates.push_back(static_cast<double>(trial.rays.size()) / seconds * 1e-6);
    }
  std::vector<Record> records;
  records.reserve(all.size());
  for (Trial& trial : all) records.push_back(record(trial, query, order));
  return records;
}

}  // namespace sphaera::bench
