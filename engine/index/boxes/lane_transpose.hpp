#pragma once
/// \file Rows of four floats, one for each lane of a leaf block or node, turned into columns of eight.

#include <index/boxes/frame.hpp>
#include <index/boxes/leaf_block.hpp>

namespace sphaera::index {

class LaneRows {
 public:
  SPHAERA_INLINE void set(std::uint32_t lane, const FloatLanes& row) { rows_[lane] = row; }

  /// The four columns. Store each as one vector: a load that spans two earlier stores stalls.
  SPHAERA_INLINE void transpose(LeafLanes (&columns)[4]) const {
    LeafLanes row[4];
    for (std::size_t i = 0; i < 4; ++i)
      row[i] = __builtin_shufflevector(rows_[i], rows_[i + 4], 0, 1, 2, 3, 4, 5, 6, 7);
    const LeafLanes low = __builtin_shufflevector(row[0], row[1], 0, 8, 1, 9, 4, 12, 5, 13),
                    high = __builtin_shufflevector(row[0], row[1], 2, 10, 3, 11, 6, 14, 7, 15),
                    low_2 = __builtin_shufflevector(row[2], row[3], 0, 8, 1, 9, 4, 12, 5, 13),
                    high_2 = __builtin_shufflevector(row[2], row[3], 2, 10, 3, 11, 6, 14, 7, 15);
    columns[0] = __builtin_shufflevector(low, low_2, 0, 1, 8, 9, 4, 5, 12, 13);
    columns[1] = __builtin_shufflevector(low, low_2, 2, 3, 10, 11, 6, 7, 14, 15);
    columns[2] = __builtin_shufflevector(high, high_2, 0, 1, 8, 9, 4, 5, 12, 13);
    columns[3] = __builtin_shufflevector(high, high_2, 2, 3, 10, 11, 6, 7, 14, 15);
  }

 private:
  FloatLanes rows_[leaf_block_size];
};

SPHAERA_INLINE void store(std::array<float, leaf_block_size>& to, const LeafLanes& lanes) {
  reinterpret_cast<LeafLanes&>(to) = lanes;
}

}  // namespace sphaera::index
