#include <algorithm>
#include <cmath>
#include <exact/roots/line.hpp>

namespace sphaera::exact {
namespace {

/// origin + t·D.
template <class Number>
Triple<Number> place(const Path& path, double t) {
  const auto along = [&](int i) {
    const double d[] = {path.direction[i], path.direction_low[i]};
    return Number(path.origin[i]) + Number(t) * Number::sum(d);
  };
  return {{along(0), along(1), along(2)}};
}

/// L + t·D.
template <class Number>
Triple<Number> seen_from_center(const Relative& seen, double t) {
  Terms<Number> terms(seen);
  advance(terms, t);
  return {{terms.l[0], terms.l[1], terms.l[2]}};
}

double largest(const Triple<Quick>& x) {
  const auto size = [](const Quick& y) { return std::fabs(y.value().hi); };
  return std::max({size(x.v[0]), size(x.v[1]), size(x.v[2])});
}

bool known(const Triple<Quick>& x, double scale) {
  return std::all_of(x.v, x.v + 3, [&](const Quick& y) { return exact::known(y, scale); });
}

/// Each component of x divided by `length`, rounded once.
template <class Number, class Real>
Vec3 quotient(const Triple<Number>& x, const Real& length) {
  const auto component = [&](int i) { return static_cast<double>(real(x.v[i]) / length); };
  return {component(0), component(1), component(2)};
}

template <class Number>
Vec3 unit(const Triple<Number>& x) {
  return quotient(x, sqrt(real(dot(x.v, x.v))));
}

}  // namespace

Vec3 point_at(const Path& path, double t) {
  const auto quick = place<Quick>(path, t);
  const Vec3& o = path.origin;
  const double scale = std::max({std::fabs(o.x), std::fabs(o.y), std::fabs(o.z), largest(quick)});
  return known(quick, scale) ? quotient(quick, QuickReal(1)) : quotient(place<Exact>(path, t), ExactReal(1));
}

namespace {

/// The direction from the center to the point at t; 0 at the center.
Vec3 normal_at(const Relative& seen, double t) {
  const auto quick = seen_from_center<Quick>(seen, t);
  const double scale = largest(quick);
  if (moderate(scale) && known(quick, scale)) return unit(quick);
  const auto offset = seen_from_center<Exact>(seen, t);
  const bool center = std::all_of(offset.v, offset.v + 3, [](const Exact& x) { return *x.sign() == 0; });
  return center ? Vec3{} : unit(offset);
}

}  // namespace

SurfacePoint surface_point_at(const Path& path, const Sphere& sphere, double t) {
  return {point_at(path, t), normal_at(relative(path, sphere), t)};
}

SurfacePoint contact_point(const Path& path, const Sphere& sphere, Contact contact) {
  if (contact == Contact::starts_inside) return surface_point_at(path, sphere, path.t_min);
  return with_line(path, sphere, [&](const auto& line) {
    return surface_point_from_center(sphere, offset(line, Side::entry));
  });
}

SurfacePoint contact_point(const Path& path, const SphereAtInstant& s, Contact contact) {
  const Relative seen = s.relative(path);
  if (contact == Contact::starts_inside) return {point_at(path, path.t_min), normal_at(seen, path.t_min)};
  return with_line(seen, s.sphere.radius, [&](const auto& line) {
    const auto from_center = offset(line, Side::entry);
    using Real = typename decltype(from_center)::value_type;
    const auto place = [&](int i) {
      const Real center = Real(s.sphere.center[i]) + Real(s.velocity[i]) * Real(s.time);
      return static_cast<double>(center + from_center[static_cast<std::size_t>(i)]);
    };
    const auto normal = [&](int i) {
      return static_cast<double>(from_center[static_cast<std::size_t>(i)] / Real(s.sphere.radius));
    };
    return SurfacePoint{{place(0), place(1), place(2)}, {normal(0), normal(1), normal(2)}};
  });
}

}  // namespace sphaera::exact
