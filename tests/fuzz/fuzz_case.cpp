#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <tests/fuzz/fuzz_case.hpp>

namespace sphaera::fuzz {

using test::Questions;

namespace {

/// Bytes as numbers: small fractions and earlier numbers, perhaps off by some ulps, so that things coincide,
/// touch and cancel; if the first byte is even, raw doubles and powers of two, too. After the last byte all
/// bytes are 0.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes), any_scale_(one_in(2)) {}
  bool any_scale() const { return any_scale_; }

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  std::size_t below(std::size_t n) { return byte() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  double number() {
    const double x = made();
    if (earlier_.size() < 64) earlier_.push_back(x);
    return x;
  }
  double positive() {
    const double x = std::fabs(number());
    return x > 0 ? x : 1;
  }
  double share() { return byte() / 255.0; }
  Vec3 vector() {
    const double x = number(), y = number();
    return {x, y, number()};
  }
  Vec3 direction() {
    const Vec3 v = vector();
    return v == Vec3{} ? Vec3{1, 0, 0} : v;
  }

 private:
  double small() { return static_cast<std::int8_t>(byte()); }
  double raw() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    const double x = std::bit_cast<double>(bits);
    if (std::fabs(x) <= domain_limit) return x;
    const std::uint64_t one = 0x3ff0000000000000;  // keeps sign and mantissa: 1 ≤ |x| < 2
    return std::bit_cast<double>((bits & 0x800fffffffffffff) | one);
  }
  double again() {
    if (earlier_.empty()) return 0;
    double x = earlier_[below(earlier_.size())];
    if (!any_scale_ && x == 0) return x;
    for (int ulps = static_cast<std::int8_t>(byte()) / 32; ulps != 0; ulps += ulps < 0 ? 1 : -1)
      x = std::nextafter(x, ulps < 0 ? -domain_limit : domain_limit);
    return x;
  }
  double made() {
    switch (byte() % 8) {
      case 0:
        return any_scale_ ? raw() : small();
      case 1:
        return small();
      case 2:
        return small() / 16;
      case 3:
        return any_scale_ ? std::ldexp(small(), static_cast<std::int8_t>(byte())) : small() / 4;
      case 4:
        return again();
      case 5:
        return -again();
      case 6:
        return std::clamp(again() + again(), -domain_limit, domain_limit);
      default:
        return 0;
    }
  }

