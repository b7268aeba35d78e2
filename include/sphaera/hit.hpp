#pragma once
/// \file What a query answers.

#include <sphaera/requirements.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sphaera {

/// How a ray meets a closed ball, with t1 ≤ t2 the roots of |origin + t·direction − center| = radius.
enum class Contact : std::uint8_t {
  miss,           ///< no common point
  enters,         ///< t_min ≤ t1 ≤ t_max (a tangent too)
  starts_inside,  ///< t1 < t_min ≤ t2
};

/// A ray's meeting with one sphere. t counts multiples of the direction, exact decisions aside good to 4 ulp.
struct Hit {
  double t_enter = std::numeric_limits<double>::quiet_NaN();  ///< max(t_min, t1); NaN on a miss
  double t_exit = std::numeric_limits<double>::quiet_NaN();   ///< t2, not cut at t_max; NaN on a miss
  std::int64_t sphere = -1;                                   ///< id of the sphere, −1 on a miss
  Contact contact = Contact::miss;
};

/// One sphere of a `nearest` answer.
struct Neighbor {
  double distance = std::numeric_limits<double>::infinity();  ///< |X − C| − r, negative inside; 4 ulp
  std::int64_t sphere = -1;                                   ///< −1 where the scene has fewer than k spheres
};

/// Lists of varying length: those of query i are items[offsets[i]] … items[offsets[i + 1] − 1]. A list is a
/// view of the items: name the lists first, `const HitLists lists = …; for (const Hit& h : lists[0])`.
/// `scene.all_hits(…)[0]` does not compile, since the view would outlive the items.
template <class Item>
struct Lists {
  std::vector<std::uint64_t> offsets{0};
  std::vector<Item> items;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const Item> operator[](std::size_t i) const& {
    return std::span<const Item>(items).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
  std::span<const Item> operator[](std::size_t i) const&& = delete;
};

using HitLists = Lists<Hit>;
using IdLists = Lists<std::int64_t>;

}  // namespace sphaera
