#pragma once
/// \file Boxes of primitives, inflated for Embree's float tests (proofs.md, sections 1, 4 and 5).

#include <bridge/data.hpp>

namespace sphaera::bridge {

/// A box in double; empty if lower > upper.
struct Box {
  Vec3 lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};

  double largest_coordinate() const;
};

/// The box of one sphere during `options.time` and at time 0. It allows for rounding in double; `write` adds
/// the margin for Embree's floats.
Box box_of(const Data& data, std::uint32_t sphere);
/// The frame of the scene's index, which contains all spheres throughout the scene's horizon; empty if
/// no sphere is enabled.
Box box_of(const Data& data);

/// The inflated box, rounded outward to float.
void write(const Box& box, double margin, RTCBounds& out);

}  // namespace sphaera::bridge
