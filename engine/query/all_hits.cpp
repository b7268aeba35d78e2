#include <query/path/hit_block.hpp>
#include <query/path/path_answers.hpp>

namespace sphaera {
namespace {

/// What lists of a batch and of a single query share.
class HitLister : public query::PathAnswers {
 public:
  template <class ScenePath>
  using Walk = query::AllAlong<ScenePath>;

  explicit HitLister(std::vector<query::Candidate>& found) : found_(found) {}

  static constexpr bool walks_together() { return false; }
  template <class ScenePath>
  bool begin(Walk<ScenePath>& walk) {
    found_.clear();
    walk.found = &found_;
    return true;
  }

 private:
  std::vector<query::Candidate>& found_;
};

/// The answers of a batch.
template <class Input>
class AllHits : public HitLister {
 public:
  static constexpr auto walk_order = query::WalkOrder::coherent;

  AllHits(const query::SceneState& state, const query::ListPiece<Input, Hit>& list)
      : HitLister(list.piece.scratch.candidates),
        list_(list),
        hits_(list.piece.inputs, state.spheres.span()) {}

  std::span<std::uint64_t> rows() const { return list_.counts; }
  template <class ScenePath>
  bool begin(Walk<ScenePath>& walk) {
    return HitLister::begin(walk) && !list_.budget.is_full();
  }
  void put(std::size_t i, Walk<query::PathAtRest>& walk) {
    list_.add(i, [&] {
      for (const query::Candidate& met : walk.sorted()) {
        list_.items.emplace_back();
        hits_.add(i, met, list_.items.data(), list_.items.size() - 1);
      }
    });
  }
  void put(std::size_t i, Walk<query::PathAtInstant>& walk) {
    list_.add(i, [&] {
      for (const query::Candidate& met : walk.sorted())
        list_.items.push_back(query::hit_of(walk.scene_path, met));
    });
  }
  void finish() { hits_.write(list_.items.data()); }

 private:
  query::ListPiece<Input, Hit> list_;
  query::HitBlock<Input> hits_;
};

struct HitVector : HitLister {
  using HitLister::HitLister;
  std::vector<Hit> hits;

  template <class ScenePath>
  void put(std::size_t, Walk<ScenePath>& walk) {
    const std::span<const query::Candidate> found = walk.sorted();
    hits.reserve(found.size());
    for (const query::Candidate& met : found) hits.push_back(query::hit_of(walk.scene_path, met));
  }
};

/// As many hits as there is room for.
struct HitsInto : HitLister {
  HitsInto(std::vector<query::Candidate>& found, std::span<Hit> room) : HitLister(found), out(room) {}
  std::span<Hit> out;
  std::size_t hits = 0;  ///< also those without room

  template <class ScenePath>
  void put(std::size_t, Walk<ScenePath>& walk) {
    const std::span<const query::Candidate> found = walk.sorted();
    hits = found.size();
    for (std::size_t j = 0; j < std::min(hits, out.size()); ++j)
      out[j] = query::hit_of(walk.scene_path, found[j]);
  }
};

template <class Input>
HitLists lists_of(const query::SceneState& state, std::span<const Input> inputs,
                  const QueryOptions& options) {
  return query::lists_of<Hit>(
      [&](HitLists& lists) { query::answer_lists<AllHits<Input>>(state, inputs, lists, options); });
}

}  // namespace

HitLists Scene::all_hits(std::span<const Ray> rays, const QueryOptions& options) const {
  return lists_of(state(), rays, options);
}
HitLists Scene::all_hits(std::span<const Segment> segments, const QueryOptions& options) const {
  return lists_of(state(), segments, options);
}
void Scene::all_hits(std::span<const Ray> rays, HitLists& lists, const QueryOptions& options) const {
  query::answer_lists<AllHits<Ray>>(state(), rays, lists, options);
}
void Scene::all_hits(std::span<const Segment> segments, HitLists& lists, const QueryOptions& options) const {
  query::answer_lists<AllHits<Segment>>(state(), segments, lists, options);
}
std::vector<Hit> Scene::all_hits(const Ray& ray, const QueryOptions& options) const {
  query::SingleScratch scratch(options);
  return query::answer_single<HitVector>(state(), ray, options, (*scratch).candidates).hits;
}
std::vector<Hit> Scene::all_hits(const Segment& segment, const QueryOptions& options) const {
  query::SingleScratch scratch(options);
  return query::answer_single<HitVector>(state(), segment, options, (*scratch).candidates).hits;
}
std::size_t Scene::all_hits(const Ray& ray, std::span<Hit> out, const QueryOptions& options) const {
  query::SingleScratch scratch(options);
  return query::answer_single<HitsInto>(state(), ray, options, (*scratch).candidates, out).hits;
}
std::size_t Scene::all_hits(const Segment& segment, std::span<Hit> out, const QueryOptions& options) const {
  query::SingleScratch scratch(options);
  return query::answer_single<HitsInto>(state(), segment, options, (*scratch).candidates, out).hits;
}

}  // namespace sphaera
