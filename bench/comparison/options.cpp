#include <CLI/CLI.hpp>
#include <algorithm>
#include <bench/comparison/options.hpp>
#include <map>

namespace sphaera::bench {
namespace {

constexpr const char* description = R"(Sphaera beside its peers on the same scenes and rays, in one process.

The host's speed changes over time. So engines and numbers of threads take turns, and only ratios within a
round count: "sphaera÷" is the median over rounds of Sphaera's rate ÷ the engine's rate. Above 1, Sphaera is
faster.

Peers: naive is Embree user geometry, one primitive a sphere, with a certified double test of its own; builtin is
Embree's sphere points, in float; bullet is Bullet Physics in float, one thread, up to 1e5 spheres. naive-best and builtin-best
ask the same two indexes in the fastest of ten ways, which one batch each finds: rays as they come or sorted by Morton
codes of 30 bits (the sort counts), one by one, in packets of 8 or 16, in streams of 256, coherent or not. naive and
builtin use huge pages and the same arena of threads. Every engine gets the scene as it is, not recentered.
sphaera-fast and sphaera-compact are Sphaera's other qualities. sphaera-embree is its second index
(Search::embree); its build makes both indexes. sphaera-no-star builds no index of the star
where rays end. sphaera-single is asked one ray a call. These five are built for every scene, but answer only the
first question unless --engine names them.
B/sph is memory beyond the 32 bytes of the input. A batch has --rays rays; an engine that would take longer
than --seconds (Sphaera: ten times that) gets a sample, evenly spaced runs of consecutive rays. wrong/1e6 is the number of wrong answers in a million.
Where an engine and the first one differ, the spheres of both answers are tested in binary128, so that wrong answers
of Sphaera are counted, too. Rays that start inside a sphere do not count against builtin and bullet, whose
spheres are hollow.
astronomical, earth and planet also run at the origin (earth@origin), where distance costs nothing.

Without options: crowd, belt and uniform of 1e4 … 1e7, hard_belt of 1e6 and 1e7, the others of 1e4 and 1e6: half an
hour on two cores.
Everything: --spheres 1e4,1e5,1e6,1e7 --order random,sorted. The largest: --spheres 1e8 --engine sphaera.
It ends with status 1 if Sphaera answered anything wrongly.)";

template <class Value>
std::map<std::string, Value> by_name(std::span<const Value> values) {
  std::map<std::string, Value> names;
  for (const Value value : values) names.emplace(name(value), value);
  return names;
}

/// Declares an option that takes an integer, also in the form 1e6.
void declare_count(CLI::App& app, const char* option, std::size_t& value, const char* text) {
  app.add_option_function<double>(
         option, [&value](double n) { value = static_cast<std::size_t>(n); }, text)
      ->check(CLI::Range(1.0, 1e9))
      ->default_str(short_number(value));
}

void declare_effort(CLI::App& app, Effort& e) {
  app.add_option("--query", e.queries, "blocked, first_hit, all_hits")
      ->delimiter(',')
      ->transform(CLI::Transformer(by_name<Query>(bench::queries)));
  app.add_option("--threads", e.threads, "numbers of threads")->delimiter(',')->check(CLI::PositiveNumber);
  std::set<std::string> names;
  for (const EngineEntry& entry : engines()) names.emplace(entry.name);
  app.add_option("--engine", e.engines, "only these")->delimiter(',')->check(CLI::IsMember(names));
  declare_count(app, "--rays", e.rays, "rays in a batch");
  app.add_option_function<double>(
         "--batch", [&e](double n) { e.batch = static_cast<std::size_t>(n); },
         "the rays are asked in calls of so many; without it in one call")
      ->check(CLI::Range(1.0, 1e9));
  app.add_option("--seconds", e.max_seconds,
                 "seconds after which a batch is cut to a sample; tenfold for Sphaera")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--rounds", e.rounds, "turns that each engine takes")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--builds", e.builds, "largest number of rounds of builds")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--build-seconds", e.build_seconds, "time after which no further round of builds starts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--clock", e.clock, "wall, or cpu: processor time ÷ threads, for a machine in use by others")
      ->transform(CLI::Transformer(std::map<std::string, Clock>{{"wall", Clock::wall}, {"cpu", Clock::cpu}}));
  app.add_option("--seed", e.seed, "of scenes and rays")->capture_default_str();
}

/// About a minute: ratios of small scenes only.
void be_quick(Options& o) {
  o.effort.rays = 100'000;
  o.effort.max_seconds = 0.05;
  o.effort.build_seconds = 1;
  o.effort.queries = {Query::blocked, Query::first_hit};
}

std::vector<double> sizes(const Options& options, workload::Kind kind) {
  if (!options.spheres.empty()) return options.spheres;
  if (kind == workload::Kind::hard_belt && !options.quick) return {1e6, 1e7};
  const bool is_variant = is_moved(kind) || kind == workload::Kind::people;
  if (options.quick) return is_variant ? std::vector{1e4} : std::vector{1e4, 1e5};
  return is_variant ? std::vector{1e4, 1e6} : std::vector{1e4, 1e5, 1e6, 1e7};
}

}  // namespace

void declare(CLI::App& app, Options& o) {
  app.description(description);
  app.add_flag_function(
         "--quick",
         [&o](std::int64_t) {
           be_quick(o);
           o.quick = true;
         },
         "a run of about a minute; options after it override its settings")
      ->trigger_on_parse();
  app.add_option("--scene", o.kinds, "crowd, belt, uniform, astronomical, earth, planet, hard_belt, people")
      ->delimiter(',')
      ->transform(CLI::Transformer(by_name<workload::Kind>(workload::kinds)));
  app.add_option("--spheres", o.spheres, "sizes of the scenes")->delimiter(',')->check(CLI::Range(1.0, 4e9));
  app.add_option("--order", o.orders, "random, sorted (beforehand, for all)")
      ->delimiter(',')
      ->transform(CLI::Transformer(by_name<Order>(bench::orders)));
  declare_effort(app, o.effort);
  app.add_option("--json", o.json, "also write one record a measurement to this file");
  app.add_option("--table", o.table, "also write Markdown tables to this file");
}

std::vector<SceneSpec> scenes(const Options& options) {
  std::vector<SceneSpec> all;
  for (const workload::Kind kind : options.kinds)
    for (const double spheres : sizes(options, kind))
      all.push_back({kind, static_cast<std::uint64_t>(spheres)});
  return all;
}

std::vector<std::pair<Query, Order>> questions(const Options& options) {
  std::vector<std::pair<Query, Order>> all;
  for (const Query query : options.effort.queries)
    for (const Order order : bench::orders) {
      const bool by_default = order == Order::random || query != Query::all_hits;
      if (options.orders.empty() ? by_default : std::ranges::count(options.orders, order) > 0)
        all.emplace_back(query, order);
    }
  return all;
}

}  // namespace sphaera::bench
