#pragma once
/// \file Visibility of one star for one observer. Bodies are added one by one, in any order, as the index
/// finds them.

#include <exact/predicates/counts.hpp>
#include <exact/predicates/eclipse_phase.hpp>
#include <exact/predicates/path.hpp>
#include <sphaera/starlight.hpp>
#include <star_light/arc_light.hpp>
#include <star_light/circles/arrangement.hpp>
#include <star_light/circles/precise_arrangement.hpp>
#include <star_light/limb/limb_profile.hpp>
#include <vector>

namespace sphaera::star_light {

/// Relation of a sphere to the star's closed ball. A sphere that equals the star's ball is `in_star`.
enum class BallRelation : std::uint8_t { apart, in_star, around_star, intersects };

/// Exact decision.
BallRelation ball_relation(const Star& star, const Sphere& sphere, exact::Counts& counts);

/// The path from an observer to a star's center.
exact::Path sight_of(const Star& star, const Vec3& observer);

/// A body whose disc overlaps the star's.
struct Occluder {
  enum class Kind : std::uint8_t { ball, ground, around };  ///< around: the observer is inside

  std::int64_t id;
  exact::Overlap overlap;
  Kind kind;
  exact::SeenBall ball;
  double covered =
      1;  ///< fraction of the star that this body alone covers; approximate if another body covers more
  bool dust = false;       ///< too small to get a circle
  double near_edge = 0;    ///< n of its circle; not set if it covers the whole star
  double half_radius = 0;  ///< tan(α/2); not set if it covers the whole star
};

/// Working memory of a StarView. Keep one for each thread: it allocates only if more bodies overlap than in
/// any earlier view.
struct StarViewScratch {
  Arrangement arrangement;  // this and `sums` come first: they are aligned to cache lines
  ArcSums sums;
  std::vector<Occluder> occluders;
  std::vector<int> order;  ///< the occluders that get circles, sorted
  LimbProfile profile;
  PreciseArrangement precise;

  /// Makes room for as much as `other` has room for. Throws std::bad_alloc.
  void grow_to(const StarViewScratch& other) {
    arrangement.grow_to(other.arrangement), precise.grow_to(other.precise);
    occluders.reserve(other.occluders.capacity()), order.reserve(other.order.capacity());
  }
};

/// Preconditions, not checked: valid inputs (validate.hpp), floating-point mode set.
class StarView {
 public:
  StarView(const Star& star, const Vec3& observer, StarViewScratch& scratch, exact::Counts& counts);

  /// Sets the sphere that the observer stands on. The observer is not at its center. Do not `add` this
  /// sphere.
  void stand_on(const Sphere& sphere, std::int64_t id);
  void add(const Sphere& sphere, std::int64_t id);
  /// The number of added bodies whose discs overlap the star's.
  std::size_t overlapping() const { return scratch_.occluders.size(); }

  /// Visibility of the star behind all added bodies.
  Visibility result();

  StarStatus status() const { return status_; }
  /// Exact phase of the star behind at most one body, without computing the fractions. Precondition: the
  /// status is ok.
  EclipsePhase phase_of_one() const;

 private:
  bool hides(const exact::SeenBall& body, const Sphere& sphere);
  void occlude(std::int64_t id, exact::Overlap overlap, Occluder::Kind kind, const exact::SeenBall& ball);
  void set_visible_part(Visibility& v);
  int place_all(const StarDisc& disc);
  void arrange();
  double sum_up();
  bool is_uniform() const { return star_.limb_darkening.law == LimbDarkening::Law::uniform; }
  double flux(double fraction) const;
  PreciseArrangement& build_precise();
  bool is_any_visible();
  void place(Occluder& occluder, int number, const StarDisc& disc);
  void compare_all(double tau);
  double covered_by(const SkyCircle& circle, double tau);
  bool on_sight(const Sphere& sphere) const;
  double magnitude_of(const Occluder& occluder, double star_angle) const;
  void list_occluders();
  void sort_occluders();
  void find_dominant(Visibility& v) const;

  const Star& star_;
  Vec3 observer_;
  StarViewScratch& scratch_;
  exact::Counts& counts_;
  exact::SeenBall ball_;  ///< the star's
  double tau_ = 0;        ///< tan(α/2) of the star, once it was needed
  bool point_ = false;
  StarStatus status_ = StarStatus::ok;
  bool blocked_ = false;  ///< the path to the center is blocked
  bool hidden_ = false;   ///< one body hides the whole star
};

}  // namespace sphaera::star_light
