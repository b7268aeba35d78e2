#pragma once
/// \file Options of `map` that select a surface.

#include <filesystem>
#include <optional>
#include <sphaera/scene_file.hpp>
#include <stop_token>
#include <tools/options/declare.hpp>
#include <tools/receivers/surface.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// A surface and its name in titles: "on Earth".
struct PlacedSurface {
  std::unique_ptr<Surface> surface;
  std::string where;
};

/// `--plane`, `--globe` or `--observers`, with their further options.
class SurfaceOptions {
 public:
  void declare(CLI::App& app);

  /// Throws UsageError unless exactly one surface is given.
  void check() const;
  /// Call before the scene takes the file's spheres. `digests` (null: none) gets that of the receivers' file.
  /// Throws UsageError if the scene lacks the sphere of --globe; Error if the file of receivers is bad.
  PlacedSurface place(const LoadedScene& file, const CsvOptions& csv, const Console& console,
                      const std::stop_token& stop, std::vector<io::FileDigest>* digests) const;
  /// File of receivers; empty: none.
  const std::filesystem::path& observers() const { return observers_; }
  bool is_plane() const { return plane_.has_value(); }
  bool is_grid() const { return observers_.empty() || pixels_.has_value(); }

 private:
  PlacedSurface place_plane(const LoadedScene& file) const;
  PlacedSurface place_globe(const LoadedScene& file) const;
  PlacedSurface place_listed(const LoadedScene& file, const CsvOptions& csv, const Console& console,
                             const std::stop_token& stop, std::vector<io::FileDigest>* digests) const;

  std::optional<Plane> plane_;
  std::string globe_;  ///< id or name; empty: none
  std::filesystem::path observers_;
  std::optional<Pixels> pixels_;
  std::optional<Vec3> north_, meridian_;
  Window window_;
};

}  // namespace sphaera::tool
