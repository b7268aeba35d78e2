#pragma once
/// \file One scene on which the engines build and answer in turns, so that drift of the machine's speed
/// affects all equally.

#include <bench/comparison/results.hpp>
#include <bench/lower_limit/lower_limit.hpp>
#include <map>

namespace sphaera::bench {

/// Amount of measurement.
struct Effort {
  std::vector<Query> queries{bench::queries.begin(), bench::queries.end()};
  std::vector<int> threads{1, 2};
  std::vector<std::string> engines;  ///< names; empty: all
  std::size_t rays = default_rays;
  double max_seconds = default_seconds;  ///< for one batch
  std::size_t batch = 0;                 ///< rays in a call; 0: all
  int rounds = 5;
  int builds = 5;             ///< maximum number
  double build_seconds = 10;  ///< no further round starts once the builds have taken so long
  Clock clock = Clock::wall;
  std::uint64_t seed = default_seed;

  bool takes_part(const EngineEntry& entry, std::uint64_t spheres) const;
};

class Comparison {
 public:
  /// Makes the scene, at its place and at the origin; counts the nodes and leaves that a sample of the rays
  /// visits at the origin; builds the engines that take part.
  Comparison(const Effort& effort, const Machine& machine, const SceneSpec& scene);

  /// Runs all rounds of one query. Engines with Role::first_only take part only in the first call, unless
  /// `Effort::engines` is set.
  std::vector<Record> run(Query query, Order order);

 private:
  struct Contender {
    const EngineEntry* entry;
    SceneSpec scene;
    std::shared_ptr<Engine> engine{};
    std::map<int, std::vector<double>> build_seconds{};  ///< by threads
  };

  /// A contender with a number of threads and as many rays as affordable_rays allows.
  struct Trial {
    Contender* contender;
    int threads;
    HugeVector<Ray> rays;
    std::shared_ptr<const Engine> engine;  ///< the contender's, or one of its ways
    std::string way;                       ///< empty: the contender's only one
    std::vector<double> rates{};
  };

  void enter_all();
  bool is_asked(const Contender& contender, Query query) const;
  void build_all();
  const Contender* builder_for(const Contender& contender) const;
  std::vector<Trial> trials(Query query, Order order);
  void count_wrong(Query query, std::span<const Trial> trials);
  Record record(Trial& trial, Query query, Order order);

  const Effort& effort_;
  const Machine& machine_;
  SceneSpec scene_;
  std::map<Place, HugeVector<Sphere>> spheres_;
  std::map<std::pair<Place, Order>, HugeVector<Ray>> rays_;
  std::unique_ptr<LowerLimitModel> limit_;
  std::map<int, TimedArena> arenas_;
  std::vector<Contender> contenders_;
  bool first_question_ = true;
  std::map<Query, std::vector<double>>
      wrong_;  ///< wrong answers per million of each contender, in the first order asked; NaN: not compared
};

}  // namespace sphaera::bench
