#pragma once
/// \file The part of the unit sphere that lies in no cap of a set: its area and first moment.

#include <caps/circle_cover.hpp>
#include <memory>
#include <utility>

namespace sphaera::caps {

class NearCaps;

struct Uncovered {
  double area = 0;  ///< in sr, 0 … 4π
  Vec3 moment;      ///< ∫ω dω over the part, ω of length 1
};

/// Caps are added, then `find` is called; `clear` keeps the memory. The result has the same bits for any
/// order of the caps. It is off by less than 1e-12 for a few hundred caps, whatever touches or coincides
/// (proof 6).
class UncoveredPart {
 public:
  UncoveredPart();
  ~UncoveredPart();

  void clear() { added_.clear(); }
  /// Throws std::bad_alloc.
  void add(const Cap& cap) { added_.push_back(cap); }

  /// Throws std::bad_alloc.
  Uncovered find();

  /// Makes room for as much as `other` has room for. Throws std::bad_alloc.
  void grow_to(const UncoveredPart& other);

 private:
  /// The point about which areas are summed (proof 5): the part's area is `base` and what the arcs add.
  struct Pole {
    Vec3 place;  ///< p
    double base;
  };

  bool sort_caps();
  void keep_largest();
  Pole choose_pole() const;
  void add_circle(const CapArrays& caps, std::size_t i, const Pole& pole, Uncovered& sum) const;

  std::vector<Cap> added_;
  std::vector<std::pair<double, std::size_t>> order_;
  std::vector<char> nested_;
  CapArrays caps_;
  std::unique_ptr<NearCaps> near_;  ///< null until there are many caps
  CircleCover cover_;
};

}  // namespace sphaera::caps
