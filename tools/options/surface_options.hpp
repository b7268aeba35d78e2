#pragma once
/// \file The options of `map` that choose a surface.

#include <filesystem>
#include <io/scene/scene_file.hpp>
#include <optional>
#include <stop_token>
#include <tools/options/cli_forward.hpp>
#include <tools/scene/surface.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// A surface, and how a title calls it: "on Earth".
struct PlacedSurface {
  std::unique_ptr<Surface> surface;
  std::string where;
};

/// `--plane`, `--globe` or `--observers`, and what belongs to them.
class SurfaceOptions {
 public:
  void declare(CLI::App& app);

  /// Throws UsageError unless exactly one surface is given, and for a globe that the scene lacks.
  void check() const;
  /// Before the file's spheres go to the index. Throws UsageError for a sphere that the scene lacks; Error.
  /// `digests`: Watch::digests, of the file of receivers.
  PlacedSurface place(const io::SceneFile& file, const Console& console, const std::stop_token& stop,
                      std::vector<io::FileDigest>* digests) const;
  /// The file of receivers; empty: none.
  const std::filesystem::path& observers() const { return observers_; }
  bool is_grid() const { return observers_.empty() || pixels_.has_value(); }

 private:
  PlacedSurface place_plane(const io::SceneFile& file) const;
  PlacedSurface place_globe(const io::SceneFile& file) const;
  PlacedSurface place_listed(const io::SceneFile& file, const Console& console, const std::stop_token& stop,
                             std::vector<io::FileDigest>* digests) const;

  std::optional<Plane> plane_;
  std::string globe_;  ///< id or name; empty: none
  std::filesystem::path observers_;
  std::optional<Pixels> pixels_;
  std::optional<Vec3> north_, meridian_;
  Window window_;
};

}  // namespace sphaera::tool
