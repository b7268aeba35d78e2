#include <cstdio>
#include <tests/attack/readers/lines.hpp>
#include <tests/attack/readers/mutants.hpp>
#include <tests/attack/saved.hpp>

namespace sphaera::attack {

std::vector<Format> formats_of_attack(const std::filesystem::path& corpus,
                                      const std::filesystem::path& scratch) {
  std::vector<Format> all = formats(corpus);
  const std::vector<std::string> saved = saved_examples(scratch);
  for (Format& format : all)
    if (format.name == "scene_sphi") format.files = saved;
  all.push_back({"saved_scene", "s.sphi", saved, open_saved});
  return all;
}

std::uint64_t faults_beforehand() {
  const LineCounts counts = attack_lines();
  const auto faults = static_cast<unsigned long long>(counts.faults);
  std::printf("count mutants\tlines: right\t%llu\ncount mutants\tlines: faults\t%llu\n",
              static_cast<unsigned long long>(counts.tried) - faults, faults);
  return counts.faults;
}

}  // namespace sphaera::attack
