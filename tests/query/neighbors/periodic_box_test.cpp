/// \file A periodic box: pairs, lists, nearest spheres and their order are those of the oracle, which takes
/// of all 27 images of a sphere the nearest, in exact integers. Images touch to the last bit; spheres lie on
/// faces and corners; scales reach denormals and 2^200.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using oracle::Dyadic, test::Query, test::Random, test::Refusal, test::refusal;

/// The vector from a sphere's nearest image to a point, its square, and the sphere's radius.
struct Image {
  oracle::Vector l;
  Dyadic square, radius;
};

Image nearest_image(const Vec3& x, const Sphere& sphere, const Vec3& box) {
  Image image{{}, 0.0, sphere.radius};
  for (int axis = 0; axis < 3; ++axis) {
    const Dyadic l = Dyadic(x[axis]) - Dyadic(sphere.center[axis]), edge = box[axis];
    Dyadic least = l;
    for (const Dyadic& other : {l + edge, l - edge})
      if (compare(other * other, least * least) < 0) least = other;
    image.l[static_cast<std::size_t>(axis)] = least;
    image.square = image.square + least * least;
  }
  return image;
}

/// Sign of |l| − radius − more.
int sign_beyond(const Image& image, const Dyadic& more) {
  const Dyadic reach = image.radius + more;
  return reach.sign() < 0 ? 1 : compare(image.square, reach * reach);
}

/// Is the double within an ulp of |l| − radius − own?
bool is_close(double distance, const Image& image, double own = 0) {
  return sign_beyond(image, Dyadic(own) + Dyadic(test::step(distance, -1))) >= 0 &&
         sign_beyond(image, Dyadic(own) + Dyadic(test::step(distance, 1))) <= 0;
}

struct World {
  Vec3 box;
  std::vector<Sphere> spheres;
  std::vector<Vec3> points;
  double unit, largest_radius;
};

