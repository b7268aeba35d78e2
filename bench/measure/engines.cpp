#include <bench/measure/engine.hpp>

namespace sphaera::bench {

std::string_view name(Query query) {
  constexpr std::array<std::string_view, queries.size()> names{"blocked", "first_hit", "all_hits"};
  return names[static_cast<std::size_t>(query)];
}

std::string_view name(Way way) {
  constexpr std::array<std::string_view, ways.size()> names{"one by one", "packets of 8", "packets of 16",
                                                            "streams", "coherent streams"};
  return names[static_cast<std::size_t>(way)];
}

std::span<const EngineEntry> engines() {
  // Bullet Physics takes 13 s and 1 GB to build 1e6 spheres and answers 0.1 million rays/s there, so it is
  // measured only up to 1e5.
  // Debian's package does not support queries from several threads.
  static constexpr std::array<EngineEntry, 11> all{
      {{"sphaera", make_sphaera},
       {"sphaera-single", make_sphaera_single, Role::first_only, std::numeric_limits<std::uint64_t>::max(),
        1},
       {"naive", make_naive},
       {"builtin", make_builtin},
       {"naive-best", make_naive, Role::at_its_best},
       {"builtin-best", make_builtin, Role::at_its_best},
       {"bullet", make_bullet, Role::full, 100'000, 1},
       {"sphaera-fast", make_sphaera_fast, Role::first_only},
       {"sphaera-compact", make_sphaera_compact, Role::first_only},
       {"sphaera-embree", make_sphaera_embree, Role::first_only},
       {"sphaera-no-star", make_sphaera_no_star, Role::first_only}}};
  return all;
}

}  // namespace sphaera::bench
