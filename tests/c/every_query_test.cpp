/// \file Every query of a scene gives in C the bytes that it gives in C++.

#include <tests/c/every_query.h>

#include <algorithm>
#include <cstddef>
#include <tests/c/c_scene.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/seed.hpp>

namespace sphaera::test {
namespace {

const CQuery* c_query(const Query& query) {
  const auto* const end = c_queries + c_query_count;
  const auto* const found =
      std::find_if(c_queries, end, [&](const CQuery& c) { return c.name == query.name; });
  return found != end ? found : nullptr;
}

constexpr std::size_t room = 100'000;  ///< items of a single answer

/// Calls use(items) with the items of lists that hold them as a type.
template <class Item, class Row>
std::vector<Item> items_of(SphaeraStatus (*get)(const SphaeraLists*, const Row**, size_t*),
                           const SphaeraLists* lists) {
  const Row* items = nullptr;
  size_t count = 0;
  succeeds(get(lists, &items, &count));
  const auto* const first = reinterpret_cast<const Item*>(items);
  return {first, first + count};
}

template <class Item>
Bytes row_of(std::span<const Item> items) {
  Bytes row;
  row.put(std::uint64_t{items.size()});
  for (const Item& item : items) row.put(item);
  return row;
}
Bytes row_of_ids(std::span<const std::int64_t> ids) {
  Bytes row;
  row.put(std::uint64_t{ids.size()});
  for (const std::int64_t id : ids) row.put_sphere(id);
  return row;
}

/// Asks a batch in C for answers of one type.
class CAnswers {
 public:
  CAnswers(const SphaeraScene* scene, const Inputs& inputs, const SphaeraQueryOptions& options)
      : scene_(scene), inputs_(inputs), options_(options) {
    succeeds(sphaera_lists_create(&lists_));
  }

  std::vector<Bytes> batch(const Query& query, std::size_t count, const Questions& q) {
    const CQuery& c = *c_query(query);
    if (query.lists) {
      Place place{nullptr, 0, lists_, 0};
      succeeds(c.ask(scene_, &inputs_, count, &options_, &place));
      return lists(query);
    }
    return of_items(query, [&](auto item) {
      using Item = decltype(item);
      std::vector<Item> items(count * row_size(query, q));
      Place place{items.data(), items.size(), nullptr, 0};
      succeeds(c.ask(scene_, &inputs_, count, &options_, &place));
      std::vector<Bytes> rows;
      for (std::size_t i = 0; i < count; ++i)
        rows.push_back(
            row_of(std::span<const Item>(items).subspan(i * row_size(query, q), row_size(query, q))));
      return rows;
    });
  }

  Bytes alone(const Query& query, std::size_t i, const Questions& q) {
    return of_items(query, [&](auto item) {
      using Item = decltype(item);
      std::vector<Item> items(query.lists ? room : row_size(query, q));
      Place place{items.data(), items.size(), nullptr, items.size()};
      succeeds(c_query(query)->alone(scene_, &inputs_, i, &options_, &place));
      REQUIRE(place.found <= room);
      const auto found = std::span<const Item>(items).first(place.found);
      if constexpr (std::is_same_v<Item, std::int64_t>)
        return std::vector{row_of_ids(found)};
      else
        return std::vector{row_of(found)};
    })[0];
  }

 private:
  static std::size_t row_size(const Query& query, const Questions& q) {
    if (query.name == "nearest of k" || query.name == "nearest_to_spheres") return q.k;
    if (query.name == "visibility") return SightTable::row_bytes(q.targets.size());
    return query.name == "starlight" ? q.stars.size() : 1;
  }
  /// Calls use(Item{}) with the type of the query's answers.
  static std::vector<Bytes> of_items(const Query& query, const auto& use) {
    const std::string& f = query.function;
    if (f == "blocked" || f == "visibility") return use(std::uint8_t{});
    if (f == "first_hit" || f == "all_hits") return use(Hit{});
    if (f == "first_surface_hit") return use(SurfaceHit{});
    if (f == "within") return use(std::int64_t{});
    if (f == "count_within" || f == "count_contacts") return use(std::uint64_t{});
    if (f == "starlight") return use(Visibility{});
    if (f == "irradiance") return use(double{});
    if (f == "sky") return use(SkyShare{});
    if (f == "first_impact" || f == "all_impacts") return use(Impact{});
    if (f == "near_misses") return use(NearMiss{});
    if (f == "exposed_area") return use(ExposedArea{});
    REQUIRE((f.starts_with("nearest") || f == "neighbors_within" || f == "contacts"));
    return use(Neighbor{});
  }
  std::vector<Bytes> lists(const Query& query) {
    if (query.function == "all_hits") return rows(items_of<Hit>(sphaera_lists_hits, lists_));
    if (query.function == "within") return rows(items_of<std::int64_t>(sphaera_lists_ids, lists_));
    if (query.function == "all_impacts") return rows(items_of<Impact>(sphaera_lists_impacts, lists_));
    return rows(items_of<Neighbor>(sphaera_lists_neighbors, lists_));
  }
  template <class Item>
  std::vector<Bytes> rows(const std::vector<Item>& items) {
    const std::uint64_t* offsets = nullptr;
    size_t count = 0;
    succeeds(sphaera_lists_offsets(lists_, &offsets, &count));
    std::vector<Bytes> result;
    for (std::size_t i = 0; i < count; ++i) {
      const auto list = std::span<const Item>(items).subspan(offsets[i], offsets[i + 1] - offsets[i]);
      if constexpr (std::is_same_v<Item, std::int64_t>)
        result.push_back(row_of_ids(list));
      else
        result.push_back(row_of(list));
    }
    return result;
  }

