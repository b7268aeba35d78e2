#pragma once
/// \file The chords of a flight under gravity as the index walks them. The code has no branches, so that
/// loops over many flights are vectorized (chord_block.cpp).

#include <ballistics/chords.hpp>
#include <exact/numbers/length.hpp>
#include <exact/predicates/path.hpp>
#include <scene/state.hpp>

namespace sphaera::query {

/// A chord as a path in the bullet's time, which counts from the chord's start.
struct ChordPath {
  double t_from, t_to;  ///< of the flight
  double margin;        ///< bound of the distance between the flight and the path
  exact::Path path;

  /// Rounding of the velocity and of the difference of the chord's ends moves the path by less than 4u of
  /// these ends, which `margin` includes.
  SPHAERA_INLINE static ChordPath of(const ballistics::Chord& chord) {
    const double time = chord.t_to - chord.t_from;
    const Vec3 &from = chord.segment.from, &to = chord.segment.to, step = to - from;
    const double margin = chord.margin + 8 * exact::u * (exact::one_norm(from) + exact::one_norm(to));
    const auto speed = [&](double difference) SPHAERA_INLINE_LAMBDA {
      const double quotient = difference / time;
      return time > 0 ? quotient : 0;
    };
    const Vec3 velocity{speed(step.x), speed(step.y), speed(step.z)};
    return {chord.t_from, chord.t_to, margin, exact::prepared({from, velocity, {}, 0, time, 0, 0})};
  }
};

/// How many chords a flight needs, and until when.
class ChordPlan {
 public:
  ChordPlan(const SceneState& state, const Vec3& gravity)
      : ChordPlan(state.scene_index->top().frame().center(), state.scene_index->top().frame().half_size(),
                  state.bounds.radius_min, gravity) {}
  /// All spheres stay in the box with this center and half size; `radius_min` is the least of their radii.
  ChordPlan(const Vec3& center, const Vec3& half_size, double radius_min, const Vec3& gravity)
      : center_(center),
        half_(half_size),
        gravity_(gravity),
        strength_(exact::length(gravity)),
        radius_min_(radius_min) {}

  /// The chords of a flight from 0 to `last` at most. None if it takes longer than chords support.
  SPHAERA_INLINE ballistics::Chords chords(const Vec3& origin, const Vec3& velocity, double last,
                                           double radius) const {
    const ballistics::Parabola flight{origin, velocity, gravity_};
    const Vec3 reach{reach_of(center_.x, half_.x, radius), reach_of(center_.y, half_.y, radius),
                     reach_of(center_.z, half_.z, radius)};
    const double near = ballistics::last_time_near(flight, center_ - reach, center_ + reach),
                 until = near < last ? near : last;
    const ballistics::Chords chords(flight, strength_, 0, until, margin(until, radius));
    return ballistics::Chords::of(flight, strength_, 0, until,
                                  chords.size() * static_cast<std::int32_t>(until <= domain_limit));
  }
  /// The chords of a flight for which `chords` has found this end and this count.
  ballistics::Chords planned(const Vec3& origin, const Vec3& velocity, double until,
                             std::int32_t count) const {
    return ballistics::Chords::of({origin, velocity, gravity_}, strength_, 0, until, count);
  }

 private:
  /// Half the size of bounds around everything the spheres sweep, enlarged by the bullet's radius: the
  /// frame's box, which is padded, plus 4u of all terms of its corners.
  SPHAERA_INLINE static double reach_of(double center, double half, double radius) {
    return (half + radius) + 4 * exact::u * (__builtin_fabs(center) + half + radius);
  }
  /// Three times the sum of the radii of the smallest sphere and the bullet (../../index/decisions.md). Very
  /// long flights would need very many chords for that; their margin is a fraction `finest` of the flight's
  /// sagitta, its greatest distance from the chord of the whole flight, for which 23 chords are enough.
  SPHAERA_INLINE double margin(double until, double radius) const {
    constexpr double finest = 1. / 1024;
    const double sagitta = strength_ * until * until / 8, radius_margin = 3 * (radius_min_ + radius),
                 sagitta_margin = finest * sagitta;
    return radius_margin < sagitta_margin ? sagitta_margin : radius_margin;
  }

  Vec3 center_, half_, gravity_;
  double strength_, radius_min_;
};

}  // namespace sphaera::query
