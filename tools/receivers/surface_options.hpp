#pragma once
/// \file Options of `map` that select a surface.

#include <filesystem>
#include <optional>
#include <sphaera/scene_file.hpp>
#include <stop_token>
#include <tools/options/declare.hpp>
#include <tools/receivers/surface.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/stars.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// A surface and its name in titles: "on Earth". Of a disc, "seen from Moon"; else empty.
struct PlacedSurface {
  std::unique_ptr<Surface> surface;
  std::string where, view{};
};

/// `--plane`, `--globe` or `--observers`, with their further options.
class SurfaceOptions {
 public:
  void declare(CLI::App& app);

  /// Throws UsageError unless exactly one surface is given.
  void check() const;
  /// Call before the scene takes the file's spheres. `digests` (null: none) gets that of the receivers' file;
  /// `star` is the one that is_seen_from_star needs. Throws UsageError if the scene lacks the sphere of
  /// --globe or --disc; Error if the file of receivers is bad.
  PlacedSurface place(const LoadedScene& file, const NamedStar* star, const CsvOptions& csv,
                      const Console& console, const std::stop_token& stop,
                      std::vector<io::FileDigest>* digests) const;
  bool is_seen_from_star() const { return disc_ && disc_->word == "star"; }
  /// File of receivers; empty: none.
  const std::filesystem::path& observers() const { return observers_; }
  bool is_plane() const { return plane_.has_value(); }
  bool is_grid() const { return observers_.empty() || pixels_.has_value(); }

 private:
  /// Where a disc is seen from.
  struct SeenFrom {
    std::string text{};  ///< as given
    std::optional<Vec3> place{};
    std::optional<std::array<double, 2>> above{};  ///< longitude and latitude
    std::string word{};                            ///< else "star", or a sphere by id or name
  };
  static bool parse_seen_from(const std::string& text, std::optional<SeenFrom>& from);

  PlacedSurface place_plane(const LoadedScene& file) const;
  PlacedSurface place_globe(const LoadedScene& file, const NamedStar* star) const;
  std::string view_text(const NamedStar* star) const;
  DiscView view_of(const Globe& globe, const LoadedScene& file, const NamedStar* star) const;
  PlacedSurface place_listed(const LoadedScene& file, const CsvOptions& csv, const Console& console,
                             const std::stop_token& stop, std::vector<io::FileDigest>* digests) const;

  std::optional<Plane> plane_;
  std::string globe_;  ///< id or name; empty: none
  std::filesystem::path observers_;
  std::optional<Pixels> pixels_;
  std::optional<Vec3> north_, meridian_;
  std::optional<Window> window_;
  std::optional<SeenFrom> disc_;
};

}  // namespace sphaera::tool
