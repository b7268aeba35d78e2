#include <array>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/report/level_of_detail.hpp>
#include <tools/report/page.hpp>
#include <tools/report/sphere_view.hpp>
#include <tools/terminal/progress.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

class Report : public Verb {
  static constexpr const char* about = R"(
One HTML file about a scene and what was asked about it: for a browser, a phone or paper, without network.)";
  static constexpr const char* help = R"(
Result: a page with these parts, in this order:
  the scene    a view that turns (drag, wheel, arrow keys; a click names a sphere, a double click goes to it), a
               picture for paper, and what 'sphaera info' says but for times and memory
  each INPUT   of a result: the question, the commands, shares, totals, a histogram of each number, the ten greatest
               and least, the ten spheres named most, rows and areas by layer; of a picture: itself
INPUTs are results of any verb as .csv or .npy, perhaps .gz, of this scene, and .png of map and shoot --picture.
The view colors spheres by layer, by the rows that name them, or by the numbers of a result with a row a sphere
(exposed, contacts --count). It shows at most 262,144 spheres: the largest, and the largest of each cell of a grid.
Its places are rounded to 6e-8 of the scene. The page is the same in every run.

Example:
  sphaera exposed molecule.pdb --probe 1.4 --names --output areas.csv
  sphaera report molecule.pdb areas.csv --output molecule.html
  sphaera report level.glb hits.csv sight.png --commands ask.sh --output level.html
)";

 public:
  void declare(CLI::App& app) override {
    describe(app, about, help);
    scene_.declare(app);
    add_files(app, "INPUT", inputs_, "Results and pictures").type_name("");
    add_text(app, "--title", title_, "Of the page; default: the name of the scene").type_name("TEXT");
    add_file(app, "--commands", commands_,
             "The shell script that made the inputs, at most 1 MiB: the page shows its lines that name them");
    star_options_.declare(app);
    layers_.declare(app);
    index_.declare(app);
    common_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      check();
      io::Output output(common_.output);
      Page page{.title = title_.empty() ? scene_.path.filename().string() : title_, .inputs = inputs_};
      if (!commands_.empty()) page.commands = Commands(commands_);
      const DescribedScene described = describe_scene(scene_, common_, star_options_, layers_, index_, stop);
      const auto& [summary, file, scene] = described;
      const LayerMask mask = layers_.mask(file);
      const ShownSpheres shown{level_of_detail(scene, mask, max_shown), summary.survey.spheres, summary.lower,
                               summary.upper};
      sum_up_results(
          page, {.spheres = scene.spheres().size(), .layers = file.layers, .shown = shown.ids, .stop = stop});
      page.scene = scene_section(described, mask);
      page.still = still_picture(scene, file, shown);
      page.view_data = view_json(scene, file, shown, page.results);
      write_page(output, page, file, stop);
      output.commit();
    });
  }

 private:
  /// Checks that need no scene.
  void check() const {
    static const std::array<std::string, 2> pages{".html", ".htm"};
    check_extension(common_.output, pages, "a page's name ends in .html or .htm; rename it");
    common_.protect("the scene", scene_.path);
    if (!commands_.empty()) common_.protect("the file of commands", commands_);
    for (const std::filesystem::path& input : inputs_) common_.protect("an input", input);
  }

  void sum_up_results(Page& page, const SummaryOptions& options) const {
    Progress progress(common_.console(), "summing up");
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!is_picture_file(inputs_[i])) page.results.push_back(sum_up(inputs_[i], options));
      progress.set_fraction(static_cast<double>(i + 1) / static_cast<double>(inputs_.size()));
    }
  }

  CommonOptions common_;
  SceneOptions scene_;
  IndexOptions index_;
  LayerOptions layers_;
  StarOptions star_options_;
  std::string title_;
  std::vector<std::filesystem::path> inputs_;
  std::filesystem::path commands_;
};

}  // namespace

const VerbEntry report_verb{"report", "one HTML file about a scene and results", make_verb<Report>};

}  // namespace sphaera::tool
