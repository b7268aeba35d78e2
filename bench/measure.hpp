#pragma once
/// \file One measurement: what is asked of which scene, and how long an engine takes. Shared by the Google
/// Benchmark suite and by the comparison, so that both time the same loops over the same scenes.

#include <bench/arena.hpp>
#include <bench/engine.hpp>
#include <bench/huge_vector.hpp>
#include <bench/scenes.hpp>

namespace sphaera::bench {

inline constexpr std::uint64_t default_seed = 1;
inline constexpr std::size_t default_rays = 1'000'000;  ///< in a batch
inline constexpr double default_seconds = 0.4;          ///< of a batch at most: a slow engine gets a part

/// What an engine said; of `blocked`, `first` and `all`, the one that was asked.
struct Answers {
  HugeVector<std::uint8_t> blocked;
  HugeVector<Hit> first;
  HitLists all;
};

/// Seconds that the engine takes for all rays, in the arena. Making room for the answers is not timed, save
/// for all hits, whose number is not known before.
double ask(const Engine& engine, Query query, std::span<const Ray> rays, Arena& arena, Answers& out);

/// Seconds that the engine takes to build its index, in the arena.
double build(Engine& engine, std::span<const Sphere> spheres, Arena& arena);

/// A part of a batch: runs of consecutive rays, evenly spaced, so that a part of a sorted batch is as
/// coherent as the whole and spans the same scene.
class Part {
 public:
  Part(std::size_t whole, std::size_t wanted);  ///< at most `whole`

  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t i) const {
    return i / run_ * stride_ + i % run_;
  }  ///< place in the batch

  HugeVector<Ray> of(std::span<const Ray> batch) const;

 private:
  std::size_t size_, run_, stride_;
};

/// How many rays the engine can be asked for in `seconds`, going by ever larger samples. Of an engine whose
/// rate depends on the batch all are wanted, unless that takes ten times as long.
std::size_t affordable_rays(const Engine& engine, Query query, std::span<const Ray> rays, double seconds,
                            Arena& arena);

}  // namespace sphaera::bench
