#pragma once
/// \file Answers as bytes, to compare what calls return.

#include <cstdint>
#include <optional>
#include <span>
#include <sphaera/sphaera.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace sphaera::test {

/// What calls return, without the padding between members.
class Bytes {
 public:
  void put(double x) { append(&x, sizeof x); }
  void put(std::int64_t x) { append(&x, sizeof x); }
  void put(std::uint64_t x) { append(&x, sizeof x); }
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
  void put(const Hit& h) { put(h.t_enter), put(h.t_exit), put(h.sphere), put(h.contact); }
  void put(const SurfaceHit& h) { put(static_cast<const Hit&>(h)), put(h.point), put(h.normal); }
  void put(const Neighbor& n) { put(n.distance), put(n.sphere); }
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
    put(v.fraction), put(v.flux), put(v.magnitude), put(v.dominant), put(std::int64_t{v.occluders});
    put(v.phase), put(v.blocked), put(v.status);
  }
  void put(const ContactTime& c) { put(c.time), put(c.body), put(c.before), put(c.after); }
  void put(const PhaseChange& c) { put(c.time), put(c.before), put(c.after); }
  void put(const Impact& i) {
    put(i.time), put(i.exit_time), put(i.distance), put(i.angle), put(i.point), put(i.center), put(i.normal);
    put(i.velocity), put(i.exit_point), put(i.sphere), put(std::uint64_t{i.bounce}), put(i.contact);
    put(i.outcome);
  }
  void put(const FlightEnd& e) { put(e.time), put(e.center), put(e.velocity), put(e.outcome); }
  void put(const NearMiss& n) { put(n.distance), put(n.time), put(n.point), put(n.sphere); }
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

  bool operator==(const Bytes&) const = default;

 private:
  void append(const void* data, std::size_t size) { text_.append(static_cast<const char*>(data), size); }

  std::string text_;
};

}  // namespace sphaera::test
