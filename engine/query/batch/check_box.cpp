#include <base/errors.hpp>
#include <base/validate.hpp>
#include <exact/numbers/integer.hpp>
#include <exact/predicates/nearest_shift.hpp>
#include <query/batch/batch.hpp>
#include <query/batch/check_box.hpp>
#include <string>

namespace sphaera::query {
namespace {

using base::text_of, exact::exceeds;

/// "box.x, 10".
std::string edge_text(const Vec3& box, int axis) {
  return std::string("box.") + "xyz"[axis] + ", " + text_of(box[axis]);
}

bool are_apart(double a, double b, double edge) {
  return edge > 0 && (exceeds(exact::two_diff(a, b), edge) || exceeds(exact::two_diff(b, a), edge));
}

/// The first axis along which x is farther than the edge from a center; 3: none.
int axis_apart(const CenterBounds& bounds, const Vec3& box, const Vec3& x) {
  for (int axis = 0; axis < 3; ++axis)
    if (box[axis] > 0 && (exceeds(exact::two_diff(x[axis], bounds.lower[axis]), box[axis]) ||
                          exceeds(exact::two_diff(bounds.upper[axis], x[axis]), box[axis])))
      return axis;
  return 3;
}

/// The first axis along which a ball may meet two images of a sphere; 3: none.
int axis_reached(const CenterBounds& bounds, const Vec3& box, double radius) {
  const auto [hi, lo] = exact::two_sum(radius, bounds.largest_radius);
  for (int axis = 0; axis < 3; ++axis)
    if (box[axis] > 0 && exceeds({2 * hi, 2 * lo}, box[axis])) return axis;
  return 3;
}

/// Names the first sphere that is too far from one before it.
[[noreturn, gnu::cold]] void refuse_spread(const SceneState& state, const Vec3& box) {
  const std::span<const Sphere> spheres = state.spheres.span();
  std::array<std::size_t, 3> lowest{}, highest{};
  bool first = true;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    if (!state.is_enabled(static_cast<std::uint32_t>(i))) continue;
    if (first) lowest.fill(i), highest.fill(i);
    first = false;
    for (int axis = 0; axis < 3; ++axis) {
      const double x = spheres[i].center[axis];
      for (const std::size_t other : {lowest[axis], highest[axis]}) {
        const double other_x = spheres[other].center[axis];
        if (!are_apart(x, other_x, box[axis])) continue;
        throw Error(ErrorCode::invalid_argument, base::numbered("sphere", static_cast<std::int64_t>(i)),
                    std::string("center.") + "xyz"[axis] + " is " + text_of(x) + " and that of sphere " +
                        std::to_string(other) + " is " + text_of(other_x) + ", farther apart than " +
                        edge_text(box, axis) + "; wrap all centers into one box",
                    static_cast<std::int64_t>(i));
      }
      if (x < spheres[lowest[axis]].center[axis]) lowest[axis] = i;
      if (x > spheres[highest[axis]].center[axis]) highest[axis] = i;
    }
  }
  throw Error(ErrorCode::internal, "the centers lie in the box");
}

[[noreturn, gnu::cold]] void refuse_place(const SceneState& state, const Vec3& box, const char* kind,
                                          const char* field, const Vec3& x, int axis, std::int64_t element) {
  const CenterBounds& bounds = *state.center_bounds.get();
  const bool above = exceeds(exact::two_diff(x[axis], bounds.lower[axis]), box[axis]);
  throw Error(ErrorCode::invalid_argument, base::numbered(kind, element),
              std::string(field) + "xyz"[axis] + " is " + text_of(x[axis]) + ", farther than " +
                  edge_text(box, axis) + ", from a sphere's center at " +
                  text_of(above ? bounds.lower[axis] : bounds.upper[axis]) +
                  "; wrap it into the box of the centers",
              element);
}

}  // namespace

void refuse_box() {
  base::throw_invalid_argument(
      "`box` is for nearest, nearest_to_spheres, within, count_within, neighbors_within, contacts and "
      "count_contacts; leave it out");
}

void check_box(const SceneState& state, const QueryOptions& options) {
  const Vec3& box = options.box;
  for (int axis = 0; axis < 3; ++axis)
    if (!(box[axis] >= 0 && base::in_domain(box[axis])))
      base::refuse_value(std::string("box.") + "xyz"[axis], box[axis],
                         "an edge of at most 2^200, or 0 along an axis without a period");
  if (!options.times.empty())
    base::throw_invalid_argument("a periodic box is for spheres at time 0; leave `times` out");
  const CenterBounds& bounds = state.center_bounds.prepare([&] {
    return base::with_memory_errors([&] {
      auto made = std::make_unique<CenterBounds>();
      in_arena_of(options, [&] { *made = center_bounds_of(state); });
      return made;
    });
  });
  if (bounds.largest_radius > 0 && axis_apart(bounds, box, bounds.upper) < 3) refuse_spread(state, box);
}

void check_box_reach(const SceneState& state, const QueryOptions& options, double distance) {
  const CenterBounds& bounds = *state.center_bounds.get();
  const double one = bounds.largest_radius, other = bounds.second_radius;
  if (other == 0) return;
  for (int axis = 0; axis < 3; ++axis) {
    const double edge = options.box[axis];
    const std::array<double, 7> terms{one, one, other, other, distance, distance, -edge};
    if (edge == 0 || exact::Integer::sum(terms).sign() <= 0) continue;
    base::throw_invalid_argument(
        "distance is " + text_of(distance) + " and the largest radii are " + text_of(one) + " and " +
        text_of(other) + ", together more than half of " + edge_text(options.box, axis) +
        ", so that a pair may touch in two images; give a larger box or less distance");
  }
}

bool in_box(const SceneState& state, const QueryOptions& options, const Vec3& point) {
  return axis_apart(*state.center_bounds.get(), options.box, point) == 3;
}

bool in_box(const SceneState& state, const QueryOptions& options, const Ball& ball) {
  return in_box(state, options, ball.center) &&
         axis_reached(*state.center_bounds.get(), options.box, ball.radius) == 3;
}

void check_in_box(const SceneState& state, const QueryOptions& options, const Vec3& point,
                  std::int64_t element) {
  const int axis = axis_apart(*state.center_bounds.get(), options.box, point);
  if (axis < 3) refuse_place(state, options.box, "point", "", point, axis, element);
}

void check_in_box(const SceneState& state, const QueryOptions& options, const Ball& ball,
                  std::int64_t element) {
  const CenterBounds& bounds = *state.center_bounds.get();
  int axis = axis_apart(bounds, options.box, ball.center);
  if (axis < 3) refuse_place(state, options.box, "ball", "center.", ball.center, axis, element);
  axis = axis_reached(bounds, options.box, ball.radius);
  if (axis == 3) return;
  throw Error(ErrorCode::invalid_argument, base::numbered("ball", element),
              "radius is " + text_of(ball.radius) + " and the largest of a sphere is " +
                  text_of(bounds.largest_radius) + ", together more than half of " +
                  edge_text(options.box, axis) +
                  ", so that two images of one sphere may meet it; give a larger box or a smaller ball",
              element);
}

}  // namespace sphaera::query
