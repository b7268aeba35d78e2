#include <algorithm>
#include <array>
#include <tools/report/level_of_detail.hpp>
#include <tools/scene/scene_layers.hpp>

namespace sphaera::tool {
namespace {

constexpr unsigned grid_bits = 21;  // of each axis: three of them fit into 64 bits

/// The bits of `place`, each with two zeros above it.
std::uint64_t spread(std::uint64_t place) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < grid_bits; ++i) bits |= (place >> i & 1) << (3 * i);
  return bits;
}

/// Scatters ids (the finalizer of splitmix64, Steele and others 2014).
std::uint64_t scattered(std::uint64_t id) {
  id = (id ^ id >> 30) * 0xbf58476d1ce4e5b9;
  id = (id ^ id >> 27) * 0x94d049bb133111eb;
  return id ^ id >> 31;
}

/// The grid over the centers of spheres.
class CenterGrid {
 public:
  CenterGrid(std::span<const Sphere> spheres, const std::vector<std::int64_t>& ids) {
    for (const std::int64_t id : ids) {
      const Vec3& c = spheres[static_cast<std::size_t>(id)].center;
      lower_ = {std::min(lower_.x, c.x), std::min(lower_.y, c.y), std::min(lower_.z, c.z)};
      upper_ = {std::max(upper_.x, c.x), std::max(upper_.y, c.y), std::max(upper_.z, c.z)};
    }
  }

  /// The cell of the finest grid, in Morton order: without its last 3 × n bits it is that of a coarser one.
  std::uint64_t cell(const Vec3& c) const {
    return spread(place(c.x, lower_.x, upper_.x)) << 2 | spread(place(c.y, lower_.y, upper_.y)) << 1 |
           spread(place(c.z, lower_.z, upper_.z));
  }

 private:
  static std::uint64_t place(double value, double lower, double upper) {
    if (!(lower < upper)) return 0;
    constexpr auto cells = static_cast<double>(1 << grid_bits);
    return std::min(static_cast<std::uint64_t>((value - lower) / (upper - lower) * cells),
                    (std::uint64_t{1} << grid_bits) - 1);
  }

  Vec3 lower_{infinity, infinity, infinity}, upper_{-infinity, -infinity, -infinity};
};

struct Candidate {
  std::uint64_t cell;
  std::int64_t id;
};

/// How many bits the cells of the finest grid lose that has no more than `most` occupied ones.
unsigned lost_bits(const std::vector<Candidate>& by_cell, std::size_t most) {
  for (unsigned lost = 0;; lost += 3) {
    std::size_t occupied = 1;
    for (std::size_t i = 1; i < by_cell.size(); ++i)
      occupied += by_cell[i].cell >> lost != by_cell[i - 1].cell >> lost;
    if (occupied <= most || lost == 3 * grid_bits) return lost;
  }
}

}  // namespace

std::vector<std::int64_t> level_of_detail(const Scene& scene, LayerMask layers, std::size_t most) {
  const std::span<const Sphere> spheres = scene.spheres();
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    if (on_layers(scene, layers, i)) ids.push_back(static_cast<std::int64_t>(i));
  }
  const auto larger = [&](std::int64_t a, std::int64_t b) {
    const double ra = spheres[static_cast<std::size_t>(a)].radius,
                 rb = spheres[static_cast<std::size_t>(b)].radius;
    return ra != rb ? ra > rb
                    : scattered(static_cast<std::uint64_t>(a)) < scattered(static_cast<std::uint64_t>(b));
  };
  if (ids.size() > most) {
    const CenterGrid grid(spheres, ids);
    std::vector<Candidate> by_cell;
    by_cell.reserve(ids.size());
    for (const std::int64_t id : ids)
      by_cell.push_back({grid.cell(spheres[static_cast<std::size_t>(id)].center), id});
    ids.clear();
    std::ranges::sort(by_cell, {}, [](const Candidate& c) { return std::pair(c.cell, c.id); });
    const unsigned lost = lost_bits(by_cell, most / 2);
    std::vector<std::int64_t> rest;
    for (std::size_t i = 0; i < by_cell.size(); ++i) {
      const bool is_new = i == 0 || by_cell[i].cell >> lost != by_cell[i - 1].cell >> lost;
      if (is_new || larger(by_cell[i].id, ids.back())) {
        if (is_new)
          ids.push_back(by_cell[i].id);
        else
          rest.push_back(std::exchange(ids.back(), by_cell[i].id));
      } else {
        rest.push_back(by_cell[i].id);
      }
    }
    const auto end = rest.begin() + static_cast<std::ptrdiff_t>(most - ids.size());
    std::ranges::nth_element(rest, end, larger);
    ids.insert(ids.end(), rest.begin(), end);
  }
  std::ranges::sort(ids, larger);
  return ids;
}

}  // namespace sphaera::tool