  const SphaeraScene* scene_;
  const Inputs& inputs_;
  SphaeraQueryOptions options_;
  OwnedLists lists_;
};

/// A scene of a kind in both languages, questions to it, and an item of each option for every query.
class Subject {
 public:
  Subject(SceneKind kind, bool moves)
      : random_(seed(), 4711 + static_cast<std::uint64_t>(kind)),
        world_{make_spheres(kind, 150, random_), {}},
        n_(std::max<std::size_t>(150, 200)) {
    if (moves) world_.velocities = make_velocities(world_.spheres, random_);
    questions = draw_questions(world_, smaller() ? 30 : 100, smaller() ? 8 : 20, random_);
    questions.flight.bounces = 2, questions.flight.pierces = 1;
    for (std::size_t i = 0; i < n_; ++i) {
      layers_.push_back(static_cast<std::uint8_t>(random_.below(4)));
      owners_.push_back(static_cast<std::uint32_t>(random_.below(9)));
      masks.push_back(random_.bits() % 16), ids.push_back(random_.below(150) - 1);
      more_ids.push_back(random_.below(150) - 1);
      some_owners.push_back(random_.below(12) - 1), more_owners.push_back(random_.below(12) - 1);
      times.push_back(random_.between(-1, 2)), numbers.push_back(random_.unit());
      gravities.push_back(9.8 * random_.direction());
    }
    const BuildOptions options{.layers = {layers_.data(), 150}, .owners = {owners_.data(), 150}};
    scene = world_.build(options);
    BuildOptions moving = options;
    moving.velocities = world_.velocities, moving.horizon = world_.horizon;
    const SphaeraBuildOptions c = c_options(moving);
    succeeds(sphaera_scene_build(c_rows<SphaeraSphere>(world_.spheres), 150, &c, &c_scene));
  }

  Inputs inputs() const {
    const Questions& q = questions;
    return {c_rows<SphaeraRay>(q.rays),
            c_rows<SphaeraSegment>(q.segments),
            c_rows<SphaeraVec3>(q.points),
            c_rows<SphaeraVec3>(q.targets),
            c_rows<SphaeraBall>(q.balls),
            c_rows<SphaeraBullet>(q.bullets),
            c_rows<SphaeraBullet>(q.fallers),
            c_rows<SphaeraObserver>(q.observers),
            c_rows<SphaeraReceiver>(q.receivers),
            c_rows<SphaeraSkyPoint>(q.skies),
            c_rows<SphaeraStar>(q.stars),
            c_rows<SphaeraSource>(q.sources),
            q.stars.size(),
            q.sources.size(),
            q.targets.size(),
            q.k,
            q.spheres < 150 ? &range_ : nullptr,
            q.max_distance,
            &straight_,
            &falling_,
            &sky_};
  }

  /// Compares the answers of every query that takes the options, and the counts of its work.
  void compare(const QueryOptions& options, const SphaeraQueryOptions& more) {
    range_ = {0, static_cast<std::int64_t>(questions.spheres)};
    straight_ = c_options(questions.flight), falling_ = c_options(questions.falling());
    sky_ = c_options(questions.sky);
    const Inputs in = inputs();
    for (const Query* query : every_query()) {
      INFO(query->name);
      REQUIRE(c_query(*query) != nullptr);
      QueryStats stats;
      QueryOptions fitting = query->fitting(scene, questions, options);
      if (!query->takes(scene, fitting)) continue;
      fitting.stats = &stats;
      const auto expected = query->rows(scene, questions, fitting);
      SphaeraQueryOptions c = with_handles(c_options(fitting), more);
      if (!fitting.accept) c.accept = nullptr;
      SphaeraQueryStats c_stats{};
      c_stats.size = sizeof c_stats, c.stats = &c_stats;
      CHECK((CAnswers(c_scene, in, c).batch(*query, query->count(scene, questions), questions) == expected));
      CHECK(c_stats.queries == stats.queries);
      CHECK(c_stats.candidates == stats.candidates);
      fitting.stats = nullptr;
      compare_alone(*query, in, fitting, more);
    }
  }

