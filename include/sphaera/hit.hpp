#pragma once
/// \file Results of queries.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <sphaera/vec3.hpp>
#include <vector>

namespace sphaera::inline SPHAERA_ABI {

/// How a path (a ray, a segment or a bullet) meets a closed ball; t1 ≤ t2 are the roots of |origin +
/// t·direction − center| = radius. A segment of no length on or inside the ball starts inside.
enum class Contact : std::uint8_t {
  miss,           ///< no common point
  enters,         ///< t_min ≤ t1 ≤ t_max (a tangent too)
  starts_inside,  ///< t1 < t_min ≤ t2
};

/// The contact of a ray or segment with one sphere. t counts multiples of the direction (of to − from). The
/// contact and the order of hits are exact; t is good to 1 ulp. About half of all t_enter are rounded down:
/// as t_max of a ray they miss the sphere. std::nextafter(t_enter, infinity) reaches it.
struct Hit {
  double t_enter = std::numeric_limits<double>::quiet_NaN();  ///< max(t_min, t1); NaN on a miss
  double t_exit = std::numeric_limits<double>::quiet_NaN();  ///< t2, not clamped to t_max; ∞ for a segment of
                                                             ///< no length; NaN on a miss
  std::int64_t sphere = -1;                                  ///< id of the sphere, −1 on a miss
  Contact contact = Contact::miss;
};

/// A hit with its point and normal. On a miss both are 0.
struct SurfaceHit : Hit {
  Vec3 point;   ///< at t_enter; accuracy as SurfacePoint::point (<sphaera/closed_form/pierce.hpp>)
  Vec3 normal;  ///< outward, (point − center)/|point − center|; accuracy as SurfacePoint::normal; 0 at the
                ///< center
};

/// One sphere in the answer of `nearest`, `neighbors_within` or `nearest_to_spheres`. About half of all
/// distances are rounded down: as the radius of a ball in `within` they miss the sphere.
/// std::nextafter(distance, infinity) reaches it.
struct Neighbor {
  double distance =
      std::numeric_limits<double>::infinity();  ///< |X − C| − r from the query's point X (of a ball or
                                                ///< sphere: its center) to the sphere (C, r); negative
                                                ///< inside; error 1 ulp; ∞ without a sphere
  std::int64_t sphere = -1;                     ///< −1 where no further sphere qualifies
};

/// How much of a sphere, grown by the probe, lies in no other grown sphere. `whole` and `inside` are exact.
enum class Exposure : std::uint8_t {
  none,     ///< not asked: the sphere is disabled, or on none of the options' layers
  whole,    ///< no other sphere cuts it
  part,     ///< others hide a part of it
  covered,  ///< others hide it together; a part of less than 1e-12 of it may count as this, or this as `part`
  inside,   ///< it lies in one other sphere, touching it or not; of equal ones all but the lowest id
};

/// The exposed surface of one sphere, grown by the probe, in the answer of `exposed_area`.
struct ExposedArea {
  double area = 0;   ///< of its surface that lies in no other grown sphere; error ≤ 1e-11 of the surface
  double share = 0;  ///< area ÷ 4π (radius + probe)², 0 … 1
  Vec3 outward;      ///< ∫n dA over the exposed part, n the outward normal; error ≤ 1e-11 of the surface
  std::int64_t hider = -1;  ///< the sphere that alone hides most of it; ties, up to the error, to the lowest
                            ///< id; −1: none hides any
  Exposure exposure = Exposure::none;
};

/// Lists of varying length: the list of query i is items[offsets[i]] … items[offsets[i + 1] − 1]. A list is a
/// view of the items: give the lists a name first, `const HitLists lists = …; for (const Hit& h : lists[0])`.
/// `scene.all_hits(…)[0]` does not compile, since the view would outlive the items.
template <class Item>
struct Lists {
  std::vector<std::uint64_t> offsets{
      0};                   ///< size() + 1 ascending numbers; none in an object that was moved from
  std::vector<Item> items;  ///< of all lists, one list after another

  /// Number of lists; 0 for an object that was moved from.
  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  /// List i. Precondition: i < size(); not checked.
  std::span<const Item> operator[](std::size_t i) const& {
    return std::span<const Item>(items).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
  std::span<const Item> operator[](std::size_t i) const&& = delete;
};

/// The hits of each query of `all_hits`.
using HitLists = Lists<Hit>;
/// The ids of each query of `within`.
using IdLists = Lists<std::int64_t>;
/// The spheres of each query of `neighbors_within`.
using NeighborLists = Lists<Neighbor>;

}  // namespace sphaera::inline SPHAERA_ABI
