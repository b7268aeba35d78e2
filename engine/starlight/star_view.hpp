#pragma once
/// \file One star and one observer: bodies are handed in one by one, in any order, as an index finds them.

#include <exact/predicates/counts.hpp>
#include <exact/predicates/eclipse_phase.hpp>
#include <exact/predicates/path.hpp>
#include <sphaera/starlight.hpp>
#include <starlight/arc_light.hpp>
#include <starlight/arrangement.hpp>
#include <starlight/limb_profile.hpp>
#include <starlight/precise_arrangement.hpp>
#include <vector>

namespace sphaera::geometry {

/// How a sphere lies to the star's closed ball; one that equals it is in it.
enum class Meeting : std::uint8_t { apart, in_star, around_star, cuts };

/// Exact.
Meeting meeting(const Star& star, const Sphere& sphere, exact::Counts& counts);

/// A body whose disc overlaps the star's.
struct Occluder {
  enum class Kind : std::uint8_t { ball, ground, around };  ///< around: the observer is inside

  std::int64_t id;
  exact::Overlap overlap;
  Kind kind;
  exact::SeenBall ball;
  double covered = 1;      ///< fraction of the star that it alone covers; rough where another covers more
  bool dust = false;       ///< too small to be placed
  double near_edge = 0;    ///< n of its circle, unless it covers all
  double half_radius = 0;  ///< tan(α/2), the same
};

/// Working memory of a StarView. Keep one a thread: it allocates only where more bodies overlap than ever
/// before.
struct StarViewScratch {
  std::vector<Occluder> occluders;
  std::vector<int> order;  ///< of the occluders, not that in which they came
  Arrangement arrangement;
  LimbProfile profile;
  ArcSums sums;
  PreciseArrangement sharp;
};

/// Preconditions, checked by nobody here: valid inputs (validate.hpp), the floating-point mode set.
class StarView {
 public:
  StarView(const Star& star, const Vec3& observer, StarViewScratch& scratch, exact::Counts& counts);

  /// The sphere that the observer stands on, not at its centre. It is not to be added again.
  void stand_on(const Sphere& sphere, std::int64_t id);
  void add(const Sphere& sphere, std::int64_t id);

  /// What is seen past all that was added.
  Visibility result();

  StarStatus status() const { return status_; }
  /// Of one body at most, exactly and without the numbers. The status is ok.
  Light light_of_one() const;

 private:
  exact::Overlap overlap(const exact::SeenBall& body, const Sphere& sphere);
  void occlude(std::int64_t id, exact::Overlap overlap, Occluder::Kind kind, const exact::SeenBall& ball);
  void light_up(Visibility& v);
  int place_all(const StarDisc& disc);
  void arrange();
  double sum_up();
  bool is_uniform() const { return star_.limb_darkening.law == LimbDarkening::Law::uniform; }
  double flux(double fraction) const;
  PreciseArrangement& sharpen();
  bool anything_left();
  void place(Occluder& occluder, int number, const StarDisc& disc);
  void compare_all(double tau);
  double covered_by(const SkyCircle& circle, double tau);
  double magnitude_of(const Occluder& occluder) const;
  void sort_occluders();
  void find_dominant(Visibility& v) const;

  const Star& star_;
  Vec3 observer_;
  StarViewScratch& scratch_;
  exact::Counts& counts_;
  exact::SeenBall ball_;  ///< the star's
  exact::Path sight_;     ///< to its centre
  double tau_ = 0;        ///< tan(α/2) of the star, where it was needed
  bool point_ = false;
  StarStatus status_ = StarStatus::ok;
  bool blocked_ = false;  ///< the way to the centre
  bool hidden_ = false;   ///< by one body, all of it
};

}  // namespace sphaera::geometry
