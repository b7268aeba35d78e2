#include <algorithm>
#include <base/files/target.hpp>
#include <base/files/temporary.hpp>
#include <io/scene/attachment.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/options/flight_options.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

class Index : public Verb {
  static constexpr const char* about = R"(
Writes a scene with its index. Every verb takes the file as its scene: it maps it instead of reading the scene and
building the index, and processes on one machine share its memory. Rows, ids and names are those of the scene.)";
  static constexpr const char* help = R"(
Result: a .sphi file, about as large as scene and index in memory. It is checked, all of it, whenever a verb opens
it. Only programs of this version and byte order read it, and it must not be changed or cut while it is open: make
a new one, which replaces it whole.
An index holds the scene at one time, and resting spheres unless a --horizon is given. Where a verb needs another
(--time, shoot), it gives the command that makes that one.

Example:
  sphaera index crowd.csv --output crowd.sphi
  sphaera first crowd.sphi --rays rays.csv --output hits.csv
)";

 public:
  void declare(CLI::App& app) override {
    describe(app, about, help);
    add_horizon(app, horizon_,
                "For shoot, where spheres move: the time range of all flights, which shoot then must be "
                "given, or find "
                "longer than those of its bullets. Default: spheres rest");
    scene_.declare(app);
    scene_.declare_owners(app);
    index_.declare(app);
    common_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      const Console console = common_.console();
      common_.protect("the scene", scene_.path);
      check_output();
      LoadedScene scene = load_scene(scene_, console, stop);
      drop_ephemerides(scene, console);
      move_epoch(scene, scene_);
      common_.protect_files_of(scene);
      const bool moves =
          horizon_ && std::ranges::any_of(scene.velocities, [](const Vec3& v) { return v != Vec3{}; });
      const std::vector<std::byte> attachment = io::attachment_of(scene, !moves);
      const MotionNeeds motion{moves, moves ? horizon_ : std::nullopt};
      const Scene indexed = index_scene(scene, index_.quality, console, stop, motion);
      indexed.save(common_.output.string(), {.attachment = attachment});
    });
  }

 private:
  /// Reports what would keep the file from being written before the work.
  void check_output() const {
    if (common_.output.extension() != ".sphi")
      throw UsageError("--output: give a file whose name ends in .sphi");
    const base::Target target = base::target_of(common_.output);
    if (target.kind != base::Target::Kind::file)
      throw UsageError("--output: a saved scene is a plain file; give a name for it");
    const base::Temporary trial(target.path, common_.output.string());
  }

  /// Times of samples count from the time 0 that the scene had.
  void drop_ephemerides(SceneFile& scene, const Console& console) const {
    if (!has_ephemerides(scene) || scene_.time(scene) == 0) return;
    scene.orbits.clear();
    for (SceneStar& star : scene.stars) star.ephemeris.reset();
    console.warn("ephemerides are left out: with --time, bodies rest where they are then");
  }

  CommonOptions common_;
  SceneOptions scene_;
  IndexOptions index_;
  std::optional<Horizon> horizon_;
};

}  // namespace

const VerbEntry index_verb{"index", "a scene with its index, as a file that verbs open at once",
                           make_verb<Index>};

}  // namespace sphaera::tool
