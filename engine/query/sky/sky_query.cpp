#include <cmath>
#include <exact/numbers/double_double.hpp>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/length.hpp>
#include <exact/predicates/eclipse_phase.hpp>
#include <numbers>
#include <query/path/path_walks.hpp>
#include <query/sky/sky_query.hpp>

namespace sphaera::query {
namespace {

using Corner = std::array<double, 3>;
constexpr double pi = std::numbers::pi, not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double exact_error = 1e-10;

Vec3 unit(const Vec3& v) {
  const Vec3 scaled = exact::inverse_scale(v) * v;
  return (1 / exact::length(scaled)) * scaled;
}

/// The corners of the box around a ball.
struct BallBox {
  Corner lower, upper;

  BallBox(const Vec3& c, double r) : lower{c.x - r, c.y - r, c.z - r}, upper{c.x + r, c.y + r, c.z + r} {}
};

/// The directions that a ball hides. The power p = |B|² − r² is computed in double-double: in double, √p/|B|
/// would be off by 1e-8 where the point is close to the ball. A ball farther than `within`, W, at places
/// hides the part of the sphere of radius W that it holds, if its tangents √p are longer.
caps::Cap cap_of(const exact::SeenBall& ball, double within) {
  using Number = exact::DoubleDouble<exact::Dekker>;
  const double scale = exact::inverse_scale(ball.offset), radius = scale * ball.radius;
  Number square;
  for (int i = 0; i < 3; ++i) {
    const Number x = exact::fast_two_sum(scale * ball.offset[i], scale * ball.offset_low[i]);
    square = square + x * x;
  }
  const Number power = square - exact::Dekker::two_product(radius, radius);
  const double length = std::sqrt(square.hi), reach = scale * within;
  const double p = std::max(power.hi, 0.0);
  const double cosine =
      p <= reach * reach ? std::sqrt(p) / length : (p + reach * reach) / (2 * length * reach);
  return {unit(ball.offset), std::min(cosine, 1.0)};
}

/// Direction k of n, spread evenly over the sphere about an axis, or over the half about it: rings of equal
/// areas, turned by the golden section (Swinbank and Purser, 2006).
struct EvenDirections {
  Vec3 axis, right, up;
  std::uint32_t count;
  bool half;

  EvenDirections(const Vec3& along, std::uint32_t n, bool only_half)
      : axis(along), count(n), half(only_half) {
    right = unit(cross(std::fabs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, axis));
    up = cross(axis, right);
  }
  /// The part of the direction along the axis.
  double height(std::uint32_t k) const {
    const double share = (k + 0.5) / count;
    return half ? 1 - share : 1 - 2 * share;
  }
  Vec3 operator[](std::uint32_t k) const {
    const double turns = k * (std::numbers::phi - 1), h = height(k), r = std::sqrt((1 - h) * (1 + h));
    const double angle = 2 * pi * (turns - std::floor(turns) - 0.5);
    return h * axis + r * exact::cosine(angle) * right + r * exact::sine(angle) * up;
  }
};

}  // namespace

DiscsInFront::DiscsInFront(const SkyPoint& point, const SkyOptions& sky, const SphereFilter& filter,
                           SkyMap& map, std::vector<caps::Cap>& discs)
    : SphereFilter(filter),
      point_(point),
      sky_(sky),
      map_(map),
      discs_(discs),
      half_(!base::is_zero(point.normal)) {
  map.clear(), discs.clear();
}

double DiscsInFront::distance(std::uint32_t id) const {
  if (!admits(id)) return infinity;
  return exact::length(spheres[id].center - point_.position) - spheres[id].radius;
}

/// Below the plane, by far more than roundings.
bool DiscsInFront::is_below(const Corner& lower, const Corner& upper) const {
  double height = 0, size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double n = point_.normal[static_cast<int>(i)], top = n * (n > 0 ? upper[i] : lower[i]);
    height += top, size += std::fabs(top);
  }
  return height < -0x1p-40 * size;
}

bool DiscsInFront::hides(const Corner& lower, const Corner& upper) const {
  return (half_ && is_below(lower, upper)) || map_.covers(lower, upper);
}

/// Is the sphere equal to one that came before?
bool DiscsInFront::repeats(std::uint32_t id, double distance) {
  if (distance == last_distance_) return spheres[id] == spheres[last_];
  last_distance_ = distance, last_ = id;
  return false;
}

