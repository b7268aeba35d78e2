#pragma once
/// \file `--box` and `--wrap` of verbs about neighbors.

#include <base/errors.hpp>
#include <cstdint>
#include <filesystem>
#include <span>
#include <sphaera/scene.hpp>
#include <sphaera/scene_file.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/options/declare.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// `--box X,Y,Z` or `--box file`: QueryOptions::box. With `--wrap` spheres and queries are moved into it.
class PeriodicBox {
 public:
  void declare(CLI::App& app);
  /// Takes the box of the scene's file if the option says so. Throws UsageError if it gives none, or edges
  /// that are not along x, y and z.
  void take(const SceneFile& file, const std::filesystem::path& path);
  /// With --wrap moves the spheres, and says how many. Throws Error bad_file for those of a saved scene.
  void place(LoadedScene& file, const std::filesystem::path& path, const Console& console) const;
  /// Throws Error for spheres that do not lie within the box.
  void check(const Scene& scene) const;

  /// Refuse points, and balls, that do not fit in the box; with --wrap move them. Null without a box.
  files::PlaceRule points(const Scene& scene);
  files::PlaceRule balls(const Scene& scene);
  /// Says how many points or balls were moved.
  void note_moved(const char* kind, const Console& console) const;

  const Vec3& edges() const { return edges_; }
  bool given() const { return edges_ != Vec3{}; }

 private:
  void take_edges(const SceneFile& file, const std::filesystem::path& path);
  bool lies_inside(const Vec3& center) const;
  void move(Vec3& center);
  void refuse_outside(const LoadedScene& file, const std::filesystem::path& path) const;
  /// Calls ask(), about query `number` at `place`; an error says that --wrap helps where it does.
  template <class Ask>
  void check(const Scene& scene, const Vec3& place, const char* kind, std::int64_t number,
             const Ask& ask) const;

  Vec3 edges_{}, corner_{};
  bool is_of_file_ = false, wraps_ = false;
  std::uint64_t moved_ = 0;  ///< queries
};

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