  Questions questions;
  std::vector<LayerMask> masks;
  std::vector<std::int64_t> ids, more_ids, some_owners, more_owners;
  std::vector<double> times, numbers;
  std::vector<Vec3> gravities;
  Scene scene;
  OwnedScene c_scene;

 private:
  static SphaeraQueryOptions with_handles(SphaeraQueryOptions options, const SphaeraQueryOptions& more) {
    options.accept = more.accept, options.accept_user = more.accept_user;
    options.stop = more.stop, options.scratch = more.scratch;
    options.viewpoint_indexes = more.viewpoint_indexes;
    options.viewpoint_index_count = more.viewpoint_index_count;
    return options;
  }
  void compare_alone(const Query& query, const Inputs& in, const QueryOptions& options,
                     const SphaeraQueryOptions& more) {
    CHECK((c_query(query)->alone != nullptr) == query.single);
    if (!query.single) return;
    for (std::size_t i = 0; i < std::min<std::size_t>(query.count(scene, questions), 9); ++i) {
      QueryOptions one = query.of_one(options, i);
      one.accept = options.accept;  // is asked about query 0
      SphaeraQueryOptions c = with_handles(c_options(one), more);
      if (!options.accept) c.accept = nullptr;
      CHECK((CAnswers(c_scene, in, c).alone(query, i, questions) == query.alone(scene, questions, i, one)));
    }
  }

