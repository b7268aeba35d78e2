#pragma once
/// \file SceneBuilder: the readers fill a SceneFile through it. Optional lists are created by the first row
/// that needs them.

#include <base/validate.hpp>
#include <io/formats/dates.hpp>
#include <io/streams/bad_rows.hpp>
#include <optional>
#include <sphaera/scene_file.hpp>
#include <sphaera/scene_options.hpp>
#include <string>
#include <string_view>

namespace sphaera::io {

/// A place in a file, for error messages.
struct FileLine {
  const std::string& name;
  std::uint64_t line;
};

/// Builds a SceneFile row by row. Throws Error out_of_memory if the rows exceed the machine's memory.
class SceneBuilder {
 public:
  std::size_t size() const { return scene_.spheres.size(); }
  SceneFile& scene() { return scene_; }

  /// Reserves memory for `more` spheres, and for as many velocities if `velocities` is true. Throws
  /// out_of_memory, naming `file`, if they exceed the machine's memory.
  void reserve(std::uint64_t more, bool velocities, const std::string& file);

  void skip_bad_rows() { skips_ = true; }
  /// The radius of spheres that have radius 0; none: these are bad.
  void radius_of_points(const std::optional<double>& radius) { point_radius_ = radius; }
  /// Calls add(), which appends a row of a table. If bad rows are skipped, a fault of the row leaves it out,
  /// provided that the rows behind it can be read: may_go_on().
  template <class Add, class MayGoOn>
  void row(const Add& add, const MayGoOn& may_go_on) {
    if (!skips_) return add();
    const std::size_t before = size();
    try {
      add();
    } catch (const Error& fault) {
      if (fault.code() != ErrorCode::bad_file || !may_go_on()) throw;
      drop_from(before);
      bad_.add(fault);
    }
  }
  template <class Add>
  void row(const Add& add) {
    row(add, [] { return true; });
  }

  /// Appends a sphere on the layer; throws bad_file if it is not valid.
  void sphere(const Sphere& sphere, int layer, const FileLine& place);
  // Properties of the sphere appended last:
  void velocity(const Vec3& velocity, const FileLine& place);
  void name(std::string_view name);
  void resistance(double resistance, const FileLine& place);
  void spin(const Spin& spin, const Vec3& meridian, const FileLine& place);
  void ellipsoid(double equatorial_radius, double polar_radius, const FileLine& place);

  /// Number of the layer. A new name gets the next number; an empty name means "default". Throws bad_file for
  /// more than 64 layers; `advice` says what to do then.
  int layer(std::string_view name, const FileLine& place, std::string_view advice = {});
  void unit(std::string_view unit,
            const FileLine& place);  ///< throws bad_file if a different unit was given before
  /// The date of time 0. Throws bad_file for what is no date, or another one than was given before.
  void epoch(std::string_view date, const FileLine& place);
  const std::optional<Instant>& epoch() const { return epoch_; }
  void warn(std::string sentence);  ///< an empty sentence is ignored

  /// Drops the spheres from this id on, with what belongs to them except the names of their layers.
  void drop_from(std::size_t id);

  SceneFile finish();

 private:
  std::uint64_t held_bytes() const;

  SceneFile scene_;
  std::uint64_t name_bytes_ = 0;
  std::optional<Instant> epoch_{};
  std::optional<double> point_radius_{};
  bool has_layers_ = false;  // `layer` was called
  bool skips_ = false;
  BadRows bad_;
};

inline bool valid_resistance(double resistance) { return resistance >= 0 && base::is_finite(resistance); }
/// What is wrong with finite vectors and a period as a rotation; null: nothing.
const char* spin_fault(const Spin& spin, const Vec3& meridian);
/// True for radii within SceneFile::Ellipsoid's range: their ratio has a square that is finite and not 0.
inline bool valid_ellipsoid(double equatorial_radius, double polar_radius) {
  const auto fits = [](double r) { return r >= 1 / domain_limit && base::in_domain(r); };
  return fits(equatorial_radius) && fits(polar_radius);
}

/// What to do about more layers than a scene may have, where a column gives them.
inline constexpr std::string_view csv_layer_advice =
    "; --owner-by layer makes owners of any number, --columns layer=NAME takes another column, "
    "--layer-by none takes none";

/// What is wrong with a table that has `given` of the columns vx, vy, vz; null: nothing.
const char* velocity_columns_fault(int given);

/// Throws bad_file unless the velocity is within the domain.
void check_velocity(const Vec3& velocity, const FileLine& place);

}  // namespace sphaera::io
