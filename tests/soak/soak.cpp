/// \file The long run: as many cases as one likes, against the oracle, resumable.
///
///     sphaera_soak --cases 1e9 --state soak.state [--threads N] [--seed N]
///
/// Cases come in blocks, each with a stream of random numbers of its own; the state file says how many blocks
/// are done and what they counted, so that a run that was stopped goes on where it was. It is written to a
/// temporary and renamed. Exit codes: 0 done, 1 a wrong decision (all inputs printed in hex), 2 usage, 3 a
/// state file that cannot be read or written.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <tests/cases/stages.hpp>
#include <thread>
#include <vector>

namespace {

using namespace sphaera::test;

constexpr std::uint64_t cases_of_a_block = 2'048;
constexpr std::uint64_t blocks_of_a_round = 64;  // between two writes of the state: about a second a thread
constexpr int stage_check_interval = 4;          // one of so many cases is also decided by each stage alone

struct Options {
  std::uint64_t cases = 0, seed = 1;
  unsigned threads = 1;
  std::filesystem::path state;
};

/// What is done: the first `blocks` blocks of a seed.
struct State {
  std::uint64_t seed = 0, blocks = 0;
  Tally tally;

  std::uint64_t cases() const { return blocks * cases_of_a_block; }
};

[[noreturn]] void stop(int code, const std::string& message) {
  std::cerr << "sphaera_soak: " << message << "\n";
  std::exit(code);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    const double number = std::strtod(value.c_str(), nullptr);
    if (name == "--cases") {
      options.cases = static_cast<std::uint64_t>(number);
    } else if (name == "--state") {
      options.state = value;
    } else if (name == "--threads") {
      options.threads = static_cast<unsigned>(number);
    } else if (name == "--seed") {
      options.seed = std::strtoull(value.c_str(), nullptr, 0);
    } else {
      stop(2, "unknown option " + name);
    }
  }
  if (argc % 2 == 0 || options.cases == 0 || options.state.empty() || options.threads == 0) {
    stop(2, "usage: sphaera_soak --cases N --state FILE [--threads N] [--seed N]");
  }
  return options;
}

constexpr const char* header = "sphaera_soak 1";

void write(const State& state, const std::filesystem::path& path) {
  const std::filesystem::path temporary = path.string() + ".new";
  std::ofstream file(temporary);
  file << header << "\nseed " << state.seed << "\nblocks " << state.blocks << "\n";
  for (const auto& row : state.tally.cells)
    for (const Tally::Cell& cell : row)
      file << cell.asked << " " << cell.double_double << " " << cell.exact << "\n";
  file.close();
  if (!file) stop(3, "cannot write " + temporary.string());
  std::filesystem::rename(temporary, path);
}

/// The state of an earlier run, or a fresh one.
State read(const Options& options) {
  State state{options.seed, 0, {}};
  if (!std::filesystem::exists(options.state)) return state;
  std::ifstream file(options.state);
  std::string title, seed_word, blocks_word;
  std::getline(file, title);
  file >> seed_word >> state.seed >> blocks_word >> state.blocks;
  for (auto& row : state.tally.cells)
    for (Tally::Cell& cell : row) file >> cell.asked >> cell.double_double >> cell.exact;
  if (!file || title != header || seed_word != "seed" || blocks_word != "blocks") {
    stop(3, options.state.string() + " is not a state of this program: remove it or name another");
  }
  if (state.seed != options.seed) {
    stop(3, options.state.string() + " is of seed " + std::to_string(state.seed) +
                ": give --seed or another file");
  }
  return state;
}

/// All families in turn. Empty, or the first wrong decision.
std::string run_block(std::uint64_t seed, std::uint64_t block, Tally& tally) {
  Random random(seed, block);
  Stages stages;
  for (std::uint64_t i = 0; i < cases_of_a_block; ++i) {
    const auto family = static_cast<Family>(i % family_count);
    const Case c = make_case(family, random);
    const Truths truth = truths(c);
    std::string wrong = check(c, truth, tally);
    if (wrong.empty() && random.one_in(stage_check_interval)) {
      wrong = check_filter(c, truth, stages);
      if (wrong.empty()) wrong = check_sums(make_sums(family, random), stages);
    }
    if (!wrong.empty()) return wrong;
  }
  return {};
}

/// Adds blocks state.blocks … state.blocks + count − 1.
void run_round(State& state, std::uint64_t count, unsigned threads) {
  std::atomic<std::uint64_t> next = state.blocks;
  std::mutex mutex;
  const std::uint64_t end = state.blocks + count;
  const auto work = [&] {
    Tally tally;
    for (std::uint64_t block = next++; block < end; block = next++) {
      const std::string wrong = run_block(state.seed, block, tally);
      if (!wrong.empty()) stop(1, "block " + std::to_string(block) + ": " + wrong);
    }
    const std::scoped_lock lock(mutex);
    state.tally += tally;
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i) workers.emplace_back(work);
  }
  state.blocks = end;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  State state = read(options);
  const std::uint64_t blocks = (options.cases + cases_of_a_block - 1) / cases_of_a_block,
                      first = state.blocks;
  const auto start = std::chrono::steady_clock::now();
  while (state.blocks < blocks) {
    run_round(state, std::min(blocks - state.blocks, blocks_of_a_round * options.threads), options.threads);
    write(state, options.state);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const double rate = static_cast<double>((state.blocks - first) * cases_of_a_block) / passed.count();
    std::printf("%llu cases, %.0f a second, 0 wrong\n", static_cast<unsigned long long>(state.cases()), rate);
    std::fflush(stdout);
  }
  state.tally.print();
  return 0;
}