double& coordinate(Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

Dyadic difference(double a, double b) { return Dyadic(a) - Dyadic(b); }

/// Grows the edges until they hold the centers.
void fit_edges(World& world) {
  for (int axis = 0; axis < 3; ++axis) {
    double& edge = coordinate(world.box, axis);
    if (edge == 0) continue;
    const auto along = [axis](const Sphere& s) { return s.center[axis]; };
    const auto [low, high] = std::ranges::minmax(world.spheres, {}, along);
    while (compare(difference(high.center[axis], low.center[axis]), edge) > 0) edge = test::step(edge, 1);
  }
}

/// A point that is within an edge of all centers, often on a face, an edge or a corner of the box.
Vec3 any_point(const World& world, Random& random) {
  Vec3 point;
  for (int axis = 0; axis < 3; ++axis) {
    const auto along = [axis](const Sphere& s) { return s.center[axis]; };
    const auto [low, high] = std::ranges::minmax(world.spheres, {}, along);
    const double a = low.center[axis], b = high.center[axis], edge = world.box[axis];
    double x = random.one_in(4) ? a : random.one_in(4) ? b : random.between(a, b);
    if (random.one_in(8)) x = random.one_in(2) ? a + edge : b - edge;  // as far away as allowed
    const auto allowed = [&] {
      return edge == 0 || (compare(difference(x, a), edge) <= 0 && compare(difference(b, x), edge) <= 0);
    };
    coordinate(point, axis) = allowed() ? x : a;
  }
  return point;
}

/// Adds copies of spheres on the other side of the box, which touch the first in an image, by an ulp more or
/// less.
void add_touching(World& world, double distance, Random& random) {
  for (std::size_t i = 0; i < 12; ++i) {
    Sphere& s = world.spheres[i];
    const int axis = random.below(3);
    const double edge = world.box[axis];
    if (edge == 0) continue;
    double& at = coordinate(s.center, axis);
    const double low =
        std::ranges::min(world.spheres, {}, [axis](const Sphere& o) { return o.center[axis]; }).center[axis];
    at = low + std::fabs(world.unit) * random.between(0, 0.01);
    Sphere twin = s;
    coordinate(twin.center, axis) = test::step(at - (2 * s.radius + distance) + edge, random.whole(-1, 1));
    world.spheres.push_back(twin);
  }
}

/// 60 spheres, of equal or of several radii, with reach for a distance of 0.25 units.
World make_world(Random& random) {
  constexpr std::array exponents{0, 0, 3, -40, 185, -400, -1050, -1066};
  World world;
  world.unit = std::ldexp(random.one_in(3) ? 1 : random.between(1, 2), exponents[random.below(8u)]);
  const bool equal = random.one_in(2);
  const double off = random.one_in(2) ? 0 : world.unit * random.between(-1e4, 1e4);
  for (int axis = 0; axis < 3; ++axis)
    coordinate(world.box, axis) = random.one_in(5) ? 0 : world.unit * random.between(8, 12);
  if (world.box == Vec3{}) world.box.y = 9 * world.unit;
  for (int i = 0; i < 48; ++i) {
    Sphere s{{}, world.unit * (equal ? 0.5 : random.between(0.2, 1))};
    for (int axis = 0; axis < 3; ++axis) {
      const double edge = world.box[axis] == 0 ? 9 * world.unit : world.box[axis];
      const double part = random.one_in(6) ? random.below(2) : random.unit();
      coordinate(s.center, axis) = off + part * edge;
    }
    world.spheres.push_back(s);
  }
  add_touching(world, random.one_in(2) ? 0 : 0.25 * world.unit, random);
  for (int i = 0; i < 4; ++i) world.spheres.push_back(world.spheres[random.below(world.spheres.size())]);
  fit_edges(world);
  world.largest_radius = std::ranges::max(world.spheres, {}, &Sphere::radius).radius;
  for (int i = 0; i < 30; ++i) world.points.push_back(any_point(world, random));
  for (const Sphere& s : std::span(world.spheres).first(10)) world.points.push_back(s.center);
  return world;
}

template <class Item>
bool same_answers(const std::vector<Item>& a, const std::vector<Item>& b) {
  return test::all_same(a, b);
}
bool same_answers(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) { return a == b; }
template <class Item>
bool same_answers(const Lists<Item>& a, const Lists<Item>& b) {
  return a.offsets == b.offsets && test::all_same(a.items, b.items);
}

/// Decisions compared with the oracle's.
struct Compared {
  std::uint64_t pairs = 0, contacts = 0, met = 0, ordered = 0;
};

/// The images of all spheres that a point sees.
using Seen = std::vector<Image>;

Seen seen_from(const Vec3& x, const World& world) {
  Seen seen;
  for (const Sphere& sphere : world.spheres) seen.push_back(nearest_image(x, sphere, world.box));
  return seen;
}

/// Do all searches give the same? ask(options) → items.
auto by_every_search(const World& world, const auto& ask) {
  const auto answers = ask(QueryOptions{.box = world.box});
  for (const Search search : {Search::brute_force, Search::embree})
    CHECK(same_answers(ask(QueryOptions{.search = search, .box = world.box}), answers));
  return answers;
}

void check_contacts(const World& world, const Scene& scene, double distance,
                    const std::vector<Seen>& of_spheres, Compared& compared) {
  const NeighborLists found =
      by_every_search(world, [&](const QueryOptions& options) { return scene.contacts(distance, options); });
  std::vector<std::uint64_t> counts(world.spheres.size());
  for (std::size_t i = 0; i < world.spheres.size(); ++i) {
    auto next = found[i].begin();
    for (std::size_t j = i + 1; j < world.spheres.size(); ++j) {
      const double own = world.spheres[i].radius;
      const bool touches = sign_beyond(of_spheres[i][j], Dyadic(own) + Dyadic(distance)) <= 0;
      const bool listed = next != found[i].end() && next->sphere == static_cast<std::int64_t>(j);
      ++compared.pairs, compared.contacts += touches, counts[i] += touches, counts[j] += touches;
      if (touches != listed) FAIL_CHECK("spheres " << i << " and " << j << " touch: " << touches);
      if (!listed) continue;
      if (!is_close(next->distance, of_spheres[i][j], own)) FAIL_CHECK("gap " << next->distance);
      ++next;
    }
    CHECK(next == found[i].end());
  }
  CHECK(by_every_search(world, [&](const QueryOptions& options) {
          return scene.count_contacts(distance, options);
        }) == counts);
}

/// Is sphere a before b in a list by distance?
bool before(const Seen& seen, std::int64_t a, std::int64_t b) {
  const Image &first = seen[static_cast<std::size_t>(a)], &second = seen[static_cast<std::size_t>(b)];
  const int order = oracle::compare_distances(oracle::Sight{first.l, {}, first.radius, 0, 0},
                                              oracle::Sight{second.l, {}, second.radius, 0, 0});
  return order != 0 ? order < 0 : a < b;
}

/// Checks distances and order of a list; returns its ids, ascending.
std::vector<std::int64_t> checked_list(std::span<const Neighbor> list, const Seen& seen, Compared& compared) {
  std::vector<std::int64_t> ids;
  for (const Neighbor& n : list) {
    if (!is_close(n.distance, seen[static_cast<std::size_t>(n.sphere)]))
      FAIL_CHECK("distance " << n.distance);
    if (!ids.empty() && !before(seen, ids.back(), n.sphere))
      FAIL_CHECK("the order of spheres " << ids.back() << " and " << n.sphere);
    ids.push_back(n.sphere), ++compared.ordered;
  }
  std::ranges::sort(ids);
  return ids;
}

/// A radius at which the ball touches the image, by an ulp more or less, or any one that the box allows.
double any_radius(const World& world, const Image& image, Random& random) {
  double half = infinity;
  for (int axis = 0; axis < 3; ++axis)
    if (world.box[axis] > 0) half = std::min(half, world.box[axis] / 2);
  const double most = test::step(half - world.largest_radius, -1);
  const double touching = std::sqrt(static_cast<double>(approximate(image.square))) -
                          static_cast<double>(approximate(image.radius));
  const double radius = random.one_in(2) ? test::step(touching, random.whole(-1, 1)) : random.unit() * most;
  return radius >= 0 && radius <= most ? radius : 0;
}

void check_balls(const World& world, const Scene& scene, const std::vector<Seen>& of_points, Random& random,
                 Compared& compared) {
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < world.points.size(); ++i)
    balls.push_back(
        {world.points[i], any_radius(world, of_points[i][random.below(world.spheres.size())], random)});
  const auto ids = by_every_search(world, [&](const auto& options) { return scene.within(balls, options); });
  const auto neighbors =
      by_every_search(world, [&](const auto& options) { return scene.neighbors_within(balls, options); });
  const auto counts =
      by_every_search(world, [&](const auto& options) { return scene.count_within(balls, options); });
  const QueryOptions options{.box = world.box};
  for (std::size_t i = 0; i < balls.size(); ++i) {
    std::vector<std::int64_t> expected;
    for (std::size_t j = 0; j < world.spheres.size(); ++j)
      if (sign_beyond(of_points[i][j], balls[i].radius) <= 0)
        expected.push_back(static_cast<std::int64_t>(j));
    compared.pairs += world.spheres.size(), compared.met += expected.size();
    CHECK(std::ranges::equal(ids[i], expected));
    CHECK(counts[i] == expected.size());
    CHECK(checked_list(neighbors[i], of_points[i], compared) == expected);
    CHECK(scene.within(balls[i], options) == expected);
    CHECK(scene.count_within(balls[i], options) == expected.size());
    CHECK(test::all_same(scene.neighbors_within(balls[i], options), neighbors[i]));
  }
}

