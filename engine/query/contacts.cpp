#include <cmath>
#include <exact/predicates/compare_gap.hpp>
#include <exact/roots/distance.hpp>
#include <query/batch/list_answers.hpp>
#include <query/neighbors/ball_answers.hpp>
#include <query/neighbors/own_spheres.hpp>

namespace sphaera {
namespace query {
namespace {

Ball ball_of(const Sphere& sphere) { return {sphere.center, sphere.radius}; }

/// The spheres of higher id whose gap to one sphere is at most the distance, with the gaps.
class FoundContacts {
 public:
  FoundContacts(std::span<const Sphere> spheres, std::uint32_t id, double distance,
                std::vector<Neighbor>& list)
      : spheres_(spheres),
        own_(ball_of(spheres[id])),
        id_(id),
        distance_(distance),
        list_(list),
        first_(list.size()) {}

  /// Of a sphere that meets the reach: does it make a pair? The reach may be larger than the exact sum.
  SPHAERA_INLINE bool takes(std::uint32_t id) {
    return id > id_ &&
           (distance_ == 0 || exact::compare_gap(own_, ball_of(spheres_[id]), distance_, counts_) <= 0);
  }
  SPHAERA_INLINE void add(std::uint32_t id) { list_.push_back({0, id}); }
  SPHAERA_INLINE void add_block(const index::LeafIds& ids) {
    for (std::size_t lane = 0; lane < ids.size(); ++lane)
      if (takes(ids[lane])) add(ids[lane]);
  }
  SPHAERA_INLINE void add_in_order(std::span<const std::uint32_t> ids) {
    for (const std::uint32_t id : ids)
      if (takes(id)) add(id);
  }
  void finish(const SpheresAtTime&, exact::Counts& counts) {
    const std::span<Neighbor> found = std::span(list_).subspan(first_);
    if (!std::ranges::is_sorted(found, {}, &Neighbor::sphere))
      std::ranges::sort(found, {}, &Neighbor::sphere);
    for (Neighbor& other : found)
      other.distance = exact::gap(own_, ball_of(spheres_[static_cast<std::size_t>(other.sphere)]));
    counts.double_double += counts_.double_double, counts.exact += counts_.exact;
  }

 private:
  std::span<const Sphere> spheres_;
  Ball own_;
  std::uint32_t id_;
  double distance_;
  std::vector<Neighbor>& list_;
  std::size_t first_;
  exact::Counts counts_;
};

/// The least double ≥ radius + distance, at least 0.
double reach_of(double radius, double distance) {
  const double sum = radius + distance;
  return std::max(0.0, exact::two_sum(radius, distance).lo > 0 ? std::nextafter(sum, infinity) : sum);
}

void set_reaches(std::span<const Sphere> spheres, double distance, const QueryOptions& options,
                 std::vector<Reach>& reaches) {
  base::with_memory_errors([&] {
    in_arena_of(options, [&] {
      reaches.resize(spheres.size());
      base::parallel_pieces(spheres.size(), base::cheap_items_per_piece,
                            [&](std::size_t begin, std::size_t end) {
                              for (std::size_t i = begin; i < end; ++i)
                                reaches[i] = {{spheres[i].center, reach_of(spheres[i].radius, distance)}};
                            });
    });
  });
}

/// The options for the queries of a range, numbered from 0.
QueryOptions options_of(const IdRange& ids, QueryOptions options) {
  const auto first = static_cast<std::size_t>(ids.first), count = static_cast<std::size_t>(ids.count);
  const auto keep = [&](auto& items) {
    if (!items.empty()) items = items.subspan(first, count);
  };
  keep(options.layers_each), keep(options.ignore_owners), keep(options.also_ignore_owners);
  keep(options.statuses);
  if (options.accept && first > 0)
    options.accept = [accept = options.accept, first](std::size_t query, std::int64_t id) {
      return accept(first + query, id);
    };
  return options;
}

}  // namespace
}  // namespace query

void Scene::contacts(IdRange ids, double distance, NeighborLists& lists, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  lists.items.clear(), lists.offsets.clear();
  query::check_ids(state(), ids);
  if (!base::in_domain(distance))
    base::refuse_value("distance", distance, "a finite number of at most 2^200 in magnitude");
  query::refuse_times(options, "contacts");
  query::refuse_ignore(options);
  query::check_options(state(), options, state().spheres.span().size());
  const std::span<const Sphere> spheres = state().spheres.span();
  const auto first = static_cast<std::uint32_t>(ids.first);
  const QueryOptions own = query::options_of(ids, options);
  query::BatchScratch scratch(options);
  std::vector<query::Reach>& reaches = (*scratch).reaches;
  query::set_reaches(spheres.subspan(first, static_cast<std::size_t>(ids.count)), distance, options, reaches);
  query::run_lists<query::WalkOrder::own>(
      state(), std::span<const query::Reach>(reaches), lists, own,
      [&](auto arithmetic, const query::ListPiece<query::Reach, Neighbor>& piece,
          QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::BallAnswers<decltype(arithmetic)> answers(state(), own, piece.piece.scratch, stats,
                                                         query::NearbySpheres::Order::by_id);
        piece.each_numbered([&](std::size_t i, std::size_t j) SPHAERA_INLINE_LAMBDA {
          query::FoundContacts found(spheres, first + static_cast<std::uint32_t>(i), distance, piece.items);
          answers.answer(piece.piece, i, j, found);
        });
      },
      [&](query::OrderScratch& memory) {
        query::order_of_spheres(state(), ids, options, memory);
        std::erase_if(memory.order, [&](std::uint32_t id) {
          return !query::SphereFilter(state(), options, id).sees_layer_of(id);
        });
        for (std::uint32_t& id : memory.order) id -= first;
        return std::span<const std::uint32_t>(memory.order);
      });
}

NeighborLists Scene::contacts(IdRange ids, double distance, const QueryOptions& options) const {
  return query::lists_of<Neighbor>([&](NeighborLists& lists) { contacts(ids, distance, lists, options); });
}

void Scene::contacts(double distance, NeighborLists& lists, const QueryOptions& options) const {
  contacts(query::all_ids(state()), distance, lists, options);
}

NeighborLists Scene::contacts(double distance, const QueryOptions& options) const {
  return contacts(query::all_ids(state()), distance, options);
}

}  // namespace sphaera
