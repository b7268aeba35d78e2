#include <exact/cascade.hpp>
#include <exact/decide.hpp>

// Single decisions are not worth a dispatch: the plain filter decides almost all of them.

namespace sphaera::exact {

bool meets(const Path& path, const Sphere& sphere, Counts& counts) {
  return path.t_min <= path.t_max && Cascade<Plain>(path, sphere, counts).meets();
}

Contact contact(const Path& path, const Sphere& sphere, Counts& counts) {
  return path.t_min <= path.t_max ? Cascade<Plain>(path, sphere, counts).contact() : Contact::miss;
}

int sign_discriminant(const Path& path, const Sphere& sphere, Counts& counts) {
  return Cascade<Plain>(path, sphere, counts).sign_discriminant();
}

int sign_power(const Path& path, const Sphere& sphere, double t, Counts& counts) {
  return Cascade<Plain>(path, sphere, counts).sign_power(t);
}

int sign_slope(const Path& path, const Sphere& sphere, double t, Counts& counts) {
  return Cascade<Plain>(path, sphere, counts).sign_slope(t);
}

int compare_entries(const Path& path, const Sphere& a, const Sphere& b, Counts& counts) {
  return compare_entries(path, a, contact(path, a, counts), b, contact(path, b, counts), counts);
}

int compare_entries(const Path& path, const Sphere& a, Contact a_contact, const Sphere& b, Contact b_contact,
                    Counts& counts) {
  const bool a_inside = a_contact == Contact::starts_inside, b_inside = b_contact == Contact::starts_inside;
  if (!a_inside && !b_inside) return refine::entries(relative(path, a), relative(path, b), counts);
  if (a_inside && b_inside) return 0;
  // One is entered at t_min, the other at t1 ≥ t_min: a tie if its sphere is met at t_min itself.
  const bool tie = sign_power(path, a_inside ? b : a, path.t_min, counts) == 0;
  return tie ? 0 : a_inside ? -1 : 1;
}

int compare_distances(const Vec3& x, const Sphere& a, const Sphere& b, Counts& counts) {
  const filter::Estimate da = filter::distance<Plain>(x - a.center, a.radius),
                         db = filter::distance<Plain>(x - b.center, b.radius);
  const double difference = da.value - db.value;
  if (std::fabs(difference) > 1.1 * (da.error + db.error)) return difference < 0 ? -1 : 1;
  const Path at_x{x, {}, {}, 0, 0, 0, 0};
  return refine::distances(relative(at_x, a), relative(at_x, b), counts);
}

int sign_gap(const Ball& a, const Ball& b, Counts& counts) {
  const filter::Estimate e = filter::square_difference<Plain>(a.center - b.center, a.radius + b.radius);
  return e.sure() ? e.sign() : refine::gap(a, b, counts);
}

int sign_nesting(const Ball& a, const Ball& b, Counts& counts) {
  const filter::Estimate e = filter::square_difference<Plain>(a.center - b.center, a.radius - b.radius);
  return e.sure() ? e.sign() : refine::nesting(a, b, counts);
}

}  // namespace sphaera::exact
