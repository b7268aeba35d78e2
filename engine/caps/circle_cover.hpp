#pragma once
/// \file The parts of one cap's circle that other caps cover.
///
/// Proof 4. Places on the circle are measured by y/(|x| + |y|), continued by symmetry, 0 … 4 for a whole
/// turn: it grows with the angle and errs by 4u. Sectors follow from places by rounded operations that never
/// fall, so no place counts as covered that is not, but for 2u.

#include <caps/cap.hpp>
#include <cstdint>

namespace sphaera::caps {

inline constexpr double whole_turn = 4;

/// Part of a circle that no other cap covers, between two corners. Seen from outside the sphere, it runs
/// counterclockwise about the cap's axis.
struct Gap {
  std::size_t from, to;  ///< the caps that end and begin there; the circle's own cap if it is free all round
  double turn;           ///< about its length, 0 … 4 for a whole turn
};

/// Sets nested[j] where cap j lies in one of the largest and not close to its edge. Caps are sorted as in
/// CircleCover::find. Throws std::bad_alloc.
void find_nested(const CapArrays& caps, std::vector<char>& nested);

class CircleCover {
 public:
  enum class Kind : std::uint8_t {
    gaps,    ///< parts of the circle may be free: see `gaps`
    circle,  ///< other caps cover the circle
    sphere   ///< the cap and another one cover the whole sphere
  };

  /// Covers circle i by all other caps, which are sorted by their cosines, the least first. Of caps that are
  /// equal the first one counts as the larger. Throws std::bad_alloc.
  Kind find(const CapArrays& caps, std::size_t i);

  /// The free parts, after `find` has returned Kind::gaps.
  const std::vector<Gap>& gaps() const { return gaps_; }

  void grow_to(const CircleCover& other) {
    begin_.reserve(other.begin_.capacity()), end_.reserve(other.end_.capacity());
    gaps_.reserve(other.gaps_.capacity());
  }

 private:
  struct Frame {
    Vec3 axis, first, second;
  };

  SPHAERA_INLINE Kind find_in_lanes(const CapArrays& caps, std::size_t i);
  static Kind find_wide(CircleCover& cover, const CapArrays& caps, std::size_t i);
  static Kind find_plain(CircleCover& cover, const CapArrays& caps, std::size_t i);
  Kind cover_specially(const CapArrays& caps, std::size_t i, std::size_t j);
  Kind cover_precisely(const CapArrays& caps, std::size_t i, std::size_t j);
  SPHAERA_INLINE void find_gaps(std::size_t i, std::size_t n);
  SPHAERA_INLINE bool is_covered(double place, std::size_t j, std::size_t n) const;
  SPHAERA_INLINE Gap gap_from(double place, std::size_t j, std::size_t n) const;

  Frame frame_{};
  std::vector<double> begin_, end_;  ///< of the part that each cap covers; both `nowhere` if none
  std::uint64_t covered_ = 0;        ///< sectors of the circle that one cap covers whole
  bool any_ = false;                 ///< does any cap cover a part?
  std::vector<Gap> gaps_;
};

}  // namespace sphaera::caps
