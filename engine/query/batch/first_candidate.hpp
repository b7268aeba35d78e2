#pragma once
/// \file The first candidate of a walk along a path, nearest boxes first.

#include <index/tree/walk.hpp>
#include <query/batch/candidate.hpp>

namespace sphaera::query {

/// The earliest candidate so far. Mostly, float bounds separate it from all others, and no sphere is tested
/// in double (../../index/decisions.md). A `Query` has candidate(arithmetic, id); earlier(a, b);
/// enters(id), which says whether the sphere may count if the path enters it; and accepts(id), which says
/// whether a hit on it counts.
class Earliest {
 public:
  /// A miss if there is none.
  const Candidate& candidate() const { return best_; }

  template <class Arithmetic, class Query>
  SPHAERA_INLINE index::TraversalControl test(Query& query, std::uint32_t id) {
    const Candidate found = query.candidate(Arithmetic{}, id);
    if (found.contact == Contact::miss) return index::TraversalControl::go_on;
    if (best_.contact != Contact::miss) {
      if (by_floats_ && !(found.entry_high < best_.entry_low)) {
        best_ = query.candidate(Arithmetic{}, best_.sphere);
        by_floats_ = false;
      }
      if (!query.earlier(found, best_)) return index::TraversalControl::go_on;
    }
    return query.accepts(id) ? accept_hit(query, found, false) : index::TraversalControl::go_on;
  }

  /// The same for a sphere that the path certainly enters between the times `low` and `high`.
  template <class Arithmetic, class Query>
  SPHAERA_INLINE index::TraversalControl test_entered(Query& query, std::uint32_t id, double low,
                                                      double high) {
    if (best_.contact != Contact::miss && !(high < best_.entry_low))
      return best_.entry_high < low ? index::TraversalControl::go_on : test<Arithmetic>(query, id);
    if (!query.enters(id) || !query.accepts(id)) return index::TraversalControl::go_on;
    return accept_hit(query, Candidate(id, low, high), true);
  }

 private:
  template <class Query>
  SPHAERA_INLINE index::TraversalControl accept_hit(Query& query, const Candidate& found, bool by_floats) {
    best_ = found, by_floats_ = by_floats;
    query.t_limit = std::min(query.t_limit, found.entry_high);
    return index::TraversalControl::limit_reduced;
  }

  Candidate best_;
  bool by_floats_ = false;  ///< the entry bounds of `best_` come from a leaf block's floats
};

}  // namespace sphaera::query
