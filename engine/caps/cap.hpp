#pragma once
/// \file Caps of the unit sphere.

#include <cstddef>
#include <exact/numbers/arithmetic.hpp>
#include <sphaera/vec3.hpp>
#include <vector>

namespace sphaera::caps {

/// The directions at an angle of at most α from an axis. α may be any angle; above 90° the cosine is
/// negative.
struct Cap {
  Vec3 axis;      ///< of length 1, up to 4u in each coordinate
  double cosine;  ///< of α; a cap of cosine ≤ −1 is the whole sphere, one of cosine ≥ 1 nothing
};

/// Many caps in arrays, for work on four at once. Behind the last stand three that cover nothing.
class CapArrays {
 public:
  static constexpr std::size_t width = 4;

  std::size_t size() const { return size_; }
  Vec3 axis(std::size_t i) const { return {x[i], y[i], z[i]}; }
  Cap operator[](std::size_t i) const { return {axis(i), cosine[i]}; }

  void clear() { size_ = 0; }
  /// Room for n caps, which `set` fills. Throws std::bad_alloc.
  void resize(std::size_t n) {
    for (std::vector<double>* row : {&x, &y, &z, &cosine, &sine}) row->resize(n + width - 1);
    for (std::size_t i = n; i < n + width - 1; ++i) x[i] = y[i] = z[i] = sine[i] = 0, cosine[i] = beyond;
    size_ = n;
  }
  void set(std::size_t i, const Cap& cap, double its_sine) {
    x[i] = cap.axis.x, y[i] = cap.axis.y, z[i] = cap.axis.z, cosine[i] = cap.cosine, sine[i] = its_sine;
  }

  void grow_to(const CapArrays& other) {
    for (std::vector<double>* row : {&x, &y, &z, &cosine, &sine}) row->reserve(other.x.capacity());
  }

  std::vector<double> x, y, z, cosine, sine;

 private:
  static constexpr double beyond = 8;  ///< a cosine whose circle meets none
  std::size_t size_ = 0;
};

}  // namespace sphaera::caps
