#include <algorithm>
#include <bench/comparison/goals.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <set>

namespace sphaera::bench {
namespace {

using workload::Kind;

struct Sample {
  double value;
  std::string where;
};
using Samples = std::vector<Sample>;

enum class Wanted : std::uint8_t { at_least, at_most };

std::string text(const char* format, double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

/// A goal is reached if every sample reaches it.
Finding finding(std::string line, Wanted wanted, double bound, const Samples& samples,
                std::string_view lacking) {
  line += (wanted == Wanted::at_least ? " ≥ " : " ≤ ") + text("%.3g", bound);
  if (samples.empty()) return {std::move(line), Mark::not_measured, std::string(lacking)};
  const auto reached = [&](const Sample& s) {
    return wanted == Wanted::at_least ? s.value >= bound : s.value <= bound;
  };
  const auto by_value = [](const Sample& a, const Sample& b) { return a.value < b.value; };
  const auto [low, high] = std::ranges::minmax_element(samples, by_value);
  const auto& [worst, best] = wanted == Wanted::at_least ? std::pair(*low, *high) : std::pair(*high, *low);
  std::string numbers = text("%.3g", worst.value) + " (" + worst.where + ")";
  if (samples.size() > 1)
    numbers += " … " + text("%.3g", best.value) + "; " +
               std::to_string(std::ranges::count_if(samples, reached)) + " of " +
               std::to_string(samples.size());
  return {std::move(line), std::ranges::all_of(samples, reached) ? Mark::reached : Mark::missed,
          std::move(numbers)};
}

std::string where(const Key& key) {
  return label(key.scene) + " " + std::string(name(key.query)) + ", " + std::to_string(key.threads) + "t";
}

bool is_plain(Kind kind) {
  return kind == Kind::crowd || kind == Kind::belt || kind == Kind::uniform || kind == Kind::hard_belt;
}

/// True for any-hit or first-hit records of the engine "sphaera" on a scene at its own place.
bool is_main(const Record& r) {
  return r.key.engine == "sphaera" && r.key.query != Query::all_hits && r.key.scene.place == Place::own;
}

using Which = std::function<bool(const Record&)>;

/// Collects measure(record, counterpart) if both were measured. change(key) gives the counterpart's key.
template <class Change, class Measure>
Samples collect(const Results& results, const Which& which, const Change& change, const Measure& measure) {
  Samples samples;
  for (const Record& r : results.all()) {
    if (!which(r)) continue;
    Key key = r.key;
    change(key);
    if (const Record* other = results.find(key)) samples.push_back({measure(r, *other), where(r.key)});
  }
  return samples;
}

class Goals {
 public:
  explicit Goals(const Results& results) : results_(results) {}

  std::vector<Finding> check() {
    const auto is_small = [](const SceneSpec& s) { return s.spheres >= 10'000 && s.spheres <= 100'000; };
    speed("crowd 1e4–1e5", 1.2, 1.2,
          [=](const Record& r) { return r.key.scene.kind == Kind::crowd && is_small(r.key.scene); });
    speed("belt and uniform 1e4–1e5", 1.1, 1.1, [=](const Record& r) {
      return is_plain(r.key.scene.kind) && r.key.scene.kind != Kind::crowd && is_small(r.key.scene);
    });
    speed("crowd, uniform and Earth-centered crowd 1e6", 2, 1.7, [](const Record& r) {
      const auto [kind, spheres, place] = r.key.scene;
      return (kind == Kind::crowd || kind == Kind::uniform || kind == Kind::earth) && spheres == 1'000'000;
    });
    speed("crowd 1e7", 3, 2, [](const Record& r) {
      return r.key.scene.kind == Kind::crowd && r.key.scene.spheres == 10'000'000;
    });
    speed("belt → star 1e6, 1e7", 5, 2.5,
          [](const Record& r) { return r.key.scene.kind == Kind::belt && r.key.scene.spheres >= 1'000'000; });
    hard_belt(Query::blocked, 8, 6);
    hard_belt(Query::first_hit, 6, 4.5);
    sorted_speed();
    scale();
    memory();
    builds();
    exactness();
    threads();
    growth();
    findings_.push_back({"refit of moved spheres", Mark::not_measured, "this program does not time updates"});
    return std::move(findings_);
  }

 private:
  void add(std::string line, Wanted wanted, double bound, const Samples& samples,
           std::string_view lacking = "not part of this run") {
    findings_.push_back(finding(std::move(line), wanted, bound, samples, lacking));
  }

  void against(const std::string& line, const char* peer, double bound, const Which& which) {
    add(line + ", speed ÷ " + peer, Wanted::at_least, bound,
        collect(results_, which, [&](Key& key) { key.engine = peer; }, speed_ratio));
  }

  void speed(const std::string& scenes, double builtin, double naive, const Which& which) {
    const Which random = [&](const Record& r) {
      return is_main(r) && r.key.order == Order::random && which(r);
    };
    against(scenes + ", any-hit and first hit", "builtin", builtin, random);
    against(scenes + ", any-hit and first hit", "naive", naive, random);
  }

  void hard_belt(Query query, double builtin, double naive) {
    const Which asked = [=](const Record& r) {
      return is_main(r) && r.key.order == Order::random && r.key.query == query &&
             r.key.scene.kind == Kind::hard_belt && r.key.scene.spheres == 1'000'000;
    };
    const std::string line = "hard belt → star 1e6, " + std::string(name(query));
    against(line, "builtin", builtin, asked);
    against(line, "naive", naive, asked);
  }

  void sorted_speed() {
    const Which sorted = [](const Record& r) {
      return is_main(r) && is_plain(r.key.scene.kind) && r.key.order == Order::sorted;
    };
    against("rays sorted for everybody, any-hit and first hit", "builtin", 1.2, sorted);
    against("rays sorted for everybody, any-hit and first hit", "naive", 1.1, sorted);
  }

  void scale() {
    const auto as_fast = [&](Kind kind, double bound) {
      add(std::string(workload::name(kind)) + ", speed ÷ the same scene's at the origin", Wanted::at_least,
          bound,
          collect(
              results_, [&](const Record& r) { return is_main(r) && r.key.scene.kind == kind; },
              [](Key& key) { key.scene.place = Place::at_origin; }, speed_ratio));
    };
    as_fast(Kind::astronomical, 1 / 1.1);  // one frame: within 10 %
    as_fast(Kind::earth, 1 / 1.1);
    as_fast(Kind::planet, 1 / 1.3);  // nested frames: within 30 %
  }

  /// One sample per scene, from its first record: memory does not depend on the query.
  Samples once(const Which& which, const std::function<double(const Record&)>& measure) const {
    Samples samples;
    std::set<std::string> seen;
    for (const Record& r : results_.all()) {
      const std::string scene = label(r.key.scene);
      if (r.key.scene.place == Place::own && which(r) && seen.insert(scene).second)
        samples.push_back({measure(r), scene});
    }
    return samples;
  }

  void memory() {
    const auto bytes = [](const Record& r) { return r.bytes_per_sphere; };
    const auto of = [](const char* engine) {
      return [=](const Record& r) { return r.key.engine == engine && r.key.scene.spheres >= 10'000; };
    };
    add("bytes per sphere beyond the input", Wanted::at_most, 45, once(of("sphaera"), bytes));
    add("bytes per sphere beyond the input, compact", Wanted::at_most, 16,
        once(of("sphaera-compact"), bytes));
    add("1e8 spheres: GiB at the most while building", Wanted::at_most, 16,
        once(
            [](const Record& r) {
              return r.key.engine.starts_with("sphaera") && r.key.scene.spheres == 100'000'000;
            },
            [](const Record& r) { return r.peak_bytes * 0x1p-30; }),
        "measured only with --spheres 1e8 --engine sphaera");
  }

  /// Only plain scenes, since builtin's float boxes collapse in the others. Build times do not depend on the
  /// query, so the first query's record is used.
  Samples build_ratios(const char* engine, const char* peer) const {
    return collect(
        results_,
        [&](const Record& r) {
          return r.key.engine == engine && is_first_of_scene(r.key) && r.key.scene.spheres >= 10'000 &&
                 is_plain(r.key.scene.kind);
        },
        [&](Key& key) { key.engine = peer; }, build_ratio);
  }
  bool is_first_of_scene(const Key& key) const {
    const Key& first = results_.all().front().key;
    return key.query == first.query && key.order == first.order && key.scene.place == Place::own;
  }

  void builds() {
    add("build time ÷ builtin", Wanted::at_most, 1.5, build_ratios("sphaera", "builtin"));
    add("build time ÷ builtin, fast", Wanted::at_most, 1, build_ratios("sphaera-fast", "builtin"));
  }

  /// Cost of the unsure decisions beyond the filter: counts times the measured cost of each stage.
  void exactness() {
    constexpr double double_double = 76, exact = 1200;  // ns a decision, measured
    Samples samples;
    for (const Record& r : results_.all()) {
      if (!is_main(r) || !r.stats || r.key.threads != 1) continue;
      const double beyond = double_double * static_cast<double>(r.stats->double_double) +
                            exact * static_cast<double>(r.stats->exact);
      samples.push_back(
          {100 * beyond / static_cast<double>(r.stats->queries) / r.nanoseconds(), where(r.key)});
    }
    add("exactness: % of the time beyond the filter, estimated", Wanted::at_most, 3, samples);
  }

  void threads() {
    const auto to_one = [](Key& key) { key.threads = 1; };
    const Which two = [](const Record& r) { return is_main(r) && r.key.threads == 2; };
    add("2 threads ÷ 1, queries", Wanted::at_least, 1.85, collect(results_, two, to_one, speed_ratio));
    const Which builds_by_two = [&](const Record& r) { return two(r) && is_first_of_scene(r.key); };
    add("2 threads ÷ 1, build", Wanted::at_least, 1.85,
        collect(results_, builds_by_two, to_one,
                [](const Record& a, const Record& b) { return build_ratio(b, a); }));
  }

  void growth() {
    add("crowd, rays sorted: time a ray at 1e7 ÷ at 1e4", Wanted::at_most, 4,
        collect(
            results_,
            [](const Record& r) {
              return is_main(r) && r.key.scene.kind == Kind::crowd && r.key.scene.spheres == 10'000'000 &&
                     r.key.order == Order::sorted;
            },
            [](Key& key) { key.scene.spheres = 10'000; },
            [](const Record& a, const Record& b) { return a.nanoseconds() / b.nanoseconds(); }));
  }

  const Results& results_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_goals(const Results& results) { return Goals(results).check(); }

std::string_view name(Mark mark) {
  constexpr std::array<std::string_view, 3> names{"reached", "missed", "not measured"};
  return names[static_cast<std::size_t>(mark)];
}

}  // namespace sphaera::bench