/// Is the row that of the k nearest, without the ignored sphere?
void check_row(std::span<const Neighbor> row, const Seen& seen, std::int64_t ignored, Compared& compared) {
  const std::size_t there = std::min(row.size(), seen.size() - (ignored >= 0));
  for (const Neighbor& none : row.subspan(there)) CHECK(test::same(none, Neighbor{}));
  const std::vector<std::int64_t> ids = checked_list(row.first(there), seen, compared);
  CHECK(!std::ranges::binary_search(ids, ignored));
  for (std::int64_t other = 0; other < std::ssize(seen); ++other)
    if (other != ignored && !std::ranges::binary_search(ids, other) &&
        !before(seen, row[there - 1].sphere, other))
      FAIL_CHECK("sphere " << other << " is nearer than the last");
}

void check_nearest(const World& world, const Scene& scene, std::size_t k, const std::vector<Seen>& of_points,
                   const std::vector<Seen>& of_spheres, Compared& compared) {
  const auto found =
      by_every_search(world, [&](const auto& options) { return scene.nearest(world.points, k, options); });
  for (std::size_t i = 0; i < world.points.size(); ++i) {
    const auto row = std::span<const Neighbor>(found).subspan(i * k, k);
    check_row(row, of_points[i], -1, compared);
    std::vector<Neighbor> alone(k);
    scene.nearest(world.points[i], alone, {.box = world.box});
    CHECK(test::all_same(alone, row));
  }
  const auto others =
      by_every_search(world, [&](const auto& options) { return scene.nearest_to_spheres(k, options); });
  for (std::size_t i = 0; i < world.spheres.size(); ++i)
    check_row(std::span<const Neighbor>(others).subspan(i * k, k), of_spheres[i],
              static_cast<std::int64_t>(i), compared);
}

}  // namespace

