#pragma once
/// \file Arrays of C rows as spans of the C++ types, which have the same bytes (rows.cpp), and back.

#include <c/interface.hpp>
#include <c/status.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <sphaera/sphaera.hpp>
#include <type_traits>

namespace sphaera::c {

template <class Row>
struct Cpp {
  using Type = Row;  ///< numbers
};
template <>
struct Cpp<SphaeraVec3> {
  using Type = Vec3;
};
template <>
struct Cpp<SphaeraSphere> {
  using Type = Sphere;
};
template <>
struct Cpp<SphaeraRay> {
  using Type = Ray;
};
template <>
struct Cpp<SphaeraSegment> {
  using Type = Segment;
};
template <>
struct Cpp<SphaeraBall> {
  using Type = Ball;
};
template <>
struct Cpp<SphaeraHit> {
  using Type = Hit;
};
template <>
struct Cpp<SphaeraSurfaceHit> {
  using Type = SurfaceHit;
};
template <>
struct Cpp<SphaeraNeighbor> {
  using Type = Neighbor;
};
template <>
struct Cpp<SphaeraBullet> {
  using Type = Bullet;
};
template <>
struct Cpp<SphaeraImpact> {
  using Type = Impact;
};
template <>
struct Cpp<SphaeraFlightEnd> {
  using Type = FlightEnd;
};
template <>
struct Cpp<SphaeraNearMiss> {
  using Type = NearMiss;
};
template <>
struct Cpp<SphaeraLimbDarkening> {
  using Type = LimbDarkening;
};
template <>
struct Cpp<SphaeraStar> {
  using Type = Star;
};
template <>
struct Cpp<SphaeraObserver> {
  using Type = Observer;
};
template <>
struct Cpp<SphaeraVisibility> {
  using Type = Visibility;
};
template <>
struct Cpp<SphaeraSource> {
  using Type = Source;
};
template <>
struct Cpp<SphaeraReceiver> {
  using Type = Receiver;
};
template <>
struct Cpp<SphaeraMotionSample> {
  using Type = MotionSample;
};
template <>
struct Cpp<SphaeraSpin> {
  using Type = Spin;
};
template <>
struct Cpp<SphaeraContactTime> {
  using Type = ContactTime;
};
template <>
struct Cpp<SphaeraPhaseChange> {
  using Type = PhaseChange;
};
template <>
struct Cpp<SphaeraFrameLevel> {
  using Type = FrameLevel;
};
template <>
struct Cpp<SphaeraIdRange> {
  using Type = IdRange;
};
template <>
struct Cpp<SphaeraIntersection> {
  using Type = Intersection;
};
template <>
struct Cpp<SphaeraSurfacePoint> {
  using Type = SurfacePoint;
};
template <>
struct Cpp<SphaeraPierce> {
  using Type = Pierce;
};
template <>
struct Cpp<SphaeraClosestPoint> {
  using Type = ClosestPoint;
};
template <>
struct Cpp<SphaeraIntersectionCircle> {
  using Type = IntersectionCircle;
};
template <>
struct Cpp<SphaeraShot> {
  using Type = Shot;
};
template <>
struct Cpp<SphaeraRicochet> {
  using Type = Ricochet;
};

/// The C++ type of a C row, const if the row is.
template <class Row>
using CppRow = std::conditional_t<std::is_const_v<Row>, const typename Cpp<std::remove_const_t<Row>>::Type,
                                  typename Cpp<std::remove_const_t<Row>>::Type>;

/// `count` rows of the caller's as items of the same size. Refuses null, if there are rows, and an address
/// that is not aligned.
template <class Item, class Row>
std::span<Item> span_of(Row* rows, std::size_t count, const char* name) {
  static_assert(sizeof(Item) == sizeof(Row));
  static_assert(alignof(Item) == alignof(Row));
  if (count == 0) return {};
  if (rows == nullptr) refuse(name, "is NULL, but there are rows");
  if (reinterpret_cast<std::uintptr_t>(rows) % alignof(Row) != 0) refuse(name, "is not aligned");
  if (count > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(Row))
    refuse(name, "has more rows than memory");
  return {reinterpret_cast<Item*>(rows), count};
}

/// The same as the C++ type of the row.
template <class Row>
std::span<CppRow<Row>> rows_of(Row* rows, std::size_t count, const char* name) {
  return span_of<CppRow<Row>>(rows, count, name);
}

/// An array in options: null is an empty span.
template <class Row>
std::span<CppRow<Row>> optional_rows(Row* rows, std::size_t count, const char* name) {
  if (rows == nullptr) return {};
  return rows_of(rows, count, name);
}

/// One row.
template <class Row>
CppRow<Row>& row_of(Row* row, const char* name) {
  return rows_of(row, 1, name)[0];
}

template <class Row, class Item>
const Row* c_rows(const Item* items) {
  static_assert(std::is_same_v<typename Cpp<Row>::Type, Item>);
  return reinterpret_cast<const Row*>(items);
}

VectorRows vectors_of(const SphaeraRows* rows, const char* name);  ///< null: no rows
NumberRows numbers_of(const SphaeraRows* rows, const char* name);

}  // namespace sphaera::c
