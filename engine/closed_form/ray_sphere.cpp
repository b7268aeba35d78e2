#include <closed_form/single_query.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/roots/line.hpp>
#include <exact/roots/roots.hpp>
#include <sphaera/closed_form/ray_sphere.hpp>

namespace sphaera::inline SPHAERA_ABI {
namespace {

using closed_form::with_checked_input;
using exact::Path;

int root_count_of(const Path& path, const Sphere& sphere) {
  if (path.direction == Vec3{}) return 0;  // a path of no length defines no line
  exact::Counts counts;
  return exact::sign_discriminant(path, sphere, counts) + 1;
}

Intersection intersection_of(const Path& path, const Sphere& sphere) {
  exact::Counts counts;
  Intersection result;
  result.contact = exact::contact(path, sphere, counts);
  result.roots = root_count_of(path, sphere);
  result.t_closest = exact::closest_approach(path, sphere.center);
  if (result.roots > 0) {
    const exact::Roots roots = exact::roots(path, sphere);
    result.t1 = roots.t1, result.t2 = roots.t2;
  }
  return result;
}

/// True if t1 = t_max. Precondition: t1 lies on the path.
bool enters_at_end(const Path& path, const Sphere& sphere, exact::Counts& counts) {
  return exact::sign_power(path, sphere, path.t_max, counts) == 0 &&
         exact::sign_slope(path, sphere, path.t_max, counts) <= 0;
}

template <class Choice>
void check_choice(Choice choice, Choice first, Choice second, const char* words) {
  if (choice == first || choice == second) return;
  throw Error(ErrorCode::invalid_argument,
              "a convention's value is " + std::to_string(static_cast<int>(choice)) + "; give " + words);
}

void check_convention(const Convention& c) {
  using Tangent = Convention::Tangent;
  using End = Convention::End;
  using Start = Convention::Start;
  check_choice(c.tangent, Tangent::meets, Tangent::misses, "Tangent::meets or misses");
  check_choice(c.end, End::closed, End::open, "End::closed or open");
  check_choice(c.start, Start::anywhere, Start::not_inside, "Start::anywhere or not_inside");
}

bool meets_by(const Convention& convention, const Path& path, const Sphere& sphere) {
  exact::Counts counts;
  const Contact contact = exact::contact(path, sphere, counts);
  if (contact == Contact::miss) return false;
  const bool enters = contact == Contact::enters;
  if (convention.start == Convention::Start::not_inside && !enters) return false;
  if (convention.end == Convention::End::open && enters && enters_at_end(path, sphere, counts)) return false;
  return convention.tangent == Convention::Tangent::meets || root_count_of(path, sphere) == 2;
}

bool meets_ball(const Path& path, const Sphere& sphere) {
  exact::Counts counts;
  return exact::meets(path, sphere, counts);
}

Contact contact_with(const Path& path, const Sphere& sphere) {
  exact::Counts counts;
  return exact::contact(path, sphere, counts);
}

template <class RayOrSegment>
Vec3 position_at(const RayOrSegment& path, double t) {
  const base::FloatingPointEnvironment mode;
  base::check(path);
  if (!base::is_finite(t)) {
    throw Error(ErrorCode::invalid_argument, "t is not finite; give a finite parameter");
  }
  return exact::point_at(exact::path_of(path), t);
}

}  // namespace

bool meets(const Ray& ray, const Sphere& sphere) { return with_checked_input(ray, sphere, meets_ball); }
bool meets(const Segment& segment, const Sphere& sphere) {
  return with_checked_input(segment, sphere, meets_ball);
}

Contact contact(const Ray& ray, const Sphere& sphere) {
  return with_checked_input(ray, sphere, contact_with);
}
Contact contact(const Segment& segment, const Sphere& sphere) {
  return with_checked_input(segment, sphere, contact_with);
}

int root_count(const Ray& ray, const Sphere& sphere) {
  return with_checked_input(ray, sphere, root_count_of);
}
int root_count(const Segment& segment, const Sphere& sphere) {
  return with_checked_input(segment, sphere, root_count_of);
}

double closest_approach(const Ray& ray, const Vec3& center) {
  return with_checked_input(ray, center, exact::closest_approach);
}
double closest_approach(const Segment& segment, const Vec3& center) {
  return with_checked_input(segment, center, exact::closest_approach);
}

Intersection intersect(const Ray& ray, const Sphere& sphere) {
  return with_checked_input(ray, sphere, intersection_of);
}
Intersection intersect(const Segment& segment, const Sphere& sphere) {
  return with_checked_input(segment, sphere, intersection_of);
}

Vec3 point_at(const Ray& ray, double t) { return position_at(ray, t); }
Vec3 point_at(const Segment& segment, double t) { return position_at(segment, t); }

bool meets(const Ray& ray, const Sphere& sphere, const Convention& convention) {
  check_convention(convention);
  return with_checked_input(ray, sphere,
                            [&](const Path& p, const Sphere& s) { return meets_by(convention, p, s); });
}
bool meets(const Segment& segment, const Sphere& sphere, const Convention& convention) {
  check_convention(convention);
  return with_checked_input(segment, sphere,
                            [&](const Path& p, const Sphere& s) { return meets_by(convention, p, s); });
}

}  // namespace sphaera::inline SPHAERA_ABI
