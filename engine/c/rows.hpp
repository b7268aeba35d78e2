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

/// Every C row, SphaeraName for the C++ type Name.
#define SPHAERA_C_ROWS(row)                                                                                 \
  row(Vec3) row(Sphere) row(Ray) row(Segment) row(Ball) row(Hit) row(SurfaceHit) row(Neighbor)              \
      row(ExposedArea) row(Bullet) row(Impact) row(FlightEnd) row(NearMiss) row(LimbDarkening) row(Star)    \
          row(Observer) row(Visibility) row(Source) row(Receiver) row(MotionSample) row(Spin)               \
              row(ContactTime) row(PhaseChange) row(FrameLevel) row(IdRange) row(Intersection)              \
                  row(SurfacePoint) row(Crossing) row(Pierce) row(ClosestPoint) row(IntersectionCircle)     \
                      row(Shot) row(Ricochet) row(SkyPoint) row(SkyShare) row(UnseenStar) row(ShadowChange) \
                          row(ChordSums)

template <class Row>
struct Cpp {
  using Type = Row;  ///< numbers
};
#define SPHAERA_CPP_OF(name)    \
  template <>                   \
  struct Cpp<Sphaera##name> {   \
    using Type = sphaera::name; \
  };
SPHAERA_C_ROWS(SPHAERA_CPP_OF)
#undef SPHAERA_CPP_OF

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
