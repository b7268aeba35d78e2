#pragma once
/// \file `--box` of verbs about neighbors.

#include <base/errors.hpp>
#include <cstdint>
#include <span>
#include <sphaera/scene.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

/// Declares `--box X,Y,Z`, the edges of QueryOptions::box.
void add_box(CLI::App& app, Vec3& box);

/// Refuse points, and balls, that do not fit in the box. Null without a box. Throw Error for spheres that do
/// not lie within it.
files::PlaceCheck points_in_box(const Scene& scene, const Vec3& box);
files::PlaceCheck balls_in_box(const Scene& scene, const Vec3& box);

/// Returns ask(), about the scene's own spheres as balls, of these ids. An error about a ball names its
/// sphere.
template <class Ask>
auto ask_about_own(std::span<const std::int64_t> ids, const Ask& ask) {
  try {
    return ask();
  } catch (const Error& error) {
    if (ids.empty() || !error.subject().starts_with("ball")) throw;
    const std::int64_t id = ids[static_cast<std::size_t>(error.element())];
    throw Error(error.code(), base::numbered("sphere", id), error.reason(), id);
  }
}

}  // namespace sphaera::tool
