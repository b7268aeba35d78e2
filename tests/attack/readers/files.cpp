#include <cstdio>
#include <tests/attack/readers/lines.hpp>
#include <tests/attack/readers/mutants.hpp>

namespace sphaera::attack {

std::vector<Format> formats_of_attack(const std::filesystem::path& corpus, const std::filesystem::path&) {
  return formats(corpus);
}

std::uint64_t faults_beforehand() {
  const LineCounts counts = attack_lines();
  const auto faults = static_cast<unsigned long long>(counts.faults);
  std::printf("count mutants\tlines: right\t%llu\ncount mutants\tlines: faults\t%llu\n",
              static_cast<unsigned long long>(counts.tried) - faults, faults);
  return counts.faults;
}

}  // namespace sphaera::attack
