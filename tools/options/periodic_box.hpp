#pragma once
/// \file `--box` of verbs about neighbors.

#include <base/errors.hpp>
#include <cstdint>
#include <filesystem>
#include <span>
#include <sphaera/scene.hpp>
#include <sphaera/scene_file.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

/// `--box X,Y,Z` or `--box file`: QueryOptions::box.
class PeriodicBox {
 public:
  void declare(CLI::App& app);
  /// Takes the edges of the scene's file if the option says so. Throws UsageError if it gives none, or edges
  /// that are not along x, y and z.
  void take(const SceneFile& file, const std::filesystem::path& path);

  const Vec3& edges() const { return edges_; }
  bool given() const { return edges_ != Vec3{}; }

 private:
  Vec3 edges_{};
  bool is_of_file_ = false;
};

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
