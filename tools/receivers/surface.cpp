#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <sphaera/error.hpp>
#include <tools/receivers/surface.hpp>

namespace sphaera::tool {
namespace {

/// The middle of a cell, where the cells divide 0 … 1 evenly.
double middle(std::uint64_t cell, std::uint64_t cells) {
  return (static_cast<double>(cell) + 0.5) / static_cast<double>(cells);
}

class PlaneSurface : public Surface {
 public:
  PlaneSurface(const Plane& plane, const Pixels& pixels, const std::string& unit_name)
      : plane_(plane), pixels_(pixels), unit_(unit_name.empty() ? "units" : unit_name) {
    constexpr const char* flat = "the edges of the plane span no area; give two that are not parallel";
    normal_ = unit(cross(unit(plane.across, flat), unit(plane.up, flat)), flat);
  }

  std::uint64_t count() const override { return pixels_.count(); }
  Receiver receiver(std::uint64_t number) const override {
    const double u = middle(number % pixels_.columns, pixels_.columns);
    const double v = middle(number / pixels_.columns, pixels_.rows);
    return {{plane_.origin + u * plane_.across + v * plane_.up}, normal_};
  }
  Pixels pixels() const override { return pixels_; }
  double aspect() const override { return length(plane_.across) / length(plane_.up); }
  Axis across() const override { return axis_along(plane_.across, "first"); }
  Axis up() const override { return axis_along(plane_.up, "second"); }
  bool has_graticule() const override { return false; }
  std::optional<Plane> plane() const override { return plane_; }

 private:
  /// World coordinates along an edge that is parallel to an axis, unless the plane is so far from the origin
  /// that labels would differ in late digits only; else distances from the corner.
  Axis axis_along(const Vec3& edge, const char* which) const {
    constexpr double far = 1e4;
    for (int i = 0; i < 3; ++i) {
      if (edge[(i + 1) % 3] != 0 || edge[(i + 2) % 3] != 0) continue;
      const double from = plane_.origin[i], to = from + edge[i];
      if (std::fabs(from) > far * std::fabs(edge[i])) break;
      return {fmt::format("{}, {}", "xyz"[i], unit_), from, to};
    }
    const Vec3 &from = plane_.origin, to = from + edge;
    return {fmt::format("along the {} edge from {:.4g},{:.4g},{:.4g} to {:.4g},{:.4g},{:.4g}, {}", which,
                        from.x, from.y, from.z, to.x, to.y, to.z, unit_),
            0, length(edge)};
  }

  Plane plane_;
  Pixels pixels_;
  std::string unit_;
  Vec3 normal_;
};

class GlobeSurface : public Surface {
 public:
  GlobeSurface(const Globe& globe, const Window& window, const Pixels& pixels)
      : globe_(globe), window_(window), pixels_(pixels), uprights_(globe.graticule) {}

  std::uint64_t count() const override { return pixels_.count(); }
  Receiver receiver(std::uint64_t number) const override {
    const double across = middle(number % pixels_.columns, pixels_.columns);
    const double up_share = middle(number / pixels_.columns, pixels_.rows);
    const Vec3 up = uprights_.at(std::lerp(window_.west, window_.east, across),
                                 std::lerp(window_.south, window_.north, up_share));
    return {{globe_.sphere.center + globe_.sphere.radius * up, globe_.id}, up};
  }
  Pixels pixels() const override { return pixels_; }
  double aspect() const override { return (window_.east - window_.west) / (window_.north - window_.south); }
  Axis across() const override {
    return {"longitude, degrees", window_.west, window_.east, tick_step(window_.east - window_.west)};
  }
  Axis up() const override {
    return {"latitude, degrees", window_.south, window_.north, tick_step(window_.north - window_.south)};
  }
  bool has_graticule() const override { return true; }

 private:
  /// A usual distance of ticks in degrees; 0: the picture chooses.
  static double tick_step(double degrees) {
    if (degrees > 120) return 30;
    return degrees > 60 ? 15 : 0;
  }

