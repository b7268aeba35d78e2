#pragma once
/// \file The caps that can meet one of many, found in a tree over their axes.

#include <array>
#include <caps/cap.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace sphaera::caps {

class NearCaps {
 public:
  /// Keeps a reference to the caps, which are sorted as for CircleCover. Throws std::bad_alloc.
  void build(const CapArrays& caps);

  /// Puts cap i and all that meet it, or cover all together with it, into `near`, in their order. Returns the
  /// number of cap i there. Throws std::bad_alloc.
  std::size_t gather(std::size_t i);
  const CapArrays& near() const { return near_; }

  void grow_to(const NearCaps& other) {
    order_.reserve(other.order_.capacity()), found_.reserve(other.found_.capacity());
    nodes_.reserve(other.nodes_.capacity()), near_.grow_to(other.near_);
  }

 private:
  /// The caps order_[first] … order_[last − 1]. The children of node k are 2k + 1 and 2k + 2.
  struct Node {
    Vec3 lower, upper;  ///< a box that holds the axes
    double cosine;      ///< of the largest
    std::uint32_t first, last;
  };

  void build_node(std::size_t k, std::uint32_t first, std::uint32_t last);
  bool may_meet(const Node& node, std::size_t i) const;

  const CapArrays* caps_ = nullptr;
  std::vector<std::uint32_t> order_, found_;
  std::vector<Node> nodes_;
  CapArrays near_;
};

}  // namespace sphaera::caps
