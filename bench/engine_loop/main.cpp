/// \file sphaera_engine_loop: the frames of a game server, by Sphaera and by peers. See its --help.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bench/engine_loop/play.hpp>
#include <bench/engine_loop/report.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace sphaera::bench {
namespace {

constexpr const char* description =
    R"(A game server's frames, 1/60 s apart. People of three spheres (legs, body, head), which have one owner, walk on flat
ground or on a planet. In each frame some jump far away by `update`, some are erased and inserted elsewhere, and job
threads ask, with one Scratch each:
  shots: the first sphere hit, in the crowd of 0 to 15 frames ago, which the shooter saw; never the shooter, and for every
    second shot no bystanders (layers)
  lines of sight: is the segment between two heads blocked by anyone but these two?
  grenades: their flight in this frame, under gravity and with bounces, from where the last frame left them
  nearest enemies: the four nearest spheres of others, and whose they are
  interest sets: who is within 30 m, each person once, the nearest first
  shots among walls: what is hit first of walls (triangles in Embree) and people, through <sphaera/embree.hpp>

p50, p99, longest: milliseconds a frame, over all frames. processor: those of all threads together, the median. heap calls: by the game's threads, the one that updates and the
job threads: the median, then the number of frames with any after the first 60, in which lists grow. wrong: answers in
every 50th frame that differ from those of a new exact scene. frame: the sum of all parts; the game's own work is not in it.

Sphaera: SceneBuffer with 16 snapshots; its index is built again in the background. Bullet: btCollisionWorld over
btDbvtBroadphase, rayTest on one thread, which is all that it allows. Embree: sphere points in floats, in an index that is
built again in each frame (quality low). The last two know no past: their shots see the crowd as it is now.
Ends with status 1 if Sphaera is wrong.)";

/// `people` is a number such as 5e4.
void add_sizes(CLI::App& app, double& people, Rules& rules) {
  const auto add = [&](const char* name, std::size_t& size, const char* what) {
    app.add_option(name, size, what)->capture_default_str();
  };
  app.add_option("--people", people, "people, three spheres each")
      ->capture_default_str()
      ->check(CLI::Range(2.0, 1e7));
  app.add_flag("--planet", rules.on_planet, "a sphere of 6,371 km below the people");
  add("--jumps", rules.jumps, "people who jump by update, a frame");
  add("--respawns", rules.respawns, "people who are erased and inserted elsewhere, a frame");
  add("--shots", rules.shots, "shots a frame");
  add("--sights", rules.sights, "lines of sight a frame");
  add("--grenades", rules.grenades, "grenades in flight");
  add("--nearest", rules.nearest, "people who ask for the nearest others, a frame");
  add("--interest", rules.interest, "people who ask for everybody within 30 m, a frame");
  add("--walls", rules.walls, "shots among walls a frame");
}

MakeWorld maker_of(const std::string& world) {
  if (world == "Sphaera") return make_sphaera_world;
  return world == "Bullet" ? make_bullet_physics_world : make_embree_world;
}

int run(int argc, const char** argv) {
  CLI::App app(description);
  Options options;
  std::vector<std::string> worlds{"Sphaera", "Bullet", "Embree"};
  double people = static_cast<double>(options.rules.people);
  add_sizes(app, people, options.rules);
  app.add_option("--frames", options.frames, "frames")->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--jobs", options.jobs, "job threads")->capture_default_str()->check(CLI::Range(1u, 64u));
  app.add_option("--world", worlds, "who plays")->delimiter(',')->check(CLI::IsMember(worlds));
  app.add_flag("!--no-pause", options.pause, "begin each frame when the last one ends");
  CLI11_PARSE(app, argc, argv);
  options.rules.people = static_cast<std::uint64_t>(people);

  const Rules& rules = options.rules;
  std::printf("%llu people of three spheres %s, %zu jumps, %zu respawns, %zu frames, %u job threads\n\n",
              static_cast<unsigned long long>(rules.people),
              rules.on_planet ? "on a planet" : "on flat ground", rules.jumps, rules.respawns, options.frames,
              options.jobs);
  bool right = true;
  std::vector<Entry> entries;
  for (const std::string& world : worlds) {
    entries.push_back({world, play(options, maker_of(world))});
    const CheckedAnswers& answers = entries.back().played.answers;
    if (world == "Sphaera")
      right = std::ranges::all_of(answers.wrong, [](std::uint64_t n) { return n == 0; }) &&
              std::ranges::any_of(answers.checked, [](std::uint64_t n) { return n > 0; });
  }
  report(rules, entries);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace sphaera::bench

int main(int argc, const char** argv) { return sphaera::bench::run(argc, argv); }
