/// \file The command-line tool `sphaera`.

#include <array>
#include <tools/options/command_line.hpp>
#include <tools/terminal/interrupt.hpp>
#include <tools/terminal/stack.hpp>
#include <tools/terminal/streams.hpp>

namespace {

int run(int argc, char** argv) {
  using namespace sphaera::tool;
  constexpr std::array verbs{
      VerbEntry{"info", "counts, extent, likely mistakes and the cost of the index", info_verb},
      VerbEntry{"blocked", "whether a sphere blocks each ray", blocked_verb},
      VerbEntry{"first", "the sphere that each ray meets first", first_verb},
      VerbEntry{"all", "all spheres that each ray meets, in order", all_verb},
      VerbEntry{"nearest", "the spheres nearest to each point, or to each sphere", nearest_verb},
      VerbEntry{"within", "the spheres that touch each ball", within_verb},
      VerbEntry{"starlight", "how much of each star is seen from each place", starlight_verb},
      VerbEntry{"eclipse", "when each body comes into contact with each star", eclipse_verb},
      VerbEntry{"shoot", "what bullets hit among moving spheres, and where they go next", shoot_verb},
      VerbEntry{"map", "starlight over a plane or a globe, as a picture or a table", map_verb},
      VerbEntry{"convert", "a scene in another format", convert_verb},
      VerbEntry{"generate", "a generated scene, and rays or bullets that fit it", generate_verb},
      VerbEntry{"merge", "joins the results of shards", merge_verb},
  };
  hold_standard_streams();
  const Interrupt interrupt;
  clean_up_on_signals();
  return static_cast<int>(run_tool(argc, argv, verbs, interrupt.token()));
}

}  // namespace

int main(int argc, char** argv) { return sphaera::tool::on_enough_stack(run, argc, argv); }
