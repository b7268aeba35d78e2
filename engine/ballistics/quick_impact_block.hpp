#pragma once
/// \file The numbers of many impacts by the fast formula (quick_impact.hpp), in the lanes of vector
/// registers.

#include <array>
#include <ballistics/quick_impact.hpp>
#include <cstddef>
#include <exact/numbers/vector_slots.hpp>

namespace sphaera::ballistics {

/// Flights, each with its sphere, as a structure of arrays. The formula is that of a single impact, and so
/// are the bits. The compiler vectorizes the branch-free loop over the slots: four lanes with AVX2, two
/// without.
class QuickImpactBlock {
 public:
  static constexpr std::size_t capacity = 32;

  /// Sets a slot. Preconditions: the contact is `enters`, the flight starts at t = 0. `velocity` is the
  /// sphere's; null: at rest.
  SPHAERA_INLINE void set(std::size_t slot, const exact::Flight& flight, const Sphere& sphere,
                          const Vec3* velocity) {
    origin_.set(slot, flight.path.origin), direction_.set(slot, flight.path.direction);
    last_[slot] = flight.path.t_max, flight_radius_[slot] = flight.radius, start_[slot] = flight.start;
    center_.set(slot, sphere.center), radius_[slot] = sphere.radius;
    if (velocity) velocity_.set(slot, *velocity);
  }

  /// Under gravity: bounds of the entry, as quick_curved_impact takes them.
  SPHAERA_INLINE void set_bounds(std::size_t slot, double low, double high) {
    low_[slot] = low, high_[slot] = high;
  }

  enum class Targets : std::uint8_t { at_rest, in_motion };
  /// Computes the numbers of slots 0 … count − 1. `targets`: whether the slots were set with velocities.
  void compute(std::size_t count, Targets targets, double restitution);
  /// The same under gravity, for slots that were set with bounds.
  void compute_curved(std::size_t count, Targets targets, double restitution, const Vec3& gravity);

  /// Writes all numbers of a slot, and the time since the bullet's start; false, and nothing written, for the
  /// few impacts that need more accuracy (ballistics::impact, curved_impact).
  bool write(std::size_t slot, Impact& impact, double& elapsed) const;

 private:
  static constexpr std::size_t group_size = 8;  ///< slots; a multiple of the lanes of any processor
  static_assert(capacity % group_size == 0);
  using Doubles = std::array<double, capacity>;
  using Vectors = exact::VectorSlots<capacity>;

  template <class NumbersOf>
  void compute_with(std::size_t count, Targets targets, const NumbersOf& numbers_of);
  template <class Arithmetic, Targets targets, class NumbersOf>
  SPHAERA_INLINE void compute_slots(std::size_t count, const NumbersOf& numbers_of);
  template <class Arithmetic, Targets targets>
  SPHAERA_INLINE ImpactTerms terms(std::size_t slot) const;

  Vectors origin_, direction_, center_, velocity_;  // of flight and sphere
  Doubles last_{}, flight_radius_{}, start_{}, radius_{}, low_{}, high_{};
  Doubles elapsed_{}, time_{}, exit_time_{}, distance_{}, inward_{}, along_{}, accurate_{}, floor_{};
  Vectors point_, impact_center_, normal_, velocity_after_, exit_point_;
};

}  // namespace sphaera::ballistics
