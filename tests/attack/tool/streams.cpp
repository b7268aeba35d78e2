/// \file Standard streams that are closed, full, broken or open for the wrong direction.

#include <csignal>
#include <tests/attack/splitmix.hpp>
#include <tests/attack/tool/attack.hpp>

namespace sphaera::attack {
namespace {

constexpr std::array inputs{Stream::null, Stream::closed, Stream::broken, Stream::wrong_way};
constexpr std::array outputs{Stream::caught, Stream::null,   Stream::closed,
                             Stream::full,   Stream::broken, Stream::wrong_way};

/// A command line that is not in `setup.calls`. It leaves no output file. `prints`: it writes to standard
/// output; `code`: its exit code.
struct Request {
  const char* arguments;
  bool prints;
  int code;
};
constexpr std::array requests{Request{"--help", true, 0},
                              Request{"--version", true, 0},
                              Request{"first --help", true, 0},
                              Request{"first ../in/bad.csv --rays ../in/r.csv --output x.csv", false, 3},
                              Request{"convert ../in/t.json --output x.csv --frob", false, 2},
                              Request{"nearest ../in/s.csv --points ../in/none.csv", false, 3}};

/// What one attempt combines: call, output, streams. `ignores`: the tool starts with SIGPIPE ignored.
struct Choice {
  std::size_t call;  ///< index of the call; from calls.size() on, of the request
  bool to_file, ignores;
  std::array<Stream, 3> streams;
};

class Streams : public Attack {
 public:
  explicit Streams(const AttackSetup& setup) : setup_(setup) { inputs_ = files_of(setup.folder / "in"); }

  std::uint64_t size() const override {
    return (setup_.calls.size() + requests.size()) * 2 * 2 * inputs.size() * outputs.size() * outputs.size();
  }

  Verdict attempt(std::uint64_t number) override {
    const Choice choice = chosen(number);
    if (choice.call >= setup_.calls.size()) return request(choice);
    const ToolCall& call = setup_.calls[choice.call];
    const std::filesystem::path work = setup_.folder / "work";
    make_empty(work);
    const bool to_file = choice.to_file || !call.prints;
    const Files before = number % 2 == 0 ? write_old_files(call, work) : Files();
    const Launch launch = launch_of(choice, call.words(to_file));
    const Ended ended = run(launch);
    Verdict verdict{ended.how(), "", text_of(launch)};
    verdict.fault =
        to_file ? fault_to_file(call, before, choice, ended) : fault_to_stream(call, before, choice, ended);
    finish(verdict, ended, choice);
    return verdict;
  }

 private:
  Choice chosen(std::uint64_t number) const {
    const auto take = [&](std::size_t n) {
      const std::uint64_t digit = number % n;
      number /= n;
      return static_cast<std::size_t>(digit);
    };
    Choice choice{};
    choice.to_file = take(2) == 0;
    choice.ignores = take(2) == 0;
    choice.streams[1] = outputs[take(outputs.size())];
    choice.streams[2] = outputs[take(outputs.size())];
    choice.streams[0] = inputs[take(inputs.size())];
    choice.call = static_cast<std::size_t>(number);
    return choice;
  }

  Launch launch_of(const Choice& choice, std::vector<std::string> words) const {
    return {.tool = setup_.tool,
            .arguments = std::move(words),
            .folder = setup_.folder / "work",
            .streams = choice.streams,
            .ignores_pipe_signal = choice.ignores};
  }

  static bool dies_of_pipe(const Ended& ended, const Choice& choice, std::size_t n) {
    return ended.signal == SIGPIPE && !choice.ignores && choice.streams[n] == Stream::broken;
  }

  /// Standard output is not used, so its state must not matter: the files are complete. Messages that cannot
  /// be written are no error either, but a broken pipe on standard error may end the tool (SIGPIPE).
  std::string fault_to_file(const ToolCall& call, const Files& before, const Choice& choice,
                            const Ended& ended) const {
    const std::filesystem::path work = setup_.folder / "work";
    if (dies_of_pipe(ended, choice, 2)) return fault_in_files(call, before, work, FilesAfter::unchanged);
    if (ended.code != 0) return "does not exit with 0";
    if (!ended.out.empty()) return "prints on standard output though there is an output file";
    return fault_in_files(call, before, work, FilesAfter::complete);
  }

  std::string fault_to_stream(const ToolCall& call, const Files& before, const Choice& choice,
                              const Ended& ended) const {
    const Stream out = choice.streams[1];
    const std::string fault = fault_in_files(call, before, setup_.folder / "work", FilesAfter::unchanged);
    if (!fault.empty()) return fault;
    if (dies_of_pipe(ended, choice, 1) || dies_of_pipe(ended, choice, 2)) return {};
    if (out == Stream::caught || out == Stream::null) {
      if (ended.code != 0) return "does not exit with 0";
      const bool right = out == Stream::null || lasting(ended.out) == lasting(call.out);
      return right ? "" : "standard output is not what it must be";
    }
    return ended.code == 4 ? "" : "does not exit with 4";
  }

  Verdict request(const Choice& choice) {
    const Request& request = requests[choice.call - setup_.calls.size()];
    make_empty(setup_.folder / "work");
    const ToolCall call{"request", request.arguments, ""};
    const Launch launch = launch_of(choice, call.words(false));
    const Ended ended = run(launch);
    Verdict verdict{ended.how(), "", text_of(launch)};
    const Stream out = choice.streams[1];
    const bool lost = request.prints && out != Stream::caught && out != Stream::null;
    const int code = lost ? 4 : request.code;
    const bool pipe = (request.prints && dies_of_pipe(ended, choice, 1)) || dies_of_pipe(ended, choice, 2);
    // The tool may notice that standard output is not writable before it reads the input.
    const bool early = !lost && ended.code == 4 && (out == Stream::closed || out == Stream::wrong_way);
    if (!pipe && !early && ended.code != code) verdict.fault = "does not exit with " + std::to_string(code);
    if (verdict.fault.empty())
      verdict.fault = fault_in_files(call, {}, setup_.folder / "work", FilesAfter::unchanged);
    finish(verdict, ended, choice);
    return verdict;
  }

  /// Checks of every attempt: no hang, a message of the right form, unchanged inputs.
  void finish(Verdict& verdict, const Ended& ended, const Choice& choice) {
    if (ended.hung) verdict.fault = "hangs";
    const bool caught = choice.streams[2] == Stream::caught;
    if (verdict.fault.empty() && ended.signal == 0 && caught) verdict.fault = fault_in_message(ended);
    if (files_of(setup_.folder / "in") == inputs_) return;
    verdict.fault = "an input has changed";
    for (const auto& [name, bytes] : inputs_) write_file(setup_.folder / "in" / name, bytes);
  }

  const AttackSetup& setup_;
  Files inputs_;
};

}  // namespace

std::unique_ptr<Attack> streams_attack(const AttackSetup& setup) { return std::make_unique<Streams>(setup); }

}  // namespace sphaera::attack
