#include <algorithm>
#include <bench/measure/measure.hpp>

namespace sphaera::bench {

double ask(const Engine& engine, Query query, std::span<const Ray> rays, TimedArena& arena, Answers& out) {
  switch (query) {
    case Query::blocked:
      out.blocked.resize(rays.size());
      return arena.seconds_of([&] { engine.blocked(rays, out.blocked); });
    case Query::first_hit:
      out.first.resize(rays.size());
      return arena.seconds_of([&] { engine.first_hit(rays, out.first); });
    case Query::all_hits:
      break;
  }
  out.all = {};
  return arena.seconds_of([&] { out.all = engine.all_hits(rays); });
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