bool DiscsInFront::take(std::uint32_t id, double distance) {
  ++candidates;
  const exact::SeenBall ball = exact::seen_ball(point_.position, spheres[id]);
  const bool has_point = exact::sign_power(ball, counts) <= 0;
  const BallBox box(ball.offset, ball.radius);
  if (!has_point && hides(box.lower, box.upper)) return true;
  if (!accepts(id)) return true;
  if (has_point) {
    inside_ = true;
    return false;
  }
  if (repeats(id, distance)) return true;
  const caps::Cap cap = cap_of(ball, sky_.within);
  discs_.push_back(cap);
  if (too_many()) return false;
  map_.cover(cap.axis, cap.cosine);
  return true;
}

void SkyScratch::grow_to(const SkyScratch& other) {
  walk.entries.reserve(other.walk.entries.capacity()), walk.frames.reserve(other.walk.frames.capacity());
  map.grow_to(other.map), discs.reserve(other.discs.capacity());
  uncovered.grow_to(other.uncovered);
}

SkyShare SkyQuery::exact_share(const SkyPoint& point) {
  caps::UncoveredPart& part = scratch_.uncovered;
  const bool half = !base::is_zero(point.normal);
  const Vec3 up = half ? unit(point.normal) : Vec3{};
  part.clear();
  for (const caps::Cap& cap : scratch_.discs) part.add(cap);
  if (half) part.add({-up, 0});
  const caps::Uncovered open = part.find();
  SkyShare share{.error = exact_error, .discs = static_cast<std::uint32_t>(scratch_.discs.size())};
  share.open = std::clamp(open.area / (half ? 2 * pi : 4 * pi), 0.0, 1.0);
  share.open_by_cosine = half ? std::clamp(dot(open.moment, up) / pi, 0.0, 1.0) : not_a_number;
  return share;
}

template <class Arithmetic>
SkyShare SkyQuery::sampled_share(Arithmetic, const SkyPoint& point, const SphereFilter& filter,
                                 QueryStats& stats) {
  using Walk = AnyAlong<PathAtRest>;
  const bool half = !base::is_zero(point.normal);
  const EvenDirections directions(half ? unit(point.normal) : Vec3{0, 0, 1}, sky_.rays, half);
  const index::SceneIndex* const scene_index = index_for(state_, options_);
  double open = 0, weight = 0, all = 0;
  for (std::uint32_t k = 0; k < sky_.rays; ++k) {
    const exact::Path path = exact::path_of(Ray{point.position, directions[k], 0, sky_.within});
    Walk walk({state_, path}, callbacks_of<Walk>(), filter);
    if (scene_index)
      scene_index->any(walk);
    else
      search_otherwise(state_, options_, walk, Walk::order);
    const double height = directions.height(k);
    all += height;
    if (walk.found == index::no_sphere) ++open, weight += height;
    count(walk, stats);
  }
  return {.open = open / sky_.rays,
          .open_by_cosine = half ? weight / all : not_a_number,
          .error = 0.5 / std::sqrt(sky_.rays),
          .discs = static_cast<std::uint32_t>(scratch_.discs.size()),
          .rays = sky_.rays};
}

SkyShare SkyQuery::share(const SkyPoint& point, std::size_t query, QueryStats& stats) {
  scratch_.map.clear(), scratch_.discs.clear();
  if (sees_nothing(state_, options_)) return exact_share(point);
  const SphereFilter filter(state_, options_, query);
  DiscsInFront discs(point, sky_, filter, scratch_.map, scratch_.discs);
  index::FrontToBack walk(point.position, discs, scratch_.walk);
  if (const index::SceneIndex* const scene_index = index_for(state_, options_))
    walk.walk(scene_index->top());
  else
    walk.walk_all(state_.spheres.span().size(), [&](std::uint32_t id) { return state_.is_enabled(id); });
  count(discs.candidates, discs.counts, stats);
  if (discs.inside()) {
    const bool half = !base::is_zero(point.normal);
    return {.open_by_cosine = half ? 0 : not_a_number, .error = exact_error};
  }
  if (discs.too_many()) return sampled_share(exact::Plain{}, point, filter, stats);
  return exact_share(point);
}

}  // namespace sphaera::query
