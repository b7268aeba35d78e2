#pragma once
/// \file The ball that a sphere's contacts meet.

#include <scene/state.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::query {

/// A sphere grown by the distance of contacts. It holds more if the sum of radius and distance was rounded
/// up.
struct Reach : Ball {};

/// The sphere was checked when it entered the scene, the distance by the query.
inline bool answerable(const SceneState&, const Reach&) { return true; }
inline void check_input(const SceneState&, const Reach&, std::int64_t) {}

}  // namespace sphaera::query
