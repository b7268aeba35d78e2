#pragma once
/// \file Every query of a scene, once. A test of all queries goes through this list; a new query is one more
/// declaration in every_query.cpp.

#include <map>
#include <span>
#include <string>
#include <tests/queries/query.hpp>
#include <vector>

namespace sphaera::test {

/// Each for all that it may be about: rays and segments, one neighbor and several, flights with gravity and
/// without.
std::span<const Query* const> every_query();

/// The answers of every query by the search that the options ask for, if it has it: one row for each query of
/// the batch. Each gets the options that are fitting for it.
using AllRows = std::map<const Query*, std::vector<Bytes>>;
AllRows all_rows(const Scene& scene, const Questions& questions, const QueryOptions& options = {});
/// The names of the queries in `found` that have other rows in `expected`; empty if there are none. So that a
/// test compares something, a query without rows differs, too, unless it is about the spheres of the scene,
/// and so does an empty `found`.
std::string differing(const AllRows& found, const AllRows& expected);

}  // namespace sphaera::test
