#include <algorithm>
#include <sstream>
#include <tests/cases/curve_cases.hpp>
#include <tests/cases/integer_frame.hpp>

namespace sphaera::test {
namespace {

using exact::Curve;

/// The curve L + D t + G t²/2 against radius r.
Curve curve(const Vec3& l, const Vec3& d, const Vec3& g, double r) {
  Curve c{{}, g, {infinity, 0}};
  for (int i = 0; i < 3; ++i) c.relative.offset[i][0] = l[i], c.relative.direction[i][0] = d[i];
  c.relative.radius[0] = r;
  return c;
}

/// The curve that is at v with velocity w at time t.
Curve curve_through(const Vec3& v, const Vec3& w, const Vec3& g, double t, double r) {
  return curve(v - t * w + (0.5 * t * t) * g, w - t * g, g, r);
}

Vec3 unit(const Vec3& v) { return (1 / std::sqrt(dot(v, v))) * v; }

IntegerFrame small_frame(Random& random) { return integer_frame(random, 4); }

Vec3 whole_vector(Random& random, int most) {
  return {double(random.whole(-most, most)), double(random.whole(-most, most)),
          double(random.whole(-most, most))};
}

/// Lengths by 2^k, times by 2^m: exact.
void rescale(Curve& c, int k, int m) {
  for (int i = 0; i < 3; ++i) {
    for (double& x : c.relative.offset[i]) x = std::ldexp(x, k);
    for (double& x : c.relative.direction[i]) x = std::ldexp(x, k - m);
  }
  for (double& x : c.relative.radius) x = std::ldexp(x, k);
  c.gravity = {std::ldexp(c.gravity.x, k - 2 * m), std::ldexp(c.gravity.y, k - 2 * m),
               std::ldexp(c.gravity.z, k - 2 * m)};
  c.end.hi = std::ldexp(c.end.hi, m);
}

/// Changes a number by at most two ulps, or sets a term far below all others.
void perturb(Curve& c, Random& random) {
  const int axis = random.below(3);
  switch (random.below(4)) {
    case 0:
      c.relative.radius[0] = std::fabs(step(c.relative.radius[0], random.whole(-2, 2)));
      break;
    case 1:
      c.relative.offset[axis][0] = step(c.relative.offset[axis][0], random.whole(-2, 2));
      break;
    case 2:
      c.relative.offset[axis][random.whole(1, 3)] = random.signed_log_uniform(1e-60, 1e-15);
      break;
    default:
      c.relative.radius[1] = 0x1p-60 * c.relative.radius[0] * random.signed_log_uniform(1e-100, 1);
  }
}

struct Flight {
  Vec3 d, g;
  double scale, time;  ///< a length, and the time it takes at speed |d|
};

Flight flight(Random& random) {
  const double scale = random.log_uniform(1e-3, 1e13), speed = random.log_uniform(1e-2, 1e6);
  const double time = scale / speed, fall = random.log_uniform(1e-3, 1e2) * speed / time;
  return {speed * random.direction(), fall * random.direction(), scale, time};
}

CurveCase aimed(Random& random, bool touching) {
  const Flight f = flight(random);
  const auto target = [&] {
    const double t = f.time * random.log_uniform(1e-3, 10), r = f.scale * random.log_uniform(1e-6, 1);
    const Vec3 w = f.d + t * f.g;
    Vec3 from_center = random.between(0, 1.5) * r * random.direction();
    if (touching) from_center = r * unit(cross(w, random.direction()));
    Curve c = curve(from_center - t * f.d - (0.5 * t * t) * f.g, f.d, f.g, r);
    for (int i = 0; touching && i < 3; ++i) {  // most of the rounding error of L, as its second term
      const long double l = from_center[i] - static_cast<long double>(t) * f.d[i] -
                            0.5L * t * static_cast<long double>(t) * f.g[i];
      c.relative.offset[i][1] = static_cast<double>(l - c.relative.offset[i][0]);
    }
    if (touching) c.relative.radius[0] = step(r, random.whole(-2, 2));
    return c;
  };
  return {target(), target()};
}

CurveCase tangent(Random& random) {
  const IntegerFrame f = small_frame(random);
  const auto target = [&](const Vec3& g, const Vec3& w, const Vec3& outward, double k, double t) {
    return curve_through(k * outward, w, g, t, k * f.n);
  };
  const double t = random.whole(0, 64);
  const Vec3 g = random.one_in(4) ? random.whole(-9, 9) * f.rows[0] : whole_vector(random, 20);
  const Vec3 w = random.whole(-9, 9) * f.rows[1] + random.whole(-9, 9) * f.rows[2];
  return {target(g, w, f.rows[0], random.whole(1, 99), t), target(g, w, -f.rows[0], random.whole(1, 99), t)};
}

/// x = v t, y = h − g t²/2 about the center, t from −s: x² + y² − R² = g²/4 t⁴ + (v² − g h) t² + h² − R².
Curve apex(const IntegerFrame& f, double v, double h, double g, double s, double r) {
  return curve(f.at(-v * s, h - 0.5 * g * s * s), f.at(v, g * s), f.at(0, -g), r * f.n);
}

/// With h = (v⁴ + g²R²)/(2 v² g) the quartic of `apex` is a perfect square. v and g are powers of two, so h
/// is exact.
CurveCase double_tangent(Random& random) {
  const IntegerFrame f = small_frame(random);
  const double v = std::ldexp(1.0, random.whole(-2, 3)), g = std::ldexp(1.0, random.whole(-2, 3));
  const auto target = [&] {
    const double r = random.whole(1, 4000), h = (v * v * v * v + g * g * r * r) / (2 * v * v * g);
    return apex(f, v, h, g, random.whole(-8, 64), r);
  };
  const Curve first = target();
  return {first,
          random.one_in(2) ? first : target()};  // the same, often perturbed: roots between the same doubles
}

CurveCase osculating(Random& random) {
  const IntegerFrame f = small_frame(random);
  if (random.one_in(2)) {  // four equal roots at the apex: v² = g R
    const double v = std::ldexp(1.0, random.whole(-4, 4)), g = std::ldexp(1.0, random.whole(-4, 4));
    const double r = v * v / g, s = random.whole(0, 64);
    return {apex(f, v, r, g, s, r), apex(f, v, r, g, s, r)};
  }
  // Three equal roots: y = x²/2 at x = ±3/4, center (−x³, 1 + 3x²/2), radius (1 + x²)^(3/2) = 125/64.
  const double side = random.one_in(2) ? 1 : -1, s = random.whole(0, 64);
  const auto target = [&] {
    return curve(f.at(-s + side * 0x1.bp-2, 0.5 * s * s - 1.84375), f.at(1, -s), f.at(0, 1), 1.953125 * f.n);
  };
  return {target(), target()};
}

CurveCase start_on(Random& random) {
  const Flight f = flight(random);
  const auto target = [&] {
    const Vec3 outward = random.direction();
    const double r = f.scale * random.log_uniform(1e-4, 1);
    const Vec3 d =
        random.one_in(2) ? std::sqrt(dot(f.d, f.d)) * unit(cross(outward, random.direction())) : f.d;
    const Vec3 g =
        random.one_in(2) ? std::sqrt(dot(f.g, f.g)) * (random.one_in(4) ? 1. : -1.) * outward : f.g;
    Curve c = curve(r * outward, d, g, r);
    c.relative.radius[0] = step(r, random.whole(-2, 2));
    return c;
  };
  if (random.one_in(3)) {  // exactly on it
    const IntegerFrame i = small_frame(random);
    const double k = random.whole(1, 99);
    const Vec3 d = random.one_in(2) ? random.whole(-9, 9) * i.rows[1] : whole_vector(random, 9);
    const Vec3 g = random.one_in(2) ? random.whole(-9, 9) * i.rows[0] : whole_vector(random, 9);
    return {curve(k * i.rows[0], d, g, k * i.n), curve(-k * i.rows[0], d, g, k * i.n)};
  }
  return {target(), target()};
}

CurveCase vertical(Random& random) {
  const Vec3 up = whole_vector(random, 5);
  const double v = random.whole(-40, 40), g = random.whole(-9, 9);
  const auto target = [&] {
    Curve c = curve(double(random.whole(-400, 400)) * up, v * up, g * up, random.whole(0, 200));
    if (random.one_in(3)) c = curve(whole_vector(random, 300), v * up, g * up, random.whole(0, 200));
    return c;
  };
  return {target(), target()};
}

CurveCase tie(Random& random) {
  const IntegerFrame f = small_frame(random), i = small_frame(random);
  const double t = random.whole(0, 64);
  if (random.one_in(2)) {  // one instant, two moving balls
    const Vec3 g = whole_vector(random, 20), w = whole_vector(random, 20);
    const double k = random.whole(1, 99), j = random.whole(1, 99);
    const Vec3 drift = random.one_in(2) ? whole_vector(random, 9) : Vec3{};
    return {curve_through(k * f.rows[0], w, g, t, k * f.n),
            curve_through(j * i.rows[1], w + drift, g, t, j * i.n)};
  }
  // Mirror images at the plane of the flight: equal times that are no doubles.
  const Vec3 d = f.at(random.whole(-20, 20), random.whole(-20, 20)),
             g = f.at(random.whole(-9, 9), random.whole(-9, 9));
  const double x = random.whole(-300, 300), y = random.whole(-300, 300), z = random.whole(-100, 100);
  const double r = random.whole(1, 300) * f.n;
  return {curve(f.at(x, y, z), d, g, r), curve(f.at(x, y, -z), d, g, r)};
}

CurveCase no_gravity(Random& random) {
  CurveCase c = aimed(random, random.one_in(2));
  const double sizes[] = {0, 0, 0x1p-1074, 1e-300, 1e-60, 1e-18, 1e40};
  const double size = sizes[random.below(7)];
  const Vec3 g = size == 0x1p-1074 ? Vec3{0, size, 0} : size * random.direction();
  const Vec3 d = random.one_in(20) ? Vec3{} : c.a.relative.direction[0][0] * random.direction();
  const double keep = random.below(2);
  for (Curve* one : {&c.a, &c.b}) {
    one->gravity = g;
    for (int i = 0; i < 3; ++i)
      one->relative.direction[i][0] = keep * one->relative.direction[i][0] + (1 - keep) * d[i];
  }
  return c;
}

CurveCase pattern(Random& random) {
  const int least = random.one_in(20) ? -1074 : -200, most = random.one_in(4) ? 199 : 3;
  const auto number = [&] {
    return random.one_in(5) ? 0
                            : random.pattern(std::max(least, most - 1 - random.below(most - least)), most);
  };
  const auto vector = [&] { return Vec3{number(), number(), number()}; };
  const Vec3 d = vector(), g = random.one_in(3) ? Vec3{} : vector();
  const auto target = [&] {
    Curve c = curve(vector(), d, g, std::fabs(number()));
    if (random.one_in(2)) c.relative.offset[random.below(3)] = {number(), number(), number(), number()};
    return c;
  };
  return {target(), target()};
}

CurveCase raw_case(CurveFamily family, Random& random) {
  switch (family) {
    case CurveFamily::random:
      return aimed(random, false);
    case CurveFamily::near_tangent:
      return aimed(random, true);
    case CurveFamily::tangent:
      return tangent(random);
    case CurveFamily::double_tangent:
      return double_tangent(random);
    case CurveFamily::osculating:
      return osculating(random);
    case CurveFamily::start_on:
      return start_on(random);
    case CurveFamily::vertical:
      return vertical(random);
    case CurveFamily::tie:
      return tie(random);
    case CurveFamily::no_gravity:
      return no_gravity(random);
    default:
      return pattern(random);
  }
}

}  // namespace

CurveCase make_curve_case(CurveFamily family, Random& random) {
  CurveCase c = raw_case(family, random);
  if (random.one_in(3)) perturb(c.a, random);
  if (random.one_in(3)) perturb(c.b, random);
  if (family != CurveFamily::pattern && random.one_in(4)) {
    const int k = random.whole(-40, 40), m = random.whole(-40, 40);
    rescale(c.a, k, m), rescale(c.b, k, m);
  }
  return c;
}

std::string describe(const CurveCase& c) {
  std::ostringstream out;
  out << std::hexfloat;
  for (const Curve* one : {&c.a, &c.b}) {
    out << "L";
    for (const auto& axis : one->relative.offset)
      out << " {" << axis[0] << "," << axis[1] << "," << axis[2] << "," << axis[3] << "}";
    out << " D";
    for (const auto& axis : one->relative.direction) out << " {" << axis[0] << "," << axis[1] << "}";
    out << " R {" << one->relative.radius[0] << "," << one->relative.radius[1] << "} G {" << one->gravity.x
        << "," << one->gravity.y << "," << one->gravity.z << "} end " << one->end.hi << " + " << one->end.lo
        << "; ";
  }
  return out.str();
}

}  // namespace sphaera::test
