#pragma once
/// \file A bullet's flight under constant gravity, up to its next bounce.

#include <ballistics/chords.hpp>
#include <exact/curves/curve.hpp>
#include <query/batch/flight.hpp>

namespace sphaera::query {

/// An interval in which a bullet is inside a ball, from its entry on.
struct CurvedCandidate {
  std::uint32_t sphere;
  Contact contact;
  exact::InsideInterval interval;
  exact::Curve curve;
};

/// Finds the spheres that a bullet hits under gravity. The index finds candidates along chords of the
/// parabola, each with a margin that covers its arc (ballistics/chords.hpp). The parabola itself decides.
class CurvedLeg {
 public:
  CurvedLeg(const SceneState& state, const QueryOptions& options, const SphereFilter& sphere_filter,
            const exact::Flight& flight, const Vec3& gravity, const Passing& passing, QueryStats& stats)
      : state_(state),
        options_(options),
        sphere_filter_(sphere_filter),
        flight_(flight),
        gravity_(gravity),
        passing_(passing),
        stats_(stats) {}

  /// The candidates in the order (entry, id): only the first, or all.
  void find(bool all, std::vector<CurvedCandidate>& found);
  /// Gravity holds the bullet on the sphere that it starts on: it does not move.
  bool held() const { return held_; }

 private:
  void follow_chords(const geometry::Parabola& way, double until, bool all,
                     std::vector<CurvedCandidate>& found);
  void gather(const exact::Path& path, double start, double margin);
  void gather_all();
  void meet_gathered(std::vector<CurvedCandidate>& found);
  void meet(std::uint32_t id, std::vector<CurvedCandidate>& found);
  exact::InsideIntervals intervals_of(const exact::InMotion& pair, std::uint32_t id,
                                      const exact::Curve& curve);
  exact::InsideIntervals departed(const exact::Curve& curve);
  bool earlier(const CurvedCandidate& a, const CurvedCandidate& b);

  const SceneState& state_;
  const QueryOptions& options_;
  const SphereFilter& sphere_filter_;
  const exact::Flight& flight_;
  const Vec3& gravity_;
  const Passing& passing_;
  QueryStats& stats_;

  exact::Counts counts_;
  std::vector<std::uint32_t> found_, met_;  ///< ids: from this chord; already decided, ascending
  bool held_ = false;
};

}  // namespace sphaera::query