  Random random_;
  MovingScene world_;
  std::size_t n_;  ///< items for each option
  std::vector<std::uint8_t> layers_;
  std::vector<std::uint32_t> owners_;
  SphaeraIdRange range_{};
  SphaeraFlightOptions straight_{}, falling_{};
  SphaeraSkyOptions sky_{};
};

bool counts(std::size_t query, std::int64_t sphere) {
  return (query + static_cast<std::size_t>(sphere)) % 3 != 0;
}
int accept(void* user, size_t query, int64_t sphere) {
  return *static_cast<const int*>(user) == 42 && counts(query, sphere) ? 1 : 0;
}

}  // namespace

TEST_CASE("every query gives in C the bytes of C++, with any option", "[c][embree][sized]") {
  for (const SceneKind kind : kinds_to_try()) {
    const bool moves = static_cast<int>(kind) % 2 == 0;
    INFO(name(kind));
    Subject subject(kind, moves);
    OwnedScratch scratch;
    succeeds(sphaera_scratch_create(&scratch));
    SphaeraQueryOptions more = initialized(sphaera_query_options_init);
    subject.compare({}, more);
    subject.questions.spheres = 40;  // the spheres of some ids
    subject.compare({.layers = 7,
                     .ignore = subject.ids,
                     .layers_each = subject.masks,
                     .ignore_owners = subject.some_owners,
                     .grain = 3,
                     .also_ignore_owners = subject.more_owners,
                     .also_ignore = subject.more_ids},
                    more);
    if (moves) subject.compare({.times = subject.times, .search = Search::brute_force}, more);
    subject.compare({.search = Search::embree}, more);
    more.scratch = scratch;
    subject.compare({.threads = 1, .check_inputs = false}, more);
    int user = 42;
    more.accept = accept, more.accept_user = &user;
    subject.compare({.accept = counts, .threads = 1}, more);
  }
}

TEST_CASE("flights have in C the materials, gravities and ends of C++", "[c]") {
  Subject subject(SceneKind::crowd, true);
  Questions& q = subject.questions;
  const std::span<const double> materials(subject.numbers.data(), 150);
  q.flight = {.bounces = 3,
              .pierces = 2,
              .budget = 2,
              .resistances = materials,
              .restitutions = materials,
              .frictions = materials};
  q.gravities.assign(subject.gravities.begin(), subject.gravities.begin() + std::ssize(q.fallers));
  subject.compare({}, initialized(sphaera_query_options_init));
  for (const StartInside start : {StartInside::leaves, StartInside::refuses}) {
    q.flight.start_inside = start;
    subject.compare({}, initialized(sphaera_query_options_init));
  }

  std::vector<FlightEnd> ends(q.bullets.size()), c_ends(q.bullets.size());
  FlightOptions flight = q.flight;
  flight.ends = ends;
  (void)subject.scene.all_impacts(q.bullets, flight);
  SphaeraFlightOptions c = c_options(flight);
  c.ends = c_rows<SphaeraFlightEnd>(c_ends);
  OwnedLists lists;
  succeeds(sphaera_lists_create(&lists));
  succeeds(sphaera_scene_all_impacts(subject.c_scene, c_rows<SphaeraBullet>(q.bullets), q.bullets.size(), &c,
                                     nullptr, lists));
  CHECK((row_of(std::span<const FlightEnd>(c_ends)) == row_of(std::span<const FlightEnd>(ends))));
}

TEST_CASE("skipped queries have in C the statuses and answers of C++", "[c]") {
  Subject subject(SceneKind::uniform, false);
  std::vector<RowStatus> statuses(subject.questions.rays.size()),
      c_statuses(statuses.size(), RowStatus::skipped);
  subject.questions.rays[3].direction = {};
  std::vector<Hit> hits(statuses.size()), c_hits(statuses.size());
  subject.scene.first_hit(subject.questions.rays, hits, {.statuses = statuses});
  SphaeraQueryOptions options = initialized(sphaera_query_options_init);
  options.statuses = c_rows<std::uint8_t>(c_statuses);
  succeeds(sphaera_scene_first_hit(subject.c_scene, c_rows<SphaeraRay>(subject.questions.rays), hits.size(),
                                   &options, c_rows<SphaeraHit>(c_hits)));
  CHECK((row_of(std::span<const Hit>(c_hits)) == row_of(std::span<const Hit>(hits))));
  CHECK(c_statuses == statuses);
  CHECK(c_statuses[3] == RowStatus::skipped);
}

TEST_CASE("a periodic box is that of C++", "[c]") {
  const std::vector<Sphere> spheres{{{0.5, 5, 5}, 1}, {{5, 9.5, 5}, 1}, {{9, 5, 5}, 1}, {{5, 0.75, 5}, 1}};
  OwnedScene scene;
  succeeds(sphaera_scene_build(c_rows<SphaeraSphere>(spheres), spheres.size(), nullptr, &scene));
  OwnedLists lists;
  succeeds(sphaera_lists_create(&lists));
  SphaeraQueryOptions options = initialized(sphaera_query_options_init);
  const auto contacts = [&] {
    const SphaeraNeighbor* items = nullptr;
    size_t count = 0;
    succeeds(sphaera_scene_contacts(scene, nullptr, 0, &options, lists));
    succeeds(sphaera_lists_neighbors(lists, &items, &count));
    return count;
  };
  CHECK(contacts() == 0);
  options.box = {10, 0, 0};
  CHECK(contacts() == 1);
  options.box = {0, 10, 0};
  CHECK(contacts() == 1);
  options.box = {10, 10, 0};
  CHECK(contacts() == 2);
  options.box = {10, 10, 4};
  CHECK(contacts() == 2);
  options.box = {8, 0, 0};
  CHECK(sphaera_scene_contacts(scene, nullptr, 0, &options, lists) == SPHAERA_INVALID_ARGUMENT);
  CHECK(std::string(sphaera_error_text()).find("sphere 2: center.x is 9") == 0);
  options.size = offsetof(SphaeraQueryOptions, box);  // of a program that was built before
  CHECK(contacts() == 0);
}

TEST_CASE("a viewpoint index answers in C as in C++", "[c]") {
  Subject subject(SceneKind::crowd, false);
  std::vector<Star>& stars = subject.questions.stars;
  OwnedIndex index;
  SphaeraViewpointIndexOptions build = initialized(sphaera_viewpoint_index_options_init);
  build.memory_limit = 1;
  CHECK(sphaera_viewpoint_index_build(subject.c_scene, c_rows<SphaeraStar>(stars), &build, &index) ==
        SPHAERA_OUT_OF_MEMORY);
  succeeds(sphaera_viewpoint_index_build(subject.c_scene, c_rows<SphaeraStar>(stars), nullptr, &index));
  const ViewpointIndex expected = subject.scene.viewpoint_index(stars[0]);
  SphaeraViewpointIndexInfo info{};
  info.size = sizeof info;
  succeeds(sphaera_viewpoint_index_info(index, &info));
  CHECK(info.bytes == expected.bytes());
  CHECK(info.boxes == expected.boxes());
  CHECK((info.pays == 1) == expected.pays());
  const SphaeraViewpointIndex* const indexes[] = {index};
  SphaeraQueryOptions options = initialized(sphaera_query_options_init);
  options.viewpoint_indexes = indexes, options.viewpoint_index_count = 1;
  subject.compare({.automatic_viewpoint_indexes = false}, options);
}

}  // namespace sphaera::test