TEST_CASE("in a periodic box spheres are seen at the nearest of their 27 images", "[query][neighbors][box]") {
  Random random(test::seed());
  Compared compared;
  for (int repeat = 0; repeat < test::fewer_in_repeats(40); ++repeat) {
    const World world = make_world(random);
    INFO("unit " << world.unit << ", box " << world.box.x << ' ' << world.box.y << ' ' << world.box.z);
    const Scene scene = Scene::build(world.spheres);
    std::vector<Seen> of_points, of_spheres;
    for (const Vec3& point : world.points) of_points.push_back(seen_from(point, world));
    for (const Sphere& sphere : world.spheres) of_spheres.push_back(seen_from(sphere.center, world));
    for (const double distance : {0.0, 0.25 * world.unit, -0.3 * world.unit})
      check_contacts(world, scene, distance, of_spheres, compared);
    check_balls(world, scene, of_points, random, compared);
    constexpr std::array<std::size_t, 4> some{1, 3, 20, 80};
    check_nearest(world, scene, some[random.below(some.size())], of_points, of_spheres, compared);
  }
  std::printf(
      "periodic box: %llu pairs decided, %llu contacts, %llu spheres in balls, %llu neighbors in order\n",
      static_cast<unsigned long long>(compared.pairs), static_cast<unsigned long long>(compared.contacts),
      static_cast<unsigned long long>(compared.met), static_cast<unsigned long long>(compared.ordered));
}

namespace {

/// A crowd in a box, 0 … edge along each axis, with layers and owners.
struct Crowd {
  double edge;
  std::vector<Sphere> spheres;
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;

  Crowd(std::size_t n, double size, Random& random) : edge(size) {
    for (std::size_t i = 0; i < n; ++i) {
      spheres.push_back(
          {{edge * random.unit(), edge * random.unit(), edge * random.unit()}, random.between(0.3, 0.6)});
      layers.push_back(static_cast<std::uint8_t>(i % 3)), owners.push_back(static_cast<std::uint32_t>(i % 7));
    }
  }
  Scene scene() const { return Scene::build(spheres, {.layers = layers, .owners = owners}); }
};

/// The rows of all queries that take a box.
test::AllRows rows_in_box(const Scene& scene, const test::Questions& questions, const QueryOptions& options) {
  test::AllRows rows;
  for (const Query* query : test::every_query())
    if (!query->refuses.box)
      rows[query] = query->rows(scene, questions, query->fitting(scene, questions, options));
  return rows;
}

}  // namespace

