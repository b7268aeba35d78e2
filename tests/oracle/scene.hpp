#pragma once
/// \file Queries of whole scenes by exact decisions (decide.hpp) on every sphere.

#include <cstdint>
#include <span>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <vector>

namespace sphaera::oracle {

/// The spheres that a query sees.
struct View {
  std::span<const Sphere> spheres;
  std::span<const std::uint8_t> layers{};  ///< empty: all on layer 0
  std::uint64_t mask = ~std::uint64_t{0};
  std::int64_t ignore = -1;
};

struct SphereHit {
  std::int64_t sphere = -1;
  Contact contact = Contact::miss;

  friend bool operator==(const SphereHit&, const SphereHit&) = default;
};

template <class Path>  // Ray or Segment
bool blocked(const View& view, const Path& path);

template <class Path>
SphereHit first_hit(const View& view, const Path& path);

/// Ascending by (max(t_min, t1), id).
template <class Path>
std::vector<SphereHit> all_hits(const View& view, const Path& path);

/// At most k ids, ascending by (|x − C| − r, id).
std::vector<std::int64_t> nearest(const View& view, const Vec3& point, std::size_t k);

/// Ascending ids.
std::vector<std::int64_t> within(const View& view, const Ball& ball);

}  // namespace sphaera::oracle
