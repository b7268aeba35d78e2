#pragma once
/// \file Computes the floats and the box of a leaf block in one pass over its spheres. A refit spends most of
/// its time here.
///
/// Center and radius in scaled units are rounded to nearest, and so are the corners of the box. This takes w
/// of the 20w of inflation; 9.1w of the remaining 19w are needed (../proofs.md, section 1). Rounding outward
/// would take a third of the time.

#include <cstring>
#include <index/frames/drift.hpp>
#include <index/layout/leaf_block.hpp>

namespace sphaera::index {

/// Four floats per lane of a leaf block, written as one array per float once every lane is set.
class LeafRows {
 public:
  using Columns = std::array<std::array<float, leaf_block_size>*, 4>;

  SPHAERA_INLINE void set(std::uint32_t lane, const FloatLanes& row) { rows_[lane] = row; }

  /// Skips columns that are null.
  SPHAERA_INLINE void write(const Columns& columns) const {
    for (std::uint32_t half = 0; half < leaf_block_size; half += 4) {
      const FloatLanes* row = &rows_[half];
      const FloatLanes xy = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                       zr = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                       xy_2 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                       zr_2 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
      put(__builtin_shufflevector(xy, xy_2, 0, 1, 4, 5), columns[0], half);
      put(__builtin_shufflevector(xy, xy_2, 2, 3, 6, 7), columns[1], half);
      put(__builtin_shufflevector(zr, zr_2, 0, 1, 4, 5), columns[2], half);
      put(__builtin_shufflevector(zr, zr_2, 2, 3, 6, 7), columns[3], half);
    }
  }

 private:
  SPHAERA_INLINE static void put(const FloatLanes& row, std::array<float, leaf_block_size>* to,
                                 std::uint32_t half) {
    if (to) std::memcpy(&(*to)[half], &row, sizeof row);
  }

  FloatLanes rows_[leaf_block_size];
};

class LeafBlockFit {
 public:
  SPHAERA_INLINE explicit LeafBlockFit(const Frame& frame)
      : frame_(frame), center_{frame.center().x, frame.center().y, frame.center().z, 0} {}

  SPHAERA_INLINE void leave_empty(std::uint32_t lane) {
    rows_.set(lane, FloatLanes{0, 0, 0, std::numeric_limits<float>::quiet_NaN()});
  }
  SPHAERA_INLINE void add(std::uint32_t lane, const Sphere& sphere) {
    Lanes local;
    put(lane, sphere, local);
    const Lanes radius = Lanes{} + local[3];
    grow(local - radius, local + radius);
  }
  /// Adds a sphere that moves.
  SPHAERA_INLINE void add(std::uint32_t lane, const Sphere& sphere, const Drift& drift) {
    Lanes local;
    put(lane, sphere, local);
    const Lanes radius = Lanes{} + local[3];
    grow(local + drift.least * frame_.scale() - radius, local + drift.most * frame_.scale() + radius);
  }

  SPHAERA_INLINE void write(LeafBlock& floats) const {
    rows_.write({&floats.x, &floats.y, &floats.z, &floats.radius});
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
    static_assert(sizeof(Lanes) == sizeof(Sphere) && offsetof(Sphere, radius) == 3 * sizeof(double));
    Lanes world;
    std::memcpy(&world, &sphere, sizeof world);
    local = (world - center_) * frame_.scale();
    rows_.set(lane, __builtin_convertvector(local, FloatLanes));
  }
  SPHAERA_INLINE void grow(const Lanes& low, const Lanes& high) {
    lower_ = low < lower_ ? low : lower_;
    upper_ = high > upper_ ? high : upper_;
  }

  const Frame& frame_;
  Lanes center_, lower_ = Lanes{} + infinity, upper_ = Lanes{} - infinity;
  LeafRows rows_;
};

/// Converts the velocities of a leaf block's spheres to floats.
class LeafVelocityFit {
 public:
  SPHAERA_INLINE explicit LeafVelocityFit(const Frame& frame) : scale_(frame.scale()) {}

  SPHAERA_INLINE void leave_empty(std::uint32_t lane) { rows_.set(lane, FloatLanes{}); }

  SPHAERA_INLINE void add(std::uint32_t lane, const Vec3& velocity) {
    const Lanes v = scale_ * Lanes{velocity.x, velocity.y, velocity.z, 0}, size = v < 0 ? -v : v;
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const Lanes kept = size < LeafVelocities::least ? Lanes{} : v;
    rows_.set(lane,
              __builtin_convertvector(size > LeafVelocities::most ? Lanes{} + unknown : kept, FloatLanes));
  }

  SPHAERA_INLINE void write(LeafVelocities& floats) const {
    rows_.write({&floats.x, &floats.y, &floats.z, nullptr});
  }

 private:
  double scale_;
  LeafRows rows_;
};

}  // namespace sphaera::index
