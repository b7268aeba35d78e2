#pragma once
/// \file Which two spheres of a scene are in contact.

#include <exact/predicates/compare_gap.hpp>
#include <query/neighbors/own_spheres.hpp>

namespace sphaera::query {

/// Throws if `query` cannot be asked: about contacts of a range of spheres, at a distance.
void check_contacts(const SceneState& state, const IdRange& ids, double distance, const QueryOptions& options,
                    const char* query);

/// Is the gap of one sphere to others at most the distance?
class ContactRule {
 public:
  ContactRule(std::span<const Sphere> spheres, std::uint32_t id, double distance)
      : spheres_(spheres), id_(id), distance_(distance) {}

  Ball ball(std::uint32_t id) const { return {spheres_[id].center, spheres_[id].radius}; }

  /// Of another sphere that meets the reach, which may be larger than the exact sum.
  SPHAERA_INLINE bool is_near(std::uint32_t id) {
    return distance_ == 0 || exact::compare_gap(ball(id_), ball(id), distance_, counts_) <= 0;
  }
  /// The same of an image.
  bool is_near(const exact::SphereAtInstant& image) {
    return distance_ == 0 || exact::compare_gap(ball(id_), image, distance_, counts_) <= 0;
  }
  void add_to(exact::Counts& counts) const {
    counts.double_double += counts_.double_double, counts.exact += counts_.exact;
  }

 private:
  std::span<const Sphere> spheres_;
  std::uint32_t id_;
  double distance_;
  exact::Counts counts_;
};

}  // namespace sphaera::query
