#include <exact/predicates/ball_at_instant.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/predicates/filtered_predicate.hpp>

// Single decisions use the plain filter: it decides almost all of them, and a dispatch on FMA would cost more
// than it saves.

namespace sphaera::exact {
namespace {

/// The same for a path among spheres at rest and for moving pairs.
template <class Pair>
int compare_entries_of(const Pair& a, Contact a_contact, const Pair& b, Contact b_contact, Counts& counts) {
  const bool a_inside = a_contact == Contact::starts_inside, b_inside = b_contact == Contact::starts_inside;
  if (!a_inside && !b_inside) return later_stages::entries(a.relative(), b.relative(), counts);
  if (a_inside && b_inside) return 0;
  // One sphere is entered at t_min, the other at t1 ≥ t_min: a tie if the path is on the other sphere's
  // surface at t_min.
  const FilteredPredicate<Plain, const Pair&> other(a_inside ? b : a, counts);
  const bool tie = other.sign_power(other.path.t_min) == 0;
  return tie ? 0 : a_inside ? -1 : 1;
}

}  // namespace

bool meets(const Path& path, const Sphere& sphere, Counts& counts) {
  return path.t_min <= path.t_max && FilteredPredicate<Plain>(path, sphere, counts).meets();
}

Contact contact(const Path& path, const Sphere& sphere, Counts& counts) {
  return path.t_min <= path.t_max ? FilteredPredicate<Plain>(path, sphere, counts).contact() : Contact::miss;
}

int sign_discriminant(const Path& path, const Sphere& sphere, Counts& counts) {
  return FilteredPredicate<Plain>(path, sphere, counts).sign_discriminant();
}

int sign_power(const Path& path, const Sphere& sphere, double t, Counts& counts) {
  return FilteredPredicate<Plain>(path, sphere, counts).sign_power(t);
}

int sign_slope(const Path& path, const Sphere& sphere, double t, Counts& counts) {
  return FilteredPredicate<Plain>(path, sphere, counts).sign_slope(t);
}

int compare_entries(const Path& path, const Sphere& a, const Sphere& b, Counts& counts) {
  return compare_entries(path, a, contact(path, a, counts), b, contact(path, b, counts), counts);
}

int compare_entries(const Path& path, const Sphere& a, Contact a_contact, const Sphere& b, Contact b_contact,
                    Counts& counts) {
  return compare_entries_of(AtRest{path, a}, a_contact, AtRest{path, b}, b_contact, counts);
}

template <MovingPair Pair>
Contact contact(const Pair& pair, Counts& counts) {
  const bool any_time = pair.path.t_min <= pair.path.t_max;
  return any_time ? FilteredPredicate<Plain, const Pair&>(pair, counts).contact() : Contact::miss;
}

template <MovingPair Pair>
int sign_power(const Pair& pair, double t, Counts& counts) {
  return FilteredPredicate<Plain, const Pair&>(pair, counts).sign_power(t);
}

template <MovingPair Pair>
int sign_slope(const Pair& pair, double t, Counts& counts) {
  return FilteredPredicate<Plain, const Pair&>(pair, counts).sign_slope(t);
}

template <MovingPair Pair>
int compare_entries(const Pair& a, Contact a_contact, const Pair& b, Contact b_contact, Counts& counts) {
  return compare_entries_of(a, a_contact, b, b_contact, counts);
}

template Contact contact(const InMotion&, Counts&);
template Contact contact(const AtInstant&, Counts&);
template int sign_power(const InMotion&, double, Counts&);
template int sign_power(const AtInstant&, double, Counts&);
template int sign_slope(const InMotion&, double, Counts&);
template int sign_slope(const AtInstant&, double, Counts&);
template int compare_entries(const InMotion&, Contact, const InMotion&, Contact, Counts&);
template int compare_entries(const AtInstant&, Contact, const AtInstant&, Contact, Counts&);

namespace {

/// Sign of the difference of two estimates; 0: unsure.
int sign_difference(const filter::Estimate& a, const filter::Estimate& b) {
  const double difference = a.value - b.value;
  if (std::fabs(difference) > 1.1 * (a.error + b.error)) return difference < 0 ? -1 : 1;
  return 0;
}

}  // namespace

filter::Estimate filter::distance(const Vec3& x, const SphereAtInstant& s, double radius) {
  const auto along = [&](int i) { return drifted<Plain>(x[i], s.sphere.center[i], s.velocity[i], s.time); };
  const LongOffset lx = along(0), ly = along(1), lz = along(2);
  const Vec3 l{lx.value, ly.value, lz.value};
  Estimate d = distance<Plain>(l, radius);
  d.error += u * radius + 5 * u * u * (lx.size + ly.size + lz.size);
  return d;
}

int compare_distances(const Vec3& x, const SphereAtInstant& a, const SphereAtInstant& b, Counts& counts) {
  const int known =
      sign_difference(filter::distance(x, a, a.sphere.radius), filter::distance(x, b, b.sphere.radius));
  return known != 0 ? known : later_stages::distances(a.relative(x), b.relative(x), counts);
}

int sign_gap(const Ball& ball, const SphereAtInstant& s, Counts& counts) {
  const filter::Estimate e = filter::distance(ball.center, s, ball.radius + s.sphere.radius);
  if (e.sure()) return e.sign();
  return later_stages::power(relative(ball, s), {0, 0}, counts);
}

int compare_distances(const Vec3& x, const Sphere& a, const Sphere& b, Counts& counts) {
  const int known = sign_difference(filter::distance<Plain>(x - a.center, a.radius),
                                    filter::distance<Plain>(x - b.center, b.radius));
  if (known != 0) return known;
  const Path at_x = path_at(x);
  return later_stages::distances(relative(at_x, a), relative(at_x, b), counts);
}

int sign_gap(const Ball& a, const Ball& b, Counts& counts) {
  const filter::Estimate e = filter::square_difference<Plain>(a.center - b.center, a.radius + b.radius);
  return e.sure() ? e.sign() : later_stages::gap(a, b, counts);
}

int sign_nesting(const Ball& a, const Ball& b, Counts& counts) {
  const filter::Estimate e = filter::square_difference<Plain>(a.center - b.center, a.radius - b.radius);
  return e.sure() ? e.sign() : later_stages::nesting(a, b, counts);
}

}  // namespace sphaera::exact
