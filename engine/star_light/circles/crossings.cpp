#include <star_light/circles/crossings.hpp>
#include <star_light/circles/half_angle.hpp>

namespace sphaera::star_light {
namespace {

SPHAERA_INLINE DoubleLanes quad(const Crossings::Column& column, int i) { return DoubleLanes(&column[i]); }

SPHAERA_INLINE CrossedCircle<DoubleLanes> circles_at(const Crossings::Circles& circles, int i) {
  return {{quad(circles.toward_x, i), quad(circles.toward_y, i)},
          quad(circles.curvature, i),
          quad(circles.scale, i)};
}

/// Computes the crossings on the first circle: it is the smaller one, so they are well apart there. The same
/// points are the crossings on the second circle: its covered part starts where the first circle's part ends.
SPHAERA_INLINE void cross_four(Crossings& c, int i) {
  const CrossedCircle<DoubleLanes> a = circles_at(c.first, i), b = circles_at(c.second, i);
  const Plane<DoubleLanes> between{quad(c.between_x, i), quad(c.between_y, i)};
  const CoveredPart<DoubleLanes> part = covered_part(a, b, between, root(quad(c.sine2, i)));
  const DoubleLanes start = quarter_tangent(part.start), end = quarter_tangent(part.end);
  const auto on_b = [&](const DoubleLanes& t) SPHAERA_INLINE_LAMBDA {
    return quarter_at(b, in_frame(b.toward, between + from_frame(a.toward, offset_at(a, t))));
  };
  const CoverTerms<DoubleLanes> terms(b, a, -between);
  start.store(&c.on_first.start[i]), end.store(&c.on_first.end[i]);
  part.excess.store(&c.on_first.excess[i]);
  on_b(end).store(&c.on_second.start[i]), on_b(start).store(&c.on_second.end[i]);
  (terms.g + terms.a).store(&c.on_second.excess[i]);
}

SPHAERA_INLINE void cross_fours(Crossings& c) {
  for (int i = 0; i < c.count; i += DoubleLanes::lanes) cross_four(c, i);
}

SPHAERA_TARGET_FMA void cross_fours_wide(Crossings& c) { cross_fours(c); }
void cross_fours_plainly(Crossings& c) { cross_fours(c); }

}  // namespace

void Crossings::compute() { exact::has_fma() ? cross_fours_wide(*this) : cross_fours_plainly(*this); }

}  // namespace sphaera::star_light
