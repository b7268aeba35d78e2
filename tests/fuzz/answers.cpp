/// Any bytes make a scene and queries, which checks.hpp compares.

#include <cstdio>
#include <cstdlib>
#include <tests/fuzz/checks.hpp>

namespace sphaera::fuzz {

QueryOptions options_of(const FuzzCase& fuzzed, Search search) {
  const Restriction& r = fuzzed.restriction;
  QueryOptions options{.layers = r.layers,
                       .ignore = r.ignore,
                       .layers_each = r.layers_each,
                       .ignore_owners = r.ignore_owners,
                       .times = r.times,
                       .search = search,
                       .threads = 1,
                       .also_ignore_owners = r.also_ignore_owners};
  if (r.accept != 0)
    options.accept = [modulus = r.accept](std::size_t query, std::int64_t sphere) {
      return (query + static_cast<std::uint64_t>(sphere)) % modulus != 0;
    };
  return options;
}

void fail(const FuzzCase& fuzzed, const std::string& query, const char* what) {
  std::fprintf(stderr, "%s: %s\n", query.c_str(), what);
  print(fuzzed);
  std::abort();
}

}  // namespace sphaera::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sphaera;
  const fuzz::FuzzCase fuzzed = fuzz::decode({bytes, size});
  Scene scene;
  try {
    BuildOptions options{.layers = fuzzed.layers,
                         .owners = fuzzed.owners,
                         .velocities = fuzzed.velocities,
                         .horizon = fuzzed.horizon,
                         .quality = fuzzed.quality};
    options.threads = 1;
    scene = Scene::build(fuzzed.spheres, options);
  } catch (const Error&) {
    return 0;  // a sphere leaves the domain
  }
  fuzz::compare_searches(fuzzed, scene);
  fuzz::compare_single_queries(fuzzed, scene);
  fuzz::compare_with_oracle(fuzzed, scene);
  return 0;
}
