#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <bench/measure/huge_vector.hpp>
#include <bench/measure/machine.hpp>
#include <bench/measure/slab_test.hpp>
#include <cmath>
#include <numeric>
#include <tools/workload/random.hpp>

namespace sphaera::bench {
namespace {

/// Runs of each measurement. The fastest counts, because other users of the machine can only slow a run down.
constexpr int tries = 20;
constexpr std::size_t largest = std::size_t{1} << 29;

struct alignas(64) Line {
  std::uint64_t next;
};

/// Lines in one random cycle (Sattolo), so that every read waits for the previous one.
HugeVector<Line> random_cycle(std::size_t bytes) {
  HugeVector<Line> lines(bytes / sizeof(Line));
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].next = i;
  workload::Random random(1, workload::Purpose::sphere, 0);
  for (std::size_t i = lines.size() - 1; i > 0; --i) std::swap(lines[i].next, lines[random.bits() % i].next);
  return lines;
}

/// A value that the compiler must not optimize away.
volatile std::uint64_t sink;

double chase(std::size_t bytes) {
  constexpr std::size_t steps = 20'000;
  const HugeVector<Line> lines = random_cycle(bytes);
  TimedArena arena(1);
  std::uint64_t at = 0;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < tries; ++k) {
    best = std::min(best, arena.seconds_of([&] {
      for (std::size_t i = 0; i < steps; ++i) at = lines[at].next;
    }));
  }
  sink = at;
  return best / steps * 1e9;
}

double read_rate(const HugeVector<std::uint64_t>& words, int threads) {
  TimedArena arena(threads);
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < tries; ++k) {
    best = std::min(best, arena.seconds_of([&] {
      using Range = tbb::blocked_range<std::size_t>;
      sink = tbb::parallel_reduce(
          Range(0, words.size(), std::size_t{1} << 16), std::uint64_t{0},
          [&](const Range& range, std::uint64_t sum) {
            return std::accumulate(&words[range.begin()], &words[range.begin()] + range.size(), sum);
          },
          std::plus<>());
    }));
  }
  return static_cast<double>(words.size() * sizeof(std::uint64_t)) / best * 1e-9;
}

/// Independent steps: no traversal, of one ray or of many, can be faster.
double box_step() {
  constexpr std::size_t steps = 50'000, nodes = 64;
  workload::Random random(1, workload::Purpose::sphere, 1);
  HugeVector<EightBoxes> boxes(nodes);
  for (EightBoxes& eight : boxes)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int k = 0; k < 8; ++k) {
        eight.lower[axis][k] = static_cast<float>(random.unit());
        eight.upper[axis][k] = eight.lower[axis][k] + 0.5f;
      }
  const SlabRay ray{{1.1f, -1.2f, 1.3f}, {0.1f, -0.2f, 0.3f}, -1, 1};
  TimedArena arena(1);
  EightBoxes::Eight sum{};
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < tries; ++k) {
    best = std::min(best, arena.seconds_of([&] {
      for (std::size_t i = 0; i < steps; ++i) {
        EightBoxes::Eight near;
        boxes[i % nodes].enter(ray, near);
        sum += near;
      }
    }));
  }
  sink = sum[0] < EightBoxes::none;
  return best / steps * 1e9;
}

}  // namespace

double Machine::latency(double bytes) const {
  const auto above = std::ranges::find_if(latencies, [&](const Latency& l) { return l.bytes >= bytes; });
  if (above == latencies.begin()) return latencies.front().nanoseconds;
  if (above == latencies.end()) return latencies.back().nanoseconds;
  const Latency &a = *(above - 1), &b = *above;
  return std::lerp(a.nanoseconds, b.nanoseconds, std::log(bytes / a.bytes) / std::log(b.bytes / a.bytes));
}

Machine measure_machine(std::span<const int> threads) {
  Machine machine;
  for (std::size_t bytes = 1 << 15; bytes <= largest; bytes *= 4)
    machine.latencies.push_back({static_cast<double>(bytes), chase(bytes)});
  const HugeVector<std::uint64_t> words(largest / sizeof(std::uint64_t), 1);
  for (const int n : threads) machine.bytes_per_nanosecond[n] = read_rate(words, n);
  machine.eight_boxes = box_step();
  return machine;
}

}  // namespace sphaera::bench
