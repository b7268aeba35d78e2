#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <tests/fuzz/file_name.hpp>

namespace sphaera::fuzz {

namespace {

std::string name;

}  // namespace

const std::string& file_name() { return name; }

}  // namespace sphaera::fuzz

/// libFuzzer calls this before the first input.
extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  const std::string_view program = **arguments;
  const std::size_t start = program.rfind("fuzz_"), format = program.rfind('_');
  if (start == program.npos || format < start + 5) {
    std::fputs("start this as fuzz_SOURCE_FORMAT, for example fuzz_scene_json\n", stderr);
    std::exit(2);
  }
  const std::string_view extension = program.substr(format + 1);
  sphaera::fuzz::name = program[start + 5];
  sphaera::fuzz::name.append(".").append(extension == "gz" ? "csv.gz" : extension);
  return 0;
}
