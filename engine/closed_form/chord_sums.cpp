#include <algorithm>
#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <sphaera/closed_form/chord_sums.hpp>

namespace sphaera::inline SPHAERA_ABI {

ChordSums chord_sums(const Ray& ray, std::span<const Hit> hits) {
  const base::FloatingPointEnvironment mode;
  base::check(ray);
  ChordSums sums{hits.size()};
  double inside_to = ray.t_min;
  for (const Hit& hit : hits) {
    const double to = std::min(hit.t_exit, ray.t_max);
    sums.chords += std::max(0.0, to - hit.t_enter);
    sums.inside += std::max(0.0, to - std::max(hit.t_enter, inside_to));
    inside_to = std::max(inside_to, to);
  }
  const double unit = std::hypot(ray.direction.x, ray.direction.y, ray.direction.z);
  sums.chords *= unit, sums.inside *= unit;
  return sums;
}

}  // namespace sphaera::inline SPHAERA_ABI
