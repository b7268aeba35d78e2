#include <io/scene/scene_formats.hpp>
#include <io/streams/output.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/scene/load.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

class Convert : public Verb {
  static constexpr const char* about = R"(
Writes a scene in another format. Ids stay the same. Numbers stay the same doubles, unless --time moves the bodies.)";
  static std::string help() {
    return "\nResult: a scene file.\n" + scene_format_list(&io::SceneFormat::keeps) +
           R"(  append .gz to compress the file
What the format cannot hold is left out, with a warning that names it. Scene files that a JSON scene names are
merged into the result.

Example:
  sphaera convert solar_system.json --output solar_system.csv.gz
)";
  }

 public:
  void declare(CLI::App& app) override {
    describe(app, about, help());
    scene_.declare(app);
    format_.declare(app);
    common_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    const Console console = common_.console();
    const io::SceneFormat& format = format_.format_for(common_.output);
    common_.protect("the scene", scene_.path);
    io::Output output(common_.output);
    LoadedScene scene = load_scene(scene_, console, stop);
    move_epoch(scene, scene_);
    common_.protect_files_of(scene);
    const std::vector<std::string> left_out = io::write_scene(scene, format, output);
    for (const std::string& sentence : left_out) console.warn(sentence);
    output.commit();
  }

 private:
  CommonOptions common_;
  SceneOptions scene_;
  SceneFormatOptions format_;
};

}  // namespace

const VerbEntry convert_verb{"convert", "a scene in another format", make_verb<Convert>};

}  // namespace sphaera::tool
