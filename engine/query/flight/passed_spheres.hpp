#pragma once
/// \file Which spheres a bullet does not hit although it starts inside them.

#include <algorithm>
#include <cstdint>
#include <index/boxes/leaf_block.hpp>
#include <sphaera/bullet.hpp>
#include <vector>

namespace sphaera::query {

/// Spheres that a bullet does not hit although it starts inside them.
struct PassedSpheres {
  std::uint32_t bounced_off =
      index::no_sphere;  ///< the bullet has just bounced off this sphere and recedes from it
  /// Those before it that the bullet has bounced off at the same place and instant.
  struct Touched {
    std::uint32_t sphere;
    bool recedes;  ///< the bullet does not approach it on its current leg
  };
  std::vector<Touched> touched{};
  std::vector<std::uint32_t> within{};  ///< the bullet passes through these
  StartInside start_inside = StartInside::hits;
  bool bounced = false;  ///< the bullet has bounced: starting inside a sphere is now due to rounding

  bool holds(std::uint32_t id) const { return std::ranges::find(within, id) != within.end(); }
  /// Does the bullet start on this sphere's surface and leave it?
  bool leaves(std::uint32_t id) const {
    return id == bounced_off || (!touched.empty() && std::ranges::any_of(touched, [&](const Touched& t) {
             return t.sphere == id && t.recedes;
           }));
  }
  /// Does the bullet meet this sphere as it would meet one that it has never touched?
  bool is_fresh(std::uint32_t id) const { return !leaves(id) && !holds(id); }
  /// The bullet has not bounced yet.
  void clear() { bounced_off = index::no_sphere, touched.clear(), within.clear(), bounced = false; }
  /// Does `a` count before `b`, if both are hit at the same time? The lower id does. But with
  /// StartInside::refuses a sphere around the muzzle counts first.
  template <class Met>
  bool before_at_once(const Met& a, const Met& b) const {
    const bool refuses = start_inside == StartInside::refuses && !bounced;
    if (refuses && a.contact != b.contact) return a.contact == Contact::starts_inside;
    return a.sphere < b.sphere;
  }
};

}  // namespace sphaera::query