  std::span<const std::uint8_t> bytes_;
  bool any_scale_;
  std::vector<double> earlier_;
};

/// Anywhere; about the center of an earlier sphere; or touching one from outside, but for rounding.
Sphere sphere(Input& in, const std::vector<Sphere>& earlier) {
  const std::size_t kind = in.below(4);
  if (kind < 2 || earlier.empty()) {
    const Vec3 center = in.vector();
    return {center, in.positive()};
  }
  const Sphere other = earlier[in.below(earlier.size())];
  if (kind == 2) return {other.center, in.positive()};
  const double radius = in.positive();
  Vec3 center = other.center;
  double& x = in.one_in(2) ? center.x : center.z;
  x = std::clamp(x + (in.one_in(2) ? -1 : 1) * (radius + other.radius), -domain_limit, domain_limit);
  return {center, radius};
}

/// Any place, the center of a sphere or a point on its surface.
Vec3 place(Input& in, const FuzzCase& fuzzed) {
  const std::size_t kind = in.below(4);
  if (kind < 2 || fuzzed.spheres.empty()) return in.vector();
  const Sphere& s = fuzzed.spheres[in.below(fuzzed.spheres.size())];
  if (kind == 2) return s.center;
  return {s.center.x, s.center.y, std::clamp(s.center.z + s.radius, -domain_limit, domain_limit)};
}

Bullet bullet(Input& in, const FuzzCase& fuzzed) {
  Bullet b;
  b.origin = place(in, fuzzed);
  b.velocity = in.vector();
  if (in.one_in(2)) b.radius = std::fabs(in.number());
  b.start = fuzzed.horizon.from + (fuzzed.horizon.to - fuzzed.horizon.from) * in.share();
  if (in.one_in(2)) b.duration = std::fabs(in.number());
  return b;
}

Star star(Input& in, const FuzzCase& fuzzed) {
  constexpr LimbDarkening laws[] = {LimbDarkening{}, LimbDarkening::linear(0.3),
                                    LimbDarkening::quadratic(0.4, 0.26), LimbDarkening::power2(0.5, 0.7)};
  const LimbDarkening law = laws[in.below(4)];
  if (in.one_in(2)) return Star::at_infinity(in.direction(), in.share(), law);
  const Vec3 center = place(in, fuzzed);
  return Star::at(center, std::fabs(in.number()), law);
}

void add_spheres(Input& in, FuzzCase& fuzzed) {
  const std::size_t spheres = in.below(max_spheres);
  for (std::size_t i = 0; i < spheres; ++i) fuzzed.spheres.push_back(sphere(in, fuzzed.spheres));
  fuzzed.quality = static_cast<BuildQuality>(in.below(3));
  if (!in.one_in(3)) return;
  fuzzed.horizon.to = in.positive();
  for (std::size_t i = 0; i < spheres; ++i) fuzzed.velocities.push_back(in.vector());
}

void add_flight(Input& in, FuzzCase& fuzzed) {
  Questions& q = fuzzed.questions;
  const std::size_t bullets = in.below(max_inputs);
  for (std::size_t i = 0; i < bullets; ++i) q.bullets.push_back(bullet(in, fuzzed));
  q.flight.bounces = static_cast<std::uint32_t>(in.below(4));
  q.flight.pierces = static_cast<std::uint32_t>(in.below(3));
  q.flight.start_inside = static_cast<StartInside>(in.below(3));
  // In a scene of many scales, the flight of one bullet under gravity may need a million chords, which take a
  // second in all.
  q.gravity = in.any_scale() ? Vec3{} : in.vector();
  if (in.one_in(2)) q.flight.restitution = in.share();
  if (in.one_in(2)) q.flight.friction = in.share();
  q.max_distance = std::fabs(in.number());
}

/// Bytes of 0, as after the end of the input, restrict nothing.
void add_restriction(Input& in, FuzzCase& fuzzed) {
  const std::size_t spheres = fuzzed.spheres.size();
  const auto mask = [&] { return LayerMask{in.byte()} | ~LayerMask{0xff}; };
  if (!in.one_in(2))
    for (std::size_t i = 0; i < spheres; ++i) fuzzed.layers.push_back(in.byte() % 8);
  if (!in.one_in(2))
    for (std::size_t i = 0; i < spheres; ++i)
      fuzzed.owners.push_back(in.one_in(4) ? no_owner : in.byte() % 4);
  Restriction& r = fuzzed.restriction;
  if (!in.one_in(2)) r.layers = mask();
  const bool layers_each = !in.one_in(2), ignore = !in.one_in(2) && spheres > 0, owners = !in.one_in(2),
             times = !in.one_in(2);
  for (std::size_t i = 0; i < max_inputs; ++i) {
    if (layers_each) r.layers_each.push_back(mask());
    if (ignore) r.ignore.push_back(static_cast<std::int64_t>(in.below(spheres + 1)) - 1);
    if (owners) r.ignore_owners.push_back(static_cast<std::int64_t>(in.below(5)) - 1);
    if (times)
      r.times.push_back(fuzzed.horizon.from + (fuzzed.horizon.to - fuzzed.horizon.from) * in.share());
  }
  if (const std::size_t accept = in.below(4)) r.accept = accept + 1;
  r.skip = !in.one_in(2);
}

/// As in `add_restriction`, bytes of 0 add nothing.
void add_materials(Input& in, FuzzCase& fuzzed) {
  Questions& q = fuzzed.questions;
  if (!in.one_in(2))
    for (std::size_t i = 0; i < max_inputs; ++i)
      fuzzed.restriction.also_ignore_owners.push_back(static_cast<std::int64_t>(in.below(5)) - 1);
  if (!in.one_in(2) && !in.any_scale())  // as for one gravity
    for (std::size_t i = 0; i < q.bullets.size(); ++i)
      q.gravities.push_back(in.one_in(2) ? Vec3{} : in.vector());
  if (!in.one_in(2))
    for (std::size_t i = 0; i < fuzzed.spheres.size(); ++i) fuzzed.restitutions.push_back(in.share());
  if (!in.one_in(2))
    for (std::size_t i = 0; i < fuzzed.spheres.size(); ++i) fuzzed.frictions.push_back(in.share());
}

/// The later queries of a batch about spheres see what the first ones see.
void repeat(Restriction& r) {
  const auto repeat_items = [](auto& items) {
    for (std::size_t i = 0; !items.empty() && items.size() < max_rows; ++i) items.push_back(items[i]);
  };
  repeat_items(r.layers_each), repeat_items(r.ignore), repeat_items(r.times);
  repeat_items(r.ignore_owners), repeat_items(r.also_ignore_owners);
}

void add_light(Input& in, FuzzCase& fuzzed) {
  Questions& q = fuzzed.questions;
  for (const Star& s : q.stars)
    if (s.distance == Star::Distance::finite) q.sources.push_back({s, std::fabs(in.number())});
  for (const Observer& o : q.observers) q.receivers.push_back({o, in.direction()});
  for (const Receiver& r : q.receivers) q.skies.push_back({r.observer.position, r.normal});
}

}  // namespace

