#pragma once
/// \file A bullet's flight under constant gravity, up to its next bounce.

#include <exact/curves/curve.hpp>
#include <exact/curves/curve_piece.hpp>
#include <optional>
#include <query/flight/chord_path.hpp>
#include <query/flight/flight.hpp>

namespace sphaera::query {

/// Finds the spheres that a bullet hits under gravity. The index finds candidates along chords of the
/// parabola, each with a margin that covers its arc (ballistics/chords.hpp). The parabola itself decides: the
/// piece of it above the chord in double (exact/curves/curve_piece.hpp), or else the exact curve.
class CurvedLeg {
 public:
  CurvedLeg(const SceneState& state, const QueryOptions& options, const SphereFilter& sphere_filter,
            const exact::Flight& flight, const Vec3& gravity, const PassedSpheres& passed,
            CurvedScratch& scratch, QueryStats& stats)
      : state_(state),
        options_(options),
        sphere_filter_(sphere_filter),
        flight_(flight),
        gravity_(gravity),
        passed_(passed),
        scratch_(scratch),
        stats_(stats) {}
  ~CurvedLeg() { stats_.double_double += counts_.double_double, stats_.exact += counts_.exact; }
  CurvedLeg(const CurvedLeg&) = delete;

  /// Finds the first candidate, or all in the order (entry, id).
  std::span<const CurvedCandidate> first();
  std::span<const CurvedCandidate> all();

  /// The chords along which the index finds candidates. None if the flight takes longer than chords support,
  /// or the index is not to be searched.
  ballistics::Chords chords() const;
  /// True if no sphere that the flight meets from this time on can be its first candidate.
  bool is_decided(double time) const { return held_ || (first_ && first_->high <= time); }
  const exact::Flight& flight() const { return flight_; }
  const SphereFilter& sphere_filter() const { return sphere_filter_; }
  /// The first candidate that chords have found so far.
  const std::optional<CurvedCandidate>& found_first() const { return first_; }

  /// As for FirstImpact.
  bool settles_equals(std::uint32_t id) const {
    return !sphere_filter_.accept && sphere_filter_.admits(id) && passed_.is_fresh(id);
  }

  /// True if gravity holds the bullet on the sphere that it starts on, so that there is no flight.
  bool held() const { return held_; }

  /// A candidate's curve and inside interval.
  struct Decided {
    exact::Curve curve;
    exact::InsideInterval interval;
  };
  Decided decided(const CurvedCandidate& candidate);

  exact::CurvePiece piece_above(const ChordPath& chord) const;
  /// Tests the sphere against a piece of the flight; true if that changed the first candidate.
  template <bool all>
  bool test(const exact::CurvePiece& piece, std::uint32_t id);

 private:
  template <bool all>
  void find();
  template <bool all>
  void walk(const ballistics::Chords& chords);
  template <bool all>
  bool meet(std::uint32_t id);
  template <bool all>
  bool add(const CurvedCandidate& candidate);
  bool hits_from_within(std::uint32_t id) const;
  bool knows_departure(const exact::CurvePiece& piece, std::uint32_t id);

  exact::Curve curve_of(const exact::InMotion& pair) const;
  exact::InsideIntervals intervals_of(const exact::InMotion& pair, std::uint32_t id,
                                      const exact::Curve& curve, int& omitted);
  exact::InsideIntervals departed(const exact::Curve& curve, int& omitted, std::uint32_t id);
  bool earlier(const CurvedCandidate& a, const CurvedCandidate& b);

  const SceneState& state_;
  const QueryOptions& options_;
  const SphereFilter& sphere_filter_;
  const exact::Flight& flight_;
  const Vec3& gravity_;
  const PassedSpheres& passed_;
  CurvedScratch& scratch_;
  QueryStats& stats_;

  exact::Counts counts_;
  bool held_ = false, has_departed_ = false;
  std::optional<CurvedCandidate> first_;
};

}  // namespace sphaera::query
