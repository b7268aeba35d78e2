#pragma once
/// \file A periodic box (QueryOptions::box): each sphere repeats by the edges, and a query sees the image
/// that is nearest to it. Proofs: ../proofs.md.

#include <algorithm>
#include <array>
#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/nearest_shift.hpp>
#include <limits>
#include <query/batch/check_box.hpp>
#include <query/neighbors/limits.hpp>

namespace sphaera::query {

/// The image of a sphere that is shifted by w has the center C + w: that of a sphere of velocity w at time 1.
inline exact::SphereAtInstant image_of(const Sphere& sphere, const Vec3& shift) { return {sphere, shift, 1}; }

class PeriodicBox {
 public:
  /// Without a box in the options spheres have no images. With one, `check_box` has passed.
  PeriodicBox(const SceneState& state, const QueryOptions& options) : edges_(options.box) {
    if (has_box(options)) prepare(*state.center_bounds.get(), options.search == Search::brute_force);
  }

  bool is_given() const { return edges_ != Vec3{}; }

  /// The shift of the image of a sphere about `center` that is nearest to x, 0 or ± the edge on each axis; 0
  /// if two are as near (proof 1).
  Vec3 nearest_shift(const Vec3& x, const Vec3& center) const {
    return exact::nearest_shift(x, center, edges_);
  }

  /// Images of one shift, and where to look for them among the spheres themselves.
  struct Images {
    Vec3 shift;
    Vec3 point;    ///< x − shift, rounded
    double slack;  ///< upper bound of the rounding, as a length
  };
  Images images(const Vec3& x, const Vec3& shift) const;

  /// Calls visit(images) for each shift but 0 whose images may come within `distance` of x, |X − C| − r; for
  /// all 26 with Search::brute_force.
  template <class Visit>
  SPHAERA_INLINE void each(const Vec3& x, double distance, const Visit& visit) const {
    const double reach = std::min(sum_limit(distance, largest_radius_), std::numeric_limits<double>::max());
    const Steps along_x = axes_[0].steps(x.x, reach), along_y = axes_[1].steps(x.y, reach),
                along_z = axes_[2].steps(x.z, reach);
    if (along_x.none() && along_y.none() && along_z.none()) [[likely]]
      return;
    for (int i = along_x.first; i <= along_x.last; ++i)
      for (int j = along_y.first; j <= along_y.last; ++j)
        for (int k = along_z.first; k <= along_z.last; ++k)
          if (i != 0 || j != 0 || k != 0) visit(images(x, {i * edges_.x, j * edges_.y, k * edges_.z}));
  }
  /// May any come so near?
  bool any_within(const Vec3& x, double distance) const {
    bool any = false;
    each(x, distance, [&](const Images&) { any = true; });
    return any;
  }

 private:
  struct Steps {
    int first, last;

    bool none() const { return first == last; }
  };
  /// One axis: where the centers of images begin that are shifted up, and end that are shifted down.
  struct Axis {
    double above = infinity, below = -infinity, slack = 0;

    /// Proof 2.
    SPHAERA_INLINE Steps steps(double x, double reach) const {
      return {x - below - slack <= reach ? -1 : 0, above - x - slack <= reach ? 1 : 0};
    }
  };
  void prepare(const CenterBounds& bounds, bool everywhere);

  Vec3 edges_;
  double largest_radius_ = 0;
  std::array<Axis, 3> axes_;
};

}  // namespace sphaera::query