FuzzCase decode(std::span<const std::uint8_t> bytes) {
  Input in(bytes);
  FuzzCase fuzzed;
  Questions& q = fuzzed.questions;
  add_spheres(in, fuzzed);
  add_flight(in, fuzzed);
  for (std::size_t i = in.below(max_inputs); i > 0; --i) {
    const Vec3 origin = place(in, fuzzed);
    q.rays.push_back({origin, in.direction()});
    if (in.one_in(2)) q.rays.back().t_min = in.number(), q.rays.back().t_max = in.number();
    q.segments.push_back({origin, place(in, fuzzed)});
    q.points.push_back(place(in, fuzzed));
    q.balls.push_back({place(in, fuzzed), std::fabs(in.number())});
  }
  for (std::size_t i = in.below(3); i > 0; --i) q.stars.push_back(star(in, fuzzed));
  for (std::size_t i = in.below(3); i > 0; --i) {
    q.observers.push_back({place(in, fuzzed)});
    if (in.one_in(2) && !fuzzed.spheres.empty())
      q.observers.back().on = static_cast<std::int64_t>(in.below(fuzzed.spheres.size()));
  }
  add_light(in, fuzzed);
  add_restriction(in, fuzzed);
  add_materials(in, fuzzed);
  repeat(fuzzed.restriction);
  q.fallers = q.bullets;
  q.k = 1 + fuzzed.spheres.size() % 4;
  q.flight.restitutions = fuzzed.restitutions, q.flight.frictions = fuzzed.frictions;
  return fuzzed;
}

namespace {

void print(const char* what, std::initializer_list<double> numbers) {
  std::fprintf(stderr, "%s", what);
  for (const double x : numbers) std::fprintf(stderr, " %a", x);
  std::fprintf(stderr, "\n");
}

template <class Item>
void print(const char* what, const std::vector<Item>& items) {
  std::fprintf(stderr, "%s", what);
  for (const Item& item : items) {
    if constexpr (std::is_floating_point_v<Item>) {
      std::fprintf(stderr, " %a", item);
    } else {
      std::fprintf(stderr, " %lld", static_cast<long long>(item));
    }
  }
  std::fprintf(stderr, "\n");
}

}  // namespace

void print(const FuzzCase& fuzzed) {
  const Questions& q = fuzzed.questions;
  std::fprintf(stderr, "quality %d, bounces %u, pierces %u, start inside %d\n",
               static_cast<int>(fuzzed.quality), q.flight.bounces, q.flight.pierces,
               static_cast<int>(q.flight.start_inside));
  for (const Sphere& s : fuzzed.spheres) print("sphere", {s.center.x, s.center.y, s.center.z, s.radius});
  for (const Vec3& v : fuzzed.velocities) print("velocity", {v.x, v.y, v.z});
  print("horizon", {fuzzed.horizon.from, fuzzed.horizon.to});
  for (const Ray& r : q.rays)
    print("ray", {r.origin.x, r.origin.y, r.origin.z, r.direction.x, r.direction.y, r.direction.z, r.t_min,
                  r.t_max});
  for (const Segment& s : q.segments)
    print("segment", {s.from.x, s.from.y, s.from.z, s.to.x, s.to.y, s.to.z});
  for (const Vec3& p : q.points) print("point", {p.x, p.y, p.z});
  for (const Ball& b : q.balls) print("ball", {b.center.x, b.center.y, b.center.z, b.radius});
  for (const Bullet& b : q.bullets)
    print("bullet", {b.origin.x, b.origin.y, b.origin.z, b.velocity.x, b.velocity.y, b.velocity.z, b.radius,
                     b.start, b.duration});
  print("gravity", {q.gravity.x, q.gravity.y, q.gravity.z});
  print("restitution, friction, max_distance", {q.flight.restitution, q.flight.friction, q.max_distance});
  for (const Vec3& g : q.gravities) print("gravity of a bullet", {g.x, g.y, g.z});
  print("restitutions", fuzzed.restitutions);
  print("frictions", fuzzed.frictions);
  for (const Star& s : q.stars) {
    const bool finite = s.distance == Star::Distance::finite;
    const Vec3& v = finite ? s.center : s.direction;
    print(finite ? "star" : "star at infinity", {v.x, v.y, v.z, finite ? s.radius : s.angular_radius});
  }
  for (const Observer& o : q.observers)
    print("observer", {o.position.x, o.position.y, o.position.z, static_cast<double>(o.on)});
  for (const Source& s : q.sources) print("luminosity of a source", {s.luminosity});
  for (const Receiver& r : q.receivers) print("normal", {r.normal.x, r.normal.y, r.normal.z});
  print("layers", fuzzed.layers);
  print("owners", fuzzed.owners);
  const Restriction& r = fuzzed.restriction;
  print("seen layers", std::vector{r.layers});
  print("seen layers of each query", r.layers_each);
  print("ignored", r.ignore);
  print("ignored owners", r.ignore_owners);
  print("ignored owners, too", r.also_ignore_owners);
  print("times", r.times);
  std::fprintf(stderr, "accept: modulus %d; rows that are not valid are %s\n", static_cast<int>(r.accept),
               r.skip ? "skipped" : "refused");
}

}  // namespace sphaera::fuzz