  Globe globe_;
  Window window_;
  Pixels pixels_;
  Uprights uprights_;
};

/// The first number from `begin` on for which `holds`, as it does for all that follow; `end` if there is
/// none.
template <class Holds>
std::uint64_t first_that(std::uint64_t begin, std::uint64_t end, const Holds& holds) {
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    holds(middle) ? end = middle : begin = middle + 1;
  }
  return begin;
}

class DiscSurface : public Surface {
 public:
  DiscSurface(const Globe& globe, const DiscView& view, const Pixels& pixels)
      : globe_(globe), view_(view), pixels_(pixels), rows_{{0, 0}} {
    for (std::uint64_t row = 0; row < pixels.rows; ++row) {
      const auto is_on_disc = [&](std::uint64_t column) { return upright(column, row).has_value(); };
      const auto is_right_of_disc = [&](std::uint64_t column) { return !is_on_disc(column); };
      const std::uint64_t half = pixels.columns / 2, first = first_that(0, half, is_on_disc),
                          behind = first_that(half, pixels.columns, is_right_of_disc);
      rows_.back().first_pixel = row * pixels.columns + first;
      rows_.push_back({0, rows_.back().first_number + (behind - first)});
    }
  }

  std::uint64_t count() const override { return rows_.back().first_number; }
  std::uint64_t pixel(std::uint64_t number) const override {
    const auto next = std::ranges::upper_bound(rows_, number, {}, &Row::first_number);
    const Row& row = *std::prev(next);
    return row.first_pixel + (number - row.first_number);
  }
  Receiver receiver(std::uint64_t number) const override {
    const std::uint64_t at = pixel(number);
    const Vec3 up = *upright(at % pixels_.columns, at / pixels_.columns);
    return {{globe_.sphere.center + globe_.sphere.radius * up, globe_.id}, up};
  }
  Pixels pixels() const override { return pixels_; }
  double aspect() const override { return 1; }
  Axis across() const override { return {}; }
  Axis up() const override { return {}; }
  bool has_graticule() const override { return false; }
  std::optional<DiscView> disc() const override { return view_; }

 private:
  /// A row of pixels: its first one on the disc, and the number of the receiver there.
  struct Row {
    std::uint64_t first_pixel, first_number;
  };

  std::optional<Vec3> upright(std::uint64_t column, std::uint64_t row) const {
    return view_.upright({middle(column, pixels_.columns), middle(row, pixels_.rows)});
  }

  Globe globe_;
  DiscView view_;
  Pixels pixels_;
  std::vector<Row> rows_;  ///< the last one stands for the end
};

class ListedSurface : public Surface {
 public:
  ListedSurface(std::vector<Receiver> receivers, const Pixels& pixels)
      : receivers_(std::move(receivers)), pixels_(pixels) {}

  std::uint64_t count() const override { return receivers_.size(); }
  Receiver receiver(std::uint64_t number) const override { return receivers_[number]; }
  Pixels pixels() const override { return pixels_; }
  double aspect() const override {
    return static_cast<double>(pixels_.columns) / static_cast<double>(pixels_.rows);
  }
  Axis across() const override { return {"column", 0, static_cast<double>(pixels_.columns)}; }
  Axis up() const override { return {"row", 0, static_cast<double>(pixels_.rows)}; }
  bool has_graticule() const override { return false; }

 private:
  std::vector<Receiver> receivers_;
  Pixels pixels_;
};

}  // namespace

std::unique_ptr<Surface> plane_surface(const Plane& plane, const Pixels& pixels, const std::string& unit) {
  return std::make_unique<PlaneSurface>(plane, pixels, unit);
}

std::unique_ptr<Surface> globe_surface(const Globe& globe, const Window& window, const Pixels& pixels) {
  return std::make_unique<GlobeSurface>(globe, window, pixels);
}

std::unique_ptr<Surface> disc_surface(const Globe& globe, const DiscView& view, const Pixels& pixels) {
  return std::make_unique<DiscSurface>(globe, view, pixels);
}

std::unique_ptr<Surface> listed_surface(std::vector<Receiver> receivers, const Pixels& pixels) {
  return std::make_unique<ListedSurface>(std::move(receivers), pixels);
}

}  // namespace sphaera::tool
