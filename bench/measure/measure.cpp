#include <algorithm>
#include <bench/measure/measure.hpp>

namespace sphaera::bench {

double ask(const Engine& engine, Query query, std::span<const Ray> rays, TimedArena& arena, Answers& out,
           std::size_t batch) {
  const auto in_batches = [&](const auto& answer) {
    const std::size_t most = batch > 0 ? batch : std::max<std::size_t>(rays.size(), 1);
    return arena.seconds_of([&] {
      for (std::size_t begin = 0; begin < rays.size(); begin += most)
        answer(begin, std::min(most, rays.size() - begin));
    });
  };
  switch (query) {
    case Query::blocked:
      out.blocked.resize(rays.size());
      return in_batches([&](std::size_t begin, std::size_t n) {
        engine.blocked(rays.subspan(begin, n), std::span(out.blocked).subspan(begin, n));
      });
    case Query::first_hit:
      out.first.resize(rays.size());
      return in_batches([&](std::size_t begin, std::size_t n) {
        engine.first_hit(rays.subspan(begin, n), std::span(out.first).subspan(begin, n));
      });
    case Query::all_hits:
      break;
  }
  out.all = {};
  return arena.seconds_of([&] { out.all = engine.all_hits(rays); });
}

AtItsBest at_its_best(const Engine& engine, Query query, std::span<const Ray> rays, bool may_sort,
                      TimedArena& arena, std::size_t batch) {
  AtItsBest best;
  Answers answers;
  double least = std::numeric_limits<double>::infinity();
  for (const bool sorts : {false, true})
    for (const Way way : ways) {
      std::shared_ptr<const Engine> one = engine.in_way(way, sorts);
      if (!one || (sorts && !may_sort)) continue;
      const double seconds = ask(*one, query, rays, arena, answers, batch);
      if (seconds >= least) continue;
      least = seconds;
      best = {std::move(one), std::string(sorts ? "sorted, " : "") + std::string(name(way))};
    }
  return best;
}

double build(Engine& engine, std::span<const Sphere> spheres, TimedArena& arena) {
  return arena.seconds_of([&] { engine.build(spheres); });
}

RaySample::RaySample(std::size_t whole, std::size_t wanted)
    : size_(whole), run_(std::max<std::size_t>(whole, 1)), stride_(run_) {
  constexpr std::size_t longest_run = 1024;  // cold caches at a run's start cost under 1 %
  if (wanted >= whole) return;
  run_ = std::min(longest_run, std::max<std::size_t>(wanted / 16, 1));
  const std::size_t runs = std::max<std::size_t>(wanted / run_, 1);
  stride_ = whole / runs;
  size_ = runs * run_;
}

HugeVector<Ray> RaySample::of(std::span<const Ray> batch) const {
  HugeVector<Ray> rays(size_);
  for (std::size_t i = 0; i < size_; ++i) rays[i] = batch[(*this)[i]];
  return rays;
}

std::size_t affordable_rays(const Engine& engine, Query query, std::span<const Ray> rays, double seconds,
                            TimedArena& arena) {
  constexpr std::size_t first_sample = 64, growth = 8;
  const double long_enough = seconds / 20;
  const double patience = engine.rate_depends_on_batch() ? 10 : 1;
  Answers answers;
  for (std::size_t wanted = first_sample;; wanted *= growth) {
    const HugeVector<Ray> sample = RaySample(rays.size(), wanted).of(rays);
    if (wanted == first_sample)
      ask(engine, query, sample, arena, answers);  // warm-up: the first use allocates and initializes
    const double spent = ask(engine, query, sample, arena, answers);
    if (sample.size() == rays.size()) return rays.size();
    if (spent < long_enough) continue;
    const double n = static_cast<double>(sample.size()) * seconds / spent;
    if (n * patience >= static_cast<double>(rays.size())) return rays.size();
    return std::max(first_sample, static_cast<std::size_t>(n));
  }
}

}  // namespace sphaera::bench
