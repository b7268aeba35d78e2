/// \file all_hits: every sphere that a path meets, in exact order, as the oracle finds them.

#include <algorithm>
#include <sphaera/scene.hpp>
#include <tests/oracle/decide.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/query/paths_by_oracle.hpp>
#include <tests/same.hpp>

namespace sphaera {
namespace {

struct Expected {
  std::int64_t sphere;
  Contact contact;
};

/// The spheres that the path meets, by (entry, id).
template <class Path>
std::vector<Expected> by_oracle(const Path& path, const std::vector<Sphere>& spheres) {
  std::vector<Expected> hits;
  for (std::size_t id = 0; id < spheres.size(); ++id)
    if (const oracle::Sight sight = oracle::sight(path, spheres[id]); oracle::meets(sight))
      hits.push_back({static_cast<std::int64_t>(id), oracle::contact(sight)});
  std::ranges::stable_sort(hits, [&](const Expected& a, const Expected& b) {
    return oracle::compare_entries(oracle::sight(path, spheres[static_cast<std::size_t>(a.sphere)]),
                                   oracle::sight(path, spheres[static_cast<std::size_t>(b.sphere)])) < 0;
  });
  return hits;
}

template <class Path>
int count_wrong_lists(const Scene& scene, const std::vector<Sphere>& spheres,
                      const std::vector<Path>& paths) {
  const HitLists lists = scene.all_hits(paths);
  int wrong = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::vector<Expected> expected = by_oracle(paths[i], spheres);
    wrong += !std::ranges::equal(lists[i], expected, [](const Hit& hit, const Expected& e) {
      return hit.sphere == e.sphere && hit.contact == e.contact;
    });
    wrong += !test::all_same(lists[i], scene.all_hits(paths[i]));
  }
  return wrong;
}

}  // namespace

TEST_CASE("all hits are the spheres that the oracle finds, in its order", "[query]") {
  test::check_paths_on_every_kind(30, test::fewer_in_repeats<std::size_t>(200),
                                  [](const auto&... asked) { return count_wrong_lists(asked...); });
}

TEST_CASE("hits have entry and exit, and are ordered by entry, then by id", "[query]") {
  const std::vector<Sphere> spheres{{{9, 0, 0}, 2}, {{5, 0, 0}, 1}, {{6, 0, 0}, 2},
                                    {{4, 0, 0}, 9}, {{5, 3, 0}, 3}, {{0, 9, 0}, 1}};
  const Scene scene = Scene::build(spheres);
  const std::vector<Hit> hits = scene.all_hits(Ray{{0, 0, 0}, {2, 0, 0}, 0, 4});
  const std::vector<Hit> expected{{0, 6.5, 3, Contact::starts_inside},  // its exit is not clamped
                                  {2, 3, 1, Contact::enters},
                                  {2, 4, 2, Contact::enters},
                                  {2.5, 2.5, 4, Contact::enters},  // a tangent
                                  {3.5, 5.5, 0, Contact::enters}};
  CHECK(test::all_same(hits, expected));
  CHECK(scene.all_hits(Ray{{0, 0, 0}, {-1, 0, 0}, 6, 7}).empty());
}

TEST_CASE("a list of hits may be longer than the room for it", "[query]") {
  std::vector<Sphere> spheres;
  for (int i = 0; i < 20; ++i) spheres.push_back({{3.0 * i, 0, 0}, 1});
  const Scene scene = Scene::build(spheres);
  std::vector<Hit> room(5);
  CHECK(scene.all_hits(Ray{{-9, 0, 0}, {1, 0, 0}}, room) == 20);
  for (std::size_t i = 0; i < room.size(); ++i) CHECK(room[i].sphere == static_cast<std::int64_t>(i));
}

}  // namespace sphaera