TEST_CASE("in a periodic box any search, threads, order and filter gives the same bytes",
          "[query][neighbors][box]") {
  Random random(test::seed());
  const Crowd crowd(300 + test::fewer_in_repeats(500u), 12, random);
  Scene scene = crowd.scene();
  test::Questions questions;
  const std::size_t n = 200;
  for (std::size_t i = 0; i < n; ++i) {
    questions.points.push_back(
        {12 * random.unit(), random.one_in(3) ? 0 : 12 * random.unit(), 12 * random.unit()});
    questions.balls.push_back({questions.points.back(), random.between(0, 4)});
  }
  questions.k = 5, questions.spheres = crowd.spheres.size();
  std::vector<std::int64_t> ignore, also, owners;
  std::vector<LayerMask> masks;
  for (std::size_t i = 0; i < crowd.spheres.size(); ++i) {
    ignore.push_back(random.below(static_cast<int>(crowd.spheres.size()))),
        also.push_back(static_cast<std::int64_t>(i / 2));
    owners.push_back(random.whole(-1, 7)), masks.push_back(static_cast<LayerMask>(random.below(8)));
  }
  const Vec3 box{12, 12, 13};
  const auto accept = [](std::size_t i, std::int64_t id) {
    return (i + static_cast<std::size_t>(id)) % 4 != 1;
  };
  const std::vector<QueryOptions> filters{
      {.box = box},
      {.ignore = ignore, .also_ignore_owners = owners, .also_ignore = also, .box = box},
      {.layers = 5, .layers_each = masks, .ignore_owners = owners, .box = box},
      {.accept = accept, .box = box}};
  for (int change = 0; change < 2; ++change) {
    for (const QueryOptions& filter : filters) {
      const test::AllRows expected = rows_in_box(scene, questions, [&] {
        QueryOptions options = filter;
        options.search = Search::brute_force;
        return options;
      }());
      for (const int threads : {1, 3}) {
        QueryOptions options = filter;
        options.threads = threads, options.grain = threads == 1 ? 0 : 7;
        CHECK(test::differing(rows_in_box(scene, questions, options), expected) == "");
        for (const auto& [query, rows] : expected) {
          const std::size_t i = random.below(query->count(scene, questions));
          CHECK(query->alone(scene, questions, i,
                             query->of_one(query->fitting(scene, questions, filter), i)) == rows[i]);
        }
      }
    }
    std::vector<std::int64_t> some;
    for (std::int64_t id = 0; id < std::ssize(crowd.spheres); id += 5) some.push_back(id);
    scene.set_enabled(some, false);
  }
}

TEST_CASE("a periodic box follows the changes of a scene", "[query][neighbors][box]") {
  Scene scene = Scene::build({{{0.5, 5, 5}, 1}, {{9.5, 5, 5}, 1}});
  const QueryOptions options{.box = {10, 10, 10}};
  const NeighborLists first = scene.contacts(0, options);
  REQUIRE(first.items.size() == 1);
  CHECK(test::same(first.items[0], Neighbor{-1, 1}));
  CHECK(scene.contacts(0).items.empty());
  scene.update(std::vector<Vec3>{{0.5, 5, 5}, {7.5, 5, 5}});
  CHECK(scene.contacts(0, options).items.empty());
  const std::int64_t far = scene.insert({{10.75, 5, 5}, 1});
  CHECK(refusal([&] { (void)scene.contacts(0, options); }).message ==
        "sphere 2: center.x is 10.75 and that of sphere 0 is 0.5, farther apart than box.x, 10; wrap all "
        "centers into one box");
  scene.set_enabled(std::span(&far, 1), false);
  CHECK(scene.contacts(0, options).items.empty());
  const std::int64_t one = 1;
  scene.set_radii({&one, 1}, std::vector<double>{2.0});
  CHECK(scene.contacts(0, options).items.size() == 1);
  CHECK(Scene().contacts(0, options).items.empty());
  CHECK(Scene().nearest(Vec3{99, 0, 0}, options).sphere == -1);
}

