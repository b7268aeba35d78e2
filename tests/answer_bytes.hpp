#pragma once
/// \file Answers as bytes, to compare what calls return.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <sphaera/sphaera.hpp>
#include <type_traits>
#include <vector>

namespace sphaera::test {

/// What calls return, to the last bit, without the padding between members. The ids of spheres stand apart.
class Bytes {
 public:
  void put(double x) { numbers_.push_back(std::bit_cast<std::uint64_t>(x)); }
  void put(std::int64_t x) { put(static_cast<std::uint64_t>(x)); }
  void put(std::uint64_t x) { words_.push_back(x); }
  void put_sphere(std::int64_t id) { spheres_.push_back(id); }
  void put(int x) { put(std::int64_t{x}); }
  void put(bool x) { put(std::int64_t{x}); }
  void put(std::uint8_t x) { put(std::int64_t{x}); }
  void put(const Vec3& v) { put(v.x), put(v.y), put(v.z); }
  void put(const Sphere& s) { put(s.center), put(s.radius); }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void put(Enum e) {
    put(static_cast<std::int64_t>(e));
  }
  void put(const Hit& h) { put(h.t_enter), put(h.t_exit), put_sphere(h.sphere), put(h.contact); }
  void put(const SurfaceHit& h) {
    put(static_cast<const Hit&>(h));
    for (const Vec3& v : {h.point, h.normal}) put_derived(v.x), put_derived(v.y), put_derived(v.z);
  }
  void put(const Neighbor& n) { put(n.distance), put_sphere(n.sphere); }
  void put(const ExposedArea& e) {
    put(e.area), put(e.share), put(e.outward), put_sphere(e.hider), put(e.exposure);
  }
  void put(const SurfacePoint& p) { put(p.point), put(p.normal); }
  void put(const Crossing& c) { put(c.t), put(c.surface), put(c.on_path); }
  void put(const Pierce& p) { put(p.entry), put(p.exit); }
  void put(const ClosestPoint& c) { put(c.t), put(c.point), put(c.squared_distance); }
  void put(const Intersection& i) { put(i.contact), put(i.roots), put(i.t1), put(i.t2), put(i.t_closest); }
  void put(const IntersectionCircle& c) {
    put(c.kind), put(c.center), put(c.radius), put(c.normal), put(c.axis_u), put(c.axis_v);
  }
  void put(const Ricochet& r) {
    put(r.point), put(r.normal), put(r.angle), put(r.velocity), put(r.distance), put(r.time);
  }
  void put(const Visibility& v) {
    put(v.fraction), put(v.flux), put(v.magnitude), put_sphere(v.dominant), put(std::int64_t{v.occluders});
    put(v.phase), put(v.blocked), put(v.status);
  }
  void put(const SkyShare& s) {
    put(s.open), put(s.open_by_cosine), put(s.error), put(std::int64_t{s.discs}), put(std::int64_t{s.rays});
  }
  void put(const ContactTime& c) { put(c.time), put(c.body), put(c.before), put(c.after); }
  void put(const ShadowChange& c) { put(c.time), put(c.body), put(c.contact); }
  void put(const ChordSums& s) { put(s.hits), put(s.chords), put(s.inside); }
  void put(const PhaseChange& c) { put(c.time), put(c.before), put(c.after); }
  void put(const Impact& i) {
    put(i.time), put(i.exit_time), put(i.distance), put(i.angle), put(i.point), put(i.center), put(i.normal);
    put(i.velocity), put(i.exit_point), put_sphere(i.sphere), put(std::uint64_t{i.bounce}), put(i.contact);
    put(i.outcome);
  }
  void put(const FlightEnd& e) { put(e.time), put(e.center), put(e.velocity), put(e.outcome); }
  void put(const NearMiss& n) { put(n.distance), put(n.time), put(n.point), put_sphere(n.sphere); }
  void put(const UpdateResult& r) { put(r.rebuilt), put(r.boxes), put(r.degradation); }
  void put(const FrameLevel& f) {
    put(f.frames), put(f.spheres), put(f.half_size_min), put(f.half_size_max), put(f.inflation);
  }
  void put(const SceneInfo& i) {
    put(i.spheres), put(i.lower), put(i.upper), put(i.radius_min), put(i.radius_max), put(i.frame_center);
    put(i.frame_half_size), put(i.inflation), put(i.boxes), put(i.frames), put(i.sphere_bytes);
  }
  template <class Item>
  void put(const std::optional<Item>& item) {
    put(item.has_value());
    if (item) put(*item);
  }
  template <class Item>
  void put(std::span<const Item> items) {
    put(std::uint64_t{items.size()});
    for (const Item& item : items) put(item);
  }
  template <class Item>
  void put(const std::vector<Item>& items) {
    put(std::span<const Item>(items));
  }
  template <class Item>
  void put(const Lists<Item>& lists) {
    put(lists.offsets), put(lists.items);
  }

  /// Replaces the id of each sphere by name(id).
  template <class Name>
  void rename(const Name& name) {
    for (std::int64_t& id : spheres_) id = name(id);
  }

  bool operator==(const Bytes&) const = default;

  /// The same but for the last bit of t or a distance: where the exact value lies in the middle between two
  /// doubles, either may come out. What is computed from another t may differ in more.
  bool is_near(const Bytes& other) const {
    const auto near = [](std::uint64_t a, std::uint64_t b) {
      const double x = std::bit_cast<double>(a), y = std::bit_cast<double>(b);
      return a == b || std::nextafter(x, y) == y;
    };
    const bool same_t = numbers_.empty() || other.numbers_.empty() || numbers_[0] == other.numbers_[0];
    return words_ == other.words_ && spheres_ == other.spheres_ &&
           std::ranges::equal(numbers_, other.numbers_, near) && (!same_t || derived_ == other.derived_);
  }

 private:
  void put_derived(double x) { derived_.push_back(std::bit_cast<std::uint64_t>(x)); }

  std::vector<std::uint64_t> words_, numbers_;
  std::vector<std::uint64_t> derived_;  ///< numbers that are computed from the first of `numbers_`
  std::vector<std::int64_t> spheres_;
};

}  // namespace sphaera::test
