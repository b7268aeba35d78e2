#pragma once
/// \file One measurement: a query on a scene, and the time of an engine. Shared by the Google
/// Benchmark suite and by the comparison, so that both time the same loops over the same scenes.

#include <bench/measure/engine.hpp>
#include <bench/measure/huge_vector.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>

namespace sphaera::bench {

inline constexpr std::uint64_t default_seed = 1;
inline constexpr std::size_t default_rays = 1'000'000;  ///< in a batch
inline constexpr double default_seconds =
    0.4;  ///< maximum for a batch: a slow engine gets only a part of the rays

/// Answers of an engine; only the member of the query (`blocked`, `first` or `all`) is used.
struct Answers {
  HugeVector<std::uint8_t> blocked;
  HugeVector<Hit> first;
  HitLists all;
};

/// Seconds of the engine for all rays, in the arena, in calls of `batch` rays (0: all; all hits: always all).
/// Allocation of the answers is not timed, except for all
/// hits, whose number is unknown before.
double ask(const Engine& engine, Query query, std::span<const Ray> rays, TimedArena& arena, Answers& out,
           std::size_t batch = 0);

/// An engine asked in the fastest of its ways.
struct AtItsBest {
  std::shared_ptr<const Engine> engine;
  std::string way;
};
/// One batch in each way finds the fastest. `may_sort`: also with the rays sorted first. Refers to `engine`.
AtItsBest at_its_best(const Engine& engine, Query query, std::span<const Ray> rays, bool may_sort,
                      TimedArena& arena, std::size_t batch = 0);

/// Seconds of the engine to build its index, in the arena.
double build(Engine& engine, std::span<const Sphere> spheres, TimedArena& arena);

/// A part of a batch: runs of consecutive rays, evenly spaced, so that a part of a sorted batch is as
/// coherent as the whole and spans the same scene.
class RaySample {
 public:
  RaySample(std::size_t whole,
            std::size_t wanted);  ///< the part's size is min(wanted, whole), rounded to whole runs

  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t i) const {
    return i / run_ * stride_ + i % run_;
  }  ///< index in the batch of the part's ray i

  HugeVector<Ray> of(std::span<const Ray> batch) const;

 private:
  std::size_t size_, run_, stride_;
};

/// Number of rays that the engine can answer in `seconds`, estimated by samples of increasing size. If the
/// engine's rate depends on the batch's size, the result is all rays unless they would take over
/// 10·`seconds`.
std::size_t affordable_rays(const Engine& engine, Query query, std::span<const Ray> rays, double seconds,
                            TimedArena& arena);

}  // namespace sphaera::bench