TEST_CASE("boxes that are refused: edges, centers, points, reaches, times, other queries",
          "[query][neighbors][box]") {
  const Scene scene = Scene::build({{{0, 0, 0}, 1}, {{9, 3, 3}, 2}});
  const auto message = [](const auto& work) { return refusal(work).message; };
  const auto contacts = [&](const Vec3& box, double distance) {
    return message([&] { (void)scene.contacts(distance, {.box = box}); });
  };
  for (const double edge : {-1.0, test::nan, infinity, 0x1.0000000000001p200})
    CHECK(contacts({0, edge, 0}, 0).find("box.y is ") == 0);
  CHECK(contacts({8.5, 0, 0}, 0)
            .find("sphere 1: center.x is 9 and that of sphere 0 is 0, farther apart than box.x, 8.5; wrap "
                  "all centers into one box") == 0);
  CHECK(scene.contacts(1.5, {.box = {9, 0, 0}}).items.size() == 1);
  CHECK(contacts({9, 0, 0}, std::nextafter(1.5, 2))
            .find("distance is 1.5000000000000002 and the largest radii are 2 and 1, together more than half "
                  "of box.x, 9") == 0);

  const QueryOptions in_ten{.box = {10, 0, 10}};
  const Refusal point =
      refusal([&] { (void)scene.nearest(std::vector<Vec3>{{-1, 99, 0}, {0, 0, 11}}, 1, in_ten); });
  CHECK(point.element == 1);
  CHECK(point.message ==
        "point 1: z is 11, farther than box.z, 10, from a sphere's center at 0; wrap it into the box of the "
        "centers");
  CHECK(message([&] { (void)scene.nearest(Vec3{-2, 0, 0}, in_ten); })
            .find("point: x is -2, farther than box.x, 10, from a sphere's center at 9; wrap it into the box "
                  "of the centers") == 0);
  const std::vector<Ball> balls{{{0, 0, 0}, 3}, {{0, 0, 0}, std::nextafter(3, 4)}};
  const Refusal ball = refusal([&] { (void)scene.within(balls, in_ten); });
  CHECK(ball.element == 1);
  CHECK(ball.message.find("ball 1: radius is 3.0000000000000004 and the largest of a sphere is 2, together "
                          "more than half of box.x, 10") == 0);
  std::vector<RowStatus> statuses(2);
  const IdLists lists = scene.within(balls, {.statuses = statuses, .box = {10, 0, 10}});
  CHECK(statuses == std::vector{RowStatus::ok, RowStatus::skipped});
  CHECK(lists[0].size() == 2);
  CHECK(lists[1].empty());
  const double time = 0;
  CHECK(message([&] {
          (void)scene.nearest(Vec3{}, {.times = {&time, 1}, .box = {10, 0, 10}});
        }).find("leave `times` out") != std::string::npos);

  const test::Questions questions = test::questions_along({{{-3, 0, 0}, {1, 0, 0}}}, 1);
  for (const Query* query : test::every_query()) {
    if (!query->refuses.box) continue;
    INFO(query->name);
    for (const auto& work : {std::function<void()>([&] { query->ask(scene, questions, in_ten); }),
                             std::function<void()>([&] { query->ask_alone(scene, questions, 0, in_ten); })})
      CHECK(message(work).find("`box` is for nearest") == 0);
  }
}

}  // namespace sphaera
