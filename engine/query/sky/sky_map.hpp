#pragma once
/// \file Which parts of the sky discs hide: a quadtree on each face of a cube about the point. It knows parts
/// of the union of the discs and nothing of what lies outside.

#include <array>
#include <cstdint>
#include <sphaera/vec3.hpp>
#include <vector>

namespace sphaera::query {

class SkyMap {
 public:
  void clear();
  /// Reserves as much memory as `other` has. Throws std::bad_alloc.
  void grow_to(const SkyMap& other) { parts_.reserve(other.parts_.capacity()); }
  /// Adds a disc of radius up to 90° about an axis of length 1. Throws std::bad_alloc.
  void cover(const Vec3& axis, double cosine);
  /// Do the discs hide all of a box, seen from 0? Then they hide every box inside it, too. False if unknown.
  bool covers(const std::array<double, 3>& lower, const std::array<double, 3>& upper) const;

 private:
  /// A cell: hidden or not known to be, or the number of its four parts.
  using Cell = std::uint32_t;
  static constexpr Cell open = 0, hidden = 1, first_parts = 2;

  struct Square {
    double u, v, size;  ///< its lower corner

    Square part(std::size_t i) const {
      const double half = size / 2;
      return {u + (i & 1 ? half : 0), v + (i & 2 ? half : 0), half};
    }
  };
  struct Rectangle {
    double u0, u1, v0, v1;
  };
  struct Disc;

  Cell covered(Cell cell, const Square& square, std::size_t depth, const Disc& disc);
  bool covers(Cell cell, const Square& square, const Rectangle& seen) const;

  std::array<Cell, 6> faces_{};
  std::vector<std::array<Cell, 4>> parts_;
};

}  // namespace sphaera::query
