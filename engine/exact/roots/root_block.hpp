#pragma once
/// \file Roots of many lines and spheres at once, in the lanes of vector registers.

#include <array>
#include <cstddef>
#include <exact/numbers/instruction_sets.hpp>
#include <exact/numbers/vector_slots.hpp>
#include <exact/roots/roots.hpp>

namespace sphaera::exact {

template <class Input>
class RootBlock;
SPHAERA_IN_BOTH_SETS(
    /// Computes the roots of slots 0 … count − 1.
    template <class Input> void compute_roots(RootBlock<Input>& block, std::size_t count);)

/// Rays or segments, each with its sphere, as a structure of arrays. The formula is that of a single sphere.
/// The compiler vectorizes the branch-free loop over the slots: four lanes with AVX2, two without. The bits
/// are those of `roots`.
template <class Input>
class RootBlock {
 public:
  static constexpr std::size_t capacity = 32;

  SPHAERA_INLINE void set(std::size_t slot, const Ray& ray, const Sphere& sphere) {
    set(slot, ray.origin, ray.direction, sphere);
  }
  SPHAERA_INLINE void set(std::size_t slot, const Segment& segment, const Sphere& sphere) {
    set(slot, segment.from, segment.to, sphere);
  }

  /// Computes the roots of slots 0 … count − 1.
  void compute(std::size_t count);

  /// The roots of a slot after `compute`; roots that the step left unknown are computed with exact integers.
  SPHAERA_INLINE Roots roots(std::size_t slot) const {
    const Roots t{t1_[slot], t2_[slot]};
    if (are_known(path(slot), t)) [[likely]]
      return t;
    return roots_exact(path(slot), sphere(slot));
  }

 private:
  template <class Any>
  friend void fused::compute_roots(RootBlock<Any>& block, std::size_t count);
  template <class Any>
  friend void plain::compute_roots(RootBlock<Any>& block, std::size_t count);

  static constexpr std::size_t lanes = 8;  ///< a multiple of the lanes of any processor
  static_assert(capacity % lanes == 0);
  using Doubles = std::array<double, capacity>;
  using Vectors = VectorSlots<capacity>;

  SPHAERA_INLINE void set(std::size_t slot, const Vec3& first, const Vec3& second, const Sphere& sphere) {
    first_.set(slot, first), second_.set(slot, second);
    center_.set(slot, sphere.center);
    radius_[slot] = sphere.radius;
  }
  SPHAERA_INLINE Path path(std::size_t i) const { return path_of(Input{first_[i], second_[i]}); }
  SPHAERA_INLINE Sphere sphere(std::size_t i) const { return {center_[i], radius_[i]}; }

  Vectors first_, second_, center_;  // origin and direction, or from and to
  Doubles radius_{}, t1_{}, t2_{};
};

}  // namespace sphaera::exact
