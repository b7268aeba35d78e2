#include <algorithm>
#include <tests/answer_bytes.hpp>
#include <tests/fuzz/checks.hpp>

namespace sphaera::fuzz {
namespace {

using test::Bytes;

/// The options of query i of a batch, alone.
QueryOptions alone(const QueryOptions& batch, std::size_t i) {
  QueryOptions options = batch;
  const auto one = [i](auto& items) { items = items.empty() ? items : items.subspan(i, 1); };
  one(options.layers_each), one(options.ignore), one(options.times);
  one(options.ignore_owners), one(options.also_ignore_owners);
  options.statuses = {};
  if (batch.accept)
    options.accept = [accept = batch.accept, i](std::size_t, std::int64_t s) { return accept(i, s); };
  return options;
}

template <class Answer>
Bytes bytes(const Answer& answer) {
  Bytes out;
  out.put(answer);
  return out;
}

/// Batches of n queries, and their queries alone. In `Single`, (options, i) is the call for query i.
class Rows {
 public:
  Rows(const FuzzCase& fuzzed, About about, std::size_t n) : fuzzed_(fuzzed), about_(about), n_(n) {}

  template <class Batch, class Single>
  void compare(const char* query, const Batch& batch, const Single& single) const {
    for (const Search search : {Search::index, Search::brute_force}) {
      std::vector<RowStatus> rows(n_);
      QueryOptions options = options_of(fuzzed_, about_, n_, search);
      options.statuses = rows;
      const auto answers = batch(options);
      for (std::size_t i = 0; i < n_; ++i) {
        try {
          const auto answer = single(alone(options, i), i);
          if (rows[i] == RowStatus::skipped) fail(fuzzed_, query, "alone it takes a row that a batch skips");
          if (bytes(answer) != bytes(answers[i])) fail(fuzzed_, query, "alone it answers otherwise");
        } catch (const Error&) {
          if (rows[i] == RowStatus::ok) fail(fuzzed_, query, "alone it refuses a row that a batch takes");
        }
      }
    }
  }
  /// The same for lists, and for the form that writes the first two items into a span.
  template <class Item, class Batch, class Single>
  void compare_lists(const char* query, const Batch& batch, const Single& single) const {
    compare(query, batch, [&](const QueryOptions& o, std::size_t i) {
      const std::vector<Item> list = single(o, i);
      std::vector<Item> first(2),
          expected(list.begin(), list.begin() + std::min<std::ptrdiff_t>(2, std::ssize(list)));
      const std::size_t all = single(o, i, std::span<Item>(first));
      first.resize(expected.size());
      if (all != list.size() || bytes(first) != bytes(expected))
        fail(fuzzed_, query, "into a span it answers otherwise");
      return list;
    });
  }

 private:
  const FuzzCase& fuzzed_;
  About about_;
  std::size_t n_;
};

template <class Path>
void compare_paths(const Rows& rows, const Scene& scene, const std::vector<Path>& paths) {
  using Options = const QueryOptions&;
  rows.compare(
      "blocked",
      [&](Options o) {
        const std::vector<std::uint8_t> all = scene.blocked(paths, o);
        return std::vector<int>(all.begin(), all.end());
      },
      [&](Options o, std::size_t i) { return static_cast<int>(scene.blocked(paths[i], o)); });
  rows.compare(
      "first_hit", [&](Options o) { return scene.first_hit(paths, o); },
      [&](Options o, std::size_t i) { return scene.first_hit(paths[i], o); });
  rows.compare(
      "first_surface_hit", [&](Options o) { return scene.first_surface_hit(paths, o); },
      [&](Options o, std::size_t i) { return scene.first_surface_hit(paths[i], o); });
  rows.compare_lists<Hit>(
      "all_hits", [&](Options o) { return scene.all_hits(paths, o); },
      [&](Options o, std::size_t i, auto... out) { return scene.all_hits(paths[i], out..., o); });
}

void compare_places(const FuzzCase& w, const Scene& scene) {
  using Options = const QueryOptions&;
  const Rows rows(w, About::places, w.rays.size());
  compare_paths(rows, scene, w.rays);
  compare_paths(rows, scene, w.segments);
  rows.compare(
      "nearest", [&](Options o) { return scene.nearest(w.points, 1, o); },
      [&](Options o, std::size_t i) {
        Neighbor into;
        scene.nearest(w.points[i], {&into, 1}, o);
        const Neighbor answer = scene.nearest(w.points[i], o);
        if (bytes(into) != bytes(answer)) fail(w, "nearest", "into a span it answers otherwise");
        return answer;
      });
  rows.compare(
      "count_within", [&](Options o) { return scene.count_within(w.balls, o); },
      [&](Options o, std::size_t i) { return scene.count_within(w.balls[i], o); });
  rows.compare_lists<std::int64_t>(
      "within", [&](Options o) { return scene.within(w.balls, o); },
      [&](Options o, std::size_t i, auto... out) { return scene.within(w.balls[i], out..., o); });
  rows.compare_lists<Neighbor>(
      "neighbors_within", [&](Options o) { return scene.neighbors_within(w.balls, o); },
      [&](Options o, std::size_t i, auto... out) { return scene.neighbors_within(w.balls[i], out..., o); });
}

void compare_flights(const FuzzCase& w, const Scene& scene) {
  using Options = const QueryOptions&;
  const Rows rows(w, About::flights, w.bullets.size());
  const FlightOptions flight = flight_of(w);
  const auto alone = [&](std::size_t i) {
    FlightOptions one = flight;
    if (!one.gravities.empty()) one.gravities = one.gravities.subspan(i, 1);
    return one;
  };
  rows.compare(
      "first_impact", [&](Options o) { return scene.first_impact(w.bullets, flight, o); },
      [&](Options o, std::size_t i) { return scene.first_impact(w.bullets[i], alone(i), o); });
  rows.compare_lists<Impact>(
      "all_impacts", [&](Options o) { return scene.all_impacts(w.bullets, flight, o); },
      [&](Options o, std::size_t i, auto... out) {
        return scene.all_impacts(w.bullets[i], out..., alone(i), o);
      });
}

}  // namespace

void compare_single_queries(const FuzzCase& fuzzed, const Scene& scene) {
  compare_places(fuzzed, scene);
  compare_flights(fuzzed, scene);
}

}  // namespace sphaera::fuzz
