#pragma once
/// \file How an index calls a query: visits of leaf blocks, compiled once for each arithmetic.

#include <bit>
#include <index/tree/walk.hpp>

namespace sphaera::query {

/// Tests the spheres of a leaf block that the float filter lets through, one after the other.
///
/// A query has test<Arithmetic>(id). With test_entered<Arithmetic>(id, low, high), that is called for spheres
/// whose entries the float filter bounds; with accept_hit(id), the walk stops at the first sphere hit for
/// certain that it accepts.
template <class Arithmetic, class Query>
SPHAERA_INLINE index::TraversalControl test_leaf_block(Query& query, const index::LeafIds& ids,
                                                       const index::LaneHits& hits) {
  using Control = index::TraversalControl;
  const auto lane_of = [](index::LaneSet lanes)
                           SPHAERA_INLINE_LAMBDA { return static_cast<unsigned>(std::countr_zero(lanes)); };
  if constexpr (requires { query.accept_hit(std::uint32_t{}); }) {
    for (index::LaneSet lanes = hits.surely; lanes != 0; lanes &= lanes - 1)
      if (query.accept_hit(ids[lane_of(lanes)])) return Control::stop;
  }
  Control next = Control::go_on;
  std::uint64_t tested = 0;
  for (index::LaneSet lanes = hits.maybe; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = lane_of(lanes);
    const std::uint32_t id = ids[lane];
    if (id == index::no_sphere) break;  // the float filter did not run: all lanes are given, empty ones last
    ++tested;
    Control one;
    if constexpr (requires { query.template test_entered<Arithmetic>(id, 0, 0); }) {
      one = hits.bounded >> lane & 1
                ? query.template test_entered<Arithmetic>(id, query.local.from(query.entries.low[lane]),
                                                          query.local.to(query.entries.high[lane]))
                : query.template test<Arithmetic>(id);
    } else {
      one = query.template test<Arithmetic>(id);
    }
    if (one != Control::go_on) next = one;
    if (one == Control::stop) break;
  }
  query.candidates += tested;
  return next;
}

/// The same for a query that tests them all at once.
template <class Arithmetic, class Query>
  requires requires(Query& query) { query.template test_block<Arithmetic>({}, {}); }
SPHAERA_INLINE index::TraversalControl test_leaf_block(Query& query, const index::LeafIds& ids,
                                                       const index::LaneHits& hits) {
  return query.template test_block<Arithmetic>(ids, hits);
}

template <class Query>
SPHAERA_TARGET_FMA index::TraversalControl visit_fused(typename Query::Called& walk,
                                                       const index::LeafIds& ids, index::LaneHits hits) {
  return test_leaf_block<exact::Fused>(static_cast<Query&>(walk), ids, hits);
}
template <class Query>
index::TraversalControl visit_plain(typename Query::Called& walk, const index::LeafIds& ids,
                                    index::LaneHits hits) {
  return test_leaf_block<exact::Plain>(static_cast<Query&>(walk), ids, hits);
}
template <class Query>
bool stands_for_equals(const typename Query::Called& walk, std::uint32_t id) {
  return static_cast<const Query&>(walk).settles_equals(id);
}

/// What the index calls of a query. Here a call chooses its arithmetic. Of many equal spheres the index
/// visits one if the query has settles_equals(id): its answer is then the same without those with higher ids.
template <class Query>
const index::Callbacks<typename Query::Called>& callbacks_of(bool fused = exact::has_fma()) {
  using Callbacks = index::Callbacks<typename Query::Called>;
  constexpr typename Callbacks::StandsForEquals equals = [] {
    if constexpr (requires(const Query& query) { query.settles_equals(std::uint32_t{}); })
      return stands_for_equals<Query>;
    else
      return nullptr;
  }();
  static constexpr Callbacks plain{.visit = visit_plain<Query>, .stands_for_equals = equals, .fused = false},
      with_fma{.visit = visit_fused<Query>, .stands_for_equals = equals, .fused = true};
  return fused ? with_fma : plain;
}

}  // namespace sphaera::query
