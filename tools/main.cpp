/// \file The command-line tool `sphaera`.

#include <tools/options/command_line.hpp>
#include <tools/terminal/interrupt.hpp>
#include <tools/terminal/stack.hpp>
#include <tools/terminal/streams.hpp>
#include <tools/verbs/verbs.hpp>

namespace {

int run(int argc, char** argv) {
  using namespace sphaera::tool;
  hold_standard_streams();
  const Interrupt interrupt;
  clean_up_on_signals();
  return static_cast<int>(run_tool(argc, argv, every_verb, interrupt.token()));
}

}  // namespace

int main(int argc, char** argv) { return sphaera::tool::on_enough_stack(run, argc, argv); }
