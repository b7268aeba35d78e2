#pragma once
/// \file Inputs that no scene answers.

#include <limits>
#include <span>
#include <sphaera/sphaera.hpp>

namespace sphaera::test {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Each is out of its range in another way. None for a sphere of the scene: it was checked before.
template <class Input>
std::span<const Input> bad_inputs() {
  return {};
}

template <>
inline std::span<const Ray> bad_inputs() {
  constexpr double nan = not_a_number;
  static constexpr Ray bad[]{{{nan, 0, 0}, {1, 0, 0}},       {{0, 0, 0}, {0, 0, 0}},
                             {{0, 0, 0}, {1, infinity, 0}},  {{0, 0, 0}, {1, 0, 0}, nan, 1},
                             {{0, 0, 0}, {1, 0, 0}, 0, nan}, {{0x1p201, 0, 0}, {1, 0, 0}}};
  return bad;
}

template <>
inline std::span<const Segment> bad_inputs() {
  static constexpr Segment bad[]{{{0, not_a_number, 0}, {1, 0, 0}},
                                 {{0, 0, 0}, {not_a_number, 0, 0}},
                                 {{0, 0, 0}, {infinity, 0, 0}},
                                 {{0, 0, -0x1p201}, {1, 0, 0}}};
  return bad;
}

template <>
inline std::span<const Vec3> bad_inputs() {
  static constexpr Vec3 bad[]{{not_a_number, 0, 0}, {0, infinity, 0}, {0, 0, 0x1p201}};
  return bad;
}

template <>
inline std::span<const Ball> bad_inputs() {
  static constexpr Ball bad[]{{{0, 0, 0}, -1},
                              {{0, 0, 0}, not_a_number},
                              {{0, 0, 0}, infinity},
                              {{not_a_number, 0, 0}, 1},
                              {{0, 0x1p201, 0}, 1}};
  return bad;
}

template <>
inline std::span<const Bullet> bad_inputs() {
  constexpr double nan = not_a_number;
  static constexpr Bullet bad[]{{{nan, 0, 0}, {1, 0, 0}},       {{0, 0, 0}, {0, 0, nan}},
                                {{0, 0, 0}, {0x1p201, 0, 0}},   {{0, 0, 0}, {1, 0, 0}, -1},
                                {{0, 0, 0}, {1, 0, 0}, 0, nan}, {{0, 0, 0}, {1, 0, 0}, 0, 0, -1}};
  return bad;
}

template <>
inline std::span<const Observer> bad_inputs() {
  static constexpr Observer bad[]{{{0, 0, not_a_number}}, {{0x1p201, 0, 0}}, {{0, 0, 0}, 1 << 30}};
  return bad;
}

template <>
inline std::span<const Receiver> bad_inputs() {
  static constexpr Receiver bad[]{{{{1, 0, 0}}, {0, 0, 0}},
                                  {{{1, 0, 0}}, {0, not_a_number, 0}},
                                  {{{not_a_number, 0, 0}}, {0, 0, 1}},
                                  {{{0, 0, 0}, 1 << 30}, {0, 0, 1}}};
  return bad;
}

template <>
inline std::span<const SkyPoint> bad_inputs() {
  static constexpr SkyPoint bad[]{
      {{0, 0, not_a_number}, {0, 0, 1}}, {{0x1p201, 0, 0}, {}}, {{0, 0, 0}, {0, not_a_number, 0}}};
  return bad;
}

}  // namespace sphaera::test
