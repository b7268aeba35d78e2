/// \file Lists of a batch within a limit of memory: whole, or an Error that says to ask fewer queries.

#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <string>

#include <tests/catch.hpp>
#include <tests/effort.hpp>

namespace sphaera {
namespace {

const std::size_t queries = test::fewer_in_repeats(300u);

/// Spheres about the origin, each within the next.
Scene shells(int count) {
  std::vector<Sphere> spheres;
  for (int i = 0; i < count; ++i) spheres.push_back({{0, 0, 0}, 1 + 0.001 * i});
  return Scene::build(spheres);
}

template <class Ask>
void check_limit(std::size_t item_bytes, const Ask& ask) {
  const std::size_t items = queries * 5000;
  REQUIRE(ask({}).items.size() == items);
  CHECK(ask({.memory_limit = 2 * items * item_bytes}).items.size() == items);
  try {
    (void)ask({.memory_limit = items * item_bytes / 4});
    FAIL("the lists are longer than the limit");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::out_of_memory);
    CHECK(std::string(error.what()).find("ask fewer queries") != std::string::npos);
  }
}

}  // namespace

TEST_CASE("lists of a batch keep to a limit of memory", "[query]") {
  const Scene scene = shells(5000);
  const std::vector<Ray> rays(queries, Ray{{-10, 0, 0}, {1, 0, 0}});
  const std::vector<Ball> balls(queries, Ball{{0, 0, 0}, 1});
  check_limit(sizeof(Hit), [&](const QueryOptions& options) { return scene.all_hits(rays, options); });
  check_limit(sizeof(std::int64_t),
              [&](const QueryOptions& options) { return scene.within(balls, options); });
  check_limit(sizeof(Neighbor),
              [&](const QueryOptions& options) { return scene.neighbors_within(balls, options); });
}

}  // namespace sphaera
