#pragma once
/// \file Computes the floats and the box of a leaf block in one pass over its spheres. A refit spends most of
/// its time here.
///
/// Center and radius in scaled units are rounded to nearest, and so are the corners of the box. This takes w
/// of the 20w of inflation; 9.1w of the remaining 19w are needed (../proofs.md, section 1). Rounding outward
/// would take a third of the time. Boxes of moving spheres from floats were no faster (../decisions.md).

#include <index/boxes/lane_transpose.hpp>
#include <index/boxes/sphere_set.hpp>

namespace sphaera::index {

/// Empty lanes are set to some sphere of the leaf block; `write` marks them.
class LeafBlockFit {
 public:
  SPHAERA_INLINE explicit LeafBlockFit(const Frame& frame) : frame_(frame) {}

  SPHAERA_INLINE void set(std::uint32_t lane, const Sphere& sphere) {
    Lanes local;
    put(lane, sphere, local);
    const Lanes radius = __builtin_shufflevector(local, local, 3, 3, 3, 3);
    grow(local - radius, local + radius);
  }
  /// A sphere that moves from its place to its place plus `end`, in local units.
  SPHAERA_INLINE void set(std::uint32_t lane, const Sphere& sphere, const Lanes& end) {
    Lanes local;
    put(lane, sphere, local);
    const Lanes radius = __builtin_shufflevector(local, local, 3, 3, 3, 3), last = local + end;
    grow((local < last ? local : last) - radius, (local > last ? local : last) + radius);
  }
  /// The same from its place plus `start`.
  SPHAERA_INLINE void set(std::uint32_t lane, const Sphere& sphere, const Lanes& start, const Lanes& end) {
    Lanes local;
    put(lane, sphere, local);
    const Lanes radius = __builtin_shufflevector(local, local, 3, 3, 3, 3), first = local + start,
                last = local + end;
    grow((first < last ? first : last) - radius, (first > last ? first : last) + radius);
  }

  SPHAERA_INLINE void write(LeafBlock& floats, const LeafIds& ids) const {
    LeafLanes columns[4];
    rows_.transpose(columns);
    LeafMask id;
    std::memcpy(&id, &ids, sizeof id);
    const LeafLanes unknown = LeafLanes{} + std::numeric_limits<float>::quiet_NaN();
    store(floats.x, columns[0]), store(floats.y, columns[1]), store(floats.z, columns[2]);
    store(floats.radius, id == static_cast<std::int32_t>(no_sphere) ? unknown : columns[3]);
  }

  SPHAERA_INLINE LocalBox box() const {
    const Vec3& half = frame_.half_size();
    const Lanes margin = frame_.inflation_share() * frame_.scale() * Lanes{half.x, half.y, half.z, 0};
    const FloatLanes lower = __builtin_convertvector(lower_ - margin, FloatLanes),
                     upper = __builtin_convertvector(upper_ + margin, FloatLanes);
    return {{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
  }

 private:
  /// Writes a sphere's floats to its row and returns its center and radius in local units.
  SPHAERA_INLINE void put(std::uint32_t lane, const Sphere& sphere, Lanes& local) {
    Lanes world;
    load(world, sphere);
    const Vec3& c = frame_.center();
    local = (world - Lanes{c.x, c.y, c.z, 0}) * frame_.scale();
    rows_.set(lane, __builtin_convertvector(local, FloatLanes));
  }
  SPHAERA_INLINE void grow(const Lanes& low, const Lanes& high) {
    lower_ = low < lower_ ? low : lower_;
    upper_ = high > upper_ ? high : upper_;
  }

  const Frame& frame_;
  Lanes lower_ = Lanes{} + infinity, upper_ = Lanes{} - infinity;
  LaneRows rows_;
};

/// Converts the velocities of a leaf block's spheres to floats.
class LeafVelocityFit {
 public:
  /// `velocity`: in local units per unit of time.
  SPHAERA_INLINE void set(std::uint32_t lane, const Lanes& velocity) {
    rows_.set(lane, __builtin_convertvector(velocity, FloatLanes));
  }

  SPHAERA_INLINE void write(LeafVelocities& floats) const {
    LeafLanes columns[4];
    rows_.transpose(columns);
    for (LeafLanes& column : columns) limit(column);
    store(floats.x, columns[0]), store(floats.y, columns[1]), store(floats.z, columns[2]);
  }

 private:
  SPHAERA_INLINE static void limit(LeafLanes& v) {
    constexpr auto least = static_cast<float>(LeafVelocities::least),
                   most = static_cast<float>(LeafVelocities::most);
    const LeafMask bits = reinterpret_cast<const LeafMask&>(v), size_bits = bits & 0x7fffffff;
    const LeafLanes size = reinterpret_cast<const LeafLanes&>(size_bits);
    const LeafMask unknown = size > most,  // all bits set: NaN
        kept = (bits & (size >= least)) | unknown;
    v = reinterpret_cast<const LeafLanes&>(kept);
  }

  LaneRows rows_;
};

}  // namespace sphaera::index
