/// \file The tool with verbs that err. `blocked`: any other search gives another answer for ray 1234 than the
/// index. `eclipse`: contacts, from time 0 to 20 at the origin, that are not what was found. Transcripts show
/// that --verify notices.

#include <array>
#include <memory>
#include <tools/answers/contact_check.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/answers/ray_queries.hpp>
#include <tools/options/command_line.hpp>
#include <tools/options/declare.hpp>

namespace sphaera::tool {
namespace {

struct Liar : RayVerb {
  static constexpr const char* about = "";
  static std::string help() { return ""; }

  static std::vector<files::Column> columns_out() {
    return {files::Column::integer("ray"), files::Column::flag("blocked")};
  }

  struct Answer {
    bool blocked, lies;
  };

  std::vector<Answer> answer(const Scene& scene, std::span<const Ray> rays,
                             const QueryOptions& options) const {
    std::vector<Answer> answers;
    for (const std::uint8_t blocked : scene.blocked(rays, options))
      answers.push_back({blocked != 0, options.search != Search::index});
    return answers;
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Ray&,
             const Answer& answer) const {
    constexpr std::uint64_t wrong_ray = 1234;
    const bool lie = answer.lies && number == wrong_ray;
    rows.integer(static_cast<std::int64_t>(number)).flag(answer.blocked != lie).end_row();
  }
};

class LyingEclipse : public Verb {
 public:
  void declare(CLI::App& app) override {
    scene_.declare_path(app);
    add_text(app, "--lie", lie_, "late, early, forgotten, other, unseen or none").required();
  }

  void run(const std::stop_token& stop) override {
    const Console console(Console::Talk::quiet);
    const SceneFile file = load_scene(scene_, console, stop);
    const SceneOverTime sky(file, file.stars, {0, 20}, all_layers);
    const SceneObserver observer = sky.observer({}, Observer::nowhere);
    check_contacts(sky, observer, falsified(sky.contacts(observer, {})), {}, {0, 1});
  }

 private:
  std::vector<StarContact> falsified(std::vector<StarContact> contacts) const {
    ContactTime& first = contacts.at(0).contact;
    if (lie_ == "late") first.time += 1e-9;
    if (lie_ == "early") first.time -= 1e-9;
    if (lie_ == "forgotten") contacts.clear();
    if (lie_ == "unseen") contacts = {{contacts.at(0).star, {}, {StarStatus::inside_star, 0, -1}}};
    if (lie_ == "other") first.before = EclipsePhase::antumbra;
    return contacts;
  }

  SceneOptions scene_;
  std::string lie_;
};

}  // namespace
}  // namespace sphaera::tool

int main(int argc, char** argv) {
  using namespace sphaera::tool;
  static constexpr VerbEntry blocked{"blocked", "", make_verb<QueryVerb<Liar>>},
      eclipse{"eclipse", "", make_verb<LyingEclipse>};
  constexpr std::array verbs{&blocked, &eclipse};
  return static_cast<int>(run_tool(argc, argv, verbs, {}));
}
